import type { FieldContent } from '../model/issue.ts';

/** The code of a field an issue does not have; in a history, of time about which nothing is known. */
export const ABSENT = 0;

/** The code of an empty content: null, an empty text or an empty list. */
export const EMPTY = 1;

/** The smallest code of a value. */
export const FIRST_VALUE = 2;

/**
 * The contents of one field, each different one under a small number: what columns hold in place of the content. Values
 * are different when their id or their name is; a list is one content. Codes are never given out twice.
 */
export class ValueCodes {
  readonly #contents: (FieldContent | undefined)[] = [undefined, null];
  readonly #byText = new Map<string, number>();
  /** Values that were read from the same dictionary are the same object again and again. */
  readonly #byObject = new WeakMap<object, number>();

  constructor(contents: readonly FieldContent[] = []) {
    for (const content of contents) this.codeOf(content);
  }

  /** How many codes there are, those that are no value's included. */
  get size(): number {
    return this.#contents.length;
  }

  /** The content behind a code; undefined of `ABSENT`, null of `EMPTY`. */
  at(code: number): FieldContent | undefined {
    return this.#contents[code];
  }

  /** All contents in the order of their codes, from `FIRST_VALUE` on: what another `ValueCodes` can be made from. */
  contents(): readonly FieldContent[] {
    return this.#contents.slice(FIRST_VALUE).map((content) => content ?? null);
  }

  /** The code of a content, which gets one if it has none yet. */
  codeOf(content: FieldContent | undefined): number {
    if (content === undefined) return ABSENT;
    if (content === null || content === '') return EMPTY;
    if (typeof content !== 'object') return this.#add(textOf(content), content);
    const known = this.#byObject.get(content);
    if (known !== undefined) return known;
    if ('length' in content && content.length === 0) return EMPTY;
    const code = this.#add(textOf(content), content);
    this.#byObject.set(content, code);
    return code;
  }

  /** The code of a content that has one, else -1. */
  find(content: FieldContent): number {
    if (content === null || content === '') return EMPTY;
    return this.#byText.get(textOf(content)) ?? -1;
  }

  #add(text: string, content: FieldContent): number {
    const known = this.#byText.get(text);
    if (known !== undefined) return known;
    const code = this.#contents.push(content) - 1;
    this.#byText.set(text, code);
    return code;
  }
}

/** The same text for equal contents only. */
function textOf(content: NonNullable<FieldContent>): string {
  if (typeof content === 'string') return `t${content}`;
  if (typeof content === 'number') return `n${content}`;
  if ('length' in content) return `l${JSON.stringify(content.map(({ id, name }) => [id, name]))}`;
  return `v${content.id.length}:${content.id}${content.name}`;
}
