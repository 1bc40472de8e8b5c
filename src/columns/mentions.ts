/** No issue that is still there is known to mention it. */
const NOBODY = 0;

/**
 * What some issues mention, each thing with the id (in the store) of one issue that does. As long as that one stays,
 * nothing has to be looked up; once it has left, another one is looked for.
 */
export class Mentions<Thing> {
  readonly #by: Map<Thing, number>;
  #doubted = 0;

  constructor(entries: Iterable<readonly [Thing, number]> = []) {
    this.#by = new Map(entries);
    for (const by of this.#by.values()) if (by === NOBODY) this.#doubted += 1;
  }

  get size(): number {
    return this.#by.size;
  }

  /** How many things no issue is known to mention by now. */
  get doubted(): number {
    return this.#doubted;
  }

  has(thing: Thing): boolean {
    return this.#by.has(thing);
  }

  [Symbol.iterator](): IterableIterator<Thing> {
    return this.#by.keys();
  }

  values(): IterableIterator<Thing> {
    return this.#by.keys();
  }

  /** What `constructor` makes the same of. */
  entries(): readonly (readonly [Thing, number])[] {
    return [...this.#by];
  }

  note(thing: Thing, id: number): void {
    const by = this.#by.get(thing);
    if (by !== undefined && by !== NOBODY) return;
    if (by === NOBODY) this.#doubted -= 1;
    this.#by.set(thing, id);
  }

  /** Doubts what is known by these issues only. */
  doubt(ids: ReadonlySet<number>): void {
    for (const [thing, by] of this.#by) {
      if (!ids.has(by)) continue;
      this.#by.set(thing, NOBODY);
      this.#doubted += 1;
    }
  }

  /** Forgets what is in doubt; whether there was any. */
  forgetDoubted(): boolean {
    if (this.#doubted === 0) return false;
    for (const [thing, by] of this.#by) if (by === NOBODY) this.#by.delete(thing);
    this.#doubted = 0;
    return true;
  }
}

/** Mentions of whatever kind. */
export type Doubtable = Pick<Mentions<unknown>, 'doubted' | 'doubt' | 'forgetDoubted'>;
