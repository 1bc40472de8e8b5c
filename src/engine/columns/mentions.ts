/** No issue that is still there is known to mention it. */
const NOBODY = 0;

/**
 * The things that some issues mention, each with the id (in the store) of one issue that does. As long as that one
 * stays and mentions it, nothing has to be looked up; after that the thing is in doubt, until another issue is noted
 * for it.
 */
export class Mentions<Thing> {
  readonly #by = new Map<Thing, number>();
  readonly #thingsOf = new Map<number, Set<Thing>>();
  readonly #doubted = new Set<Thing>();
  /** Things in doubt that are looked for in all issues. */
  readonly #sought = new Set<Thing>();

  constructor(entries: Iterable<readonly [Thing, number]> = []) {
    for (const [thing, id] of entries) {
      if (id !== NOBODY) this.note(thing, id);
      else {
        this.#by.set(thing, NOBODY);
        this.#doubted.add(thing);
      }
    }
  }

  get size(): number {
    return this.#by.size;
  }

  /** The number of things that are looked for and were not found yet. */
  get sought(): number {
    return this.#sought.size;
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

  /** The entries from which `constructor` makes the same mentions. */
  entries(): readonly (readonly [Thing, number])[] {
    return [...this.#by];
  }

  note(thing: Thing, id: number): void {
    const by = this.#by.get(thing);
    if (by !== undefined && by !== NOBODY) return;
    if (by === NOBODY) {
      this.#doubted.delete(thing);
      this.#sought.delete(thing);
    }
    this.#by.set(thing, id);
    const things = this.#thingsOf.get(id);
    if (things === undefined) this.#thingsOf.set(id, new Set([thing]));
    else things.add(thing);
  }

  /** Doubts what is known by this issue: it has left, or is noted once more. Whether there is anything. */
  doubt(id: number): boolean {
    const things = this.#thingsOf.get(id);
    if (things === undefined) return false;
    this.#thingsOf.delete(id);
    for (const thing of things) {
      this.#by.set(thing, NOBODY);
      this.#doubted.add(thing);
    }
    return true;
  }

  /** From now on what is in doubt is looked for. */
  seek(): void {
    for (const thing of this.#doubted) this.#sought.add(thing);
    this.#doubted.clear();
  }

  /** Forgets what was looked for and not found; whether there was any. */
  forgetSought(): boolean {
    const { size } = this.#sought;
    for (const thing of this.#sought) this.#by.delete(thing);
    this.#sought.clear();
    return size > 0;
  }
}

/** Mentions of whatever kind. */
export type SomeMentions = Pick<Mentions<unknown>, 'sought' | 'doubt' | 'seek' | 'forgetSought'>;
