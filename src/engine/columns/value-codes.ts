import type { FieldContent, FieldValue } from '../../model/issue.ts';

/** The code of a field an issue does not have; in a history, of time about which nothing is known. */
export const ABSENT = 0;

/** The code of an empty content: null, an empty text or an empty list. */
export const EMPTY = 1;

/** The smallest code of a value. */
export const FIRST_VALUE = 2;

/** Plain texts of more letters are not held as contents under codes: of a million issues a date each fits in. */
const MAX_LETTERS = 2 ** 25;

/**
 * The contents of one field, each different one under a small number: what columns hold in place of the content. Values
 * are different when their id or their name is; a list is one content. Codes are never given out twice.
 */
export class ValueCodes {
  readonly #contents: (FieldContent | undefined)[] = [undefined, null];
  readonly #byText = new Map<string, number>();
  /** Plain texts are their own keys. */
  readonly #byPlainText = new Map<string, number>();
  /** Values that were read from the same dictionary are the same object again and again. */
  readonly #byObject = new WeakMap<object, number>();
  #letters = 0;

  constructor(contents: readonly FieldContent[] = []) {
    for (const content of contents) this.codeOf(content);
  }

  /** The number of codes, including those that stand for no value. */
  get size(): number {
    return this.#contents.length;
  }

  /** The number of letters in all texts by which contents are found. */
  get letters(): number {
    return this.#letters;
  }

  /** Plain texts are among the contents, and all contents together are too long to be held. */
  get isTooLong(): boolean {
    return this.#letters > MAX_LETTERS && this.#byPlainText.size > 0;
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
    if (typeof content === 'string') return this.#add(this.#byPlainText, content, content);
    if (typeof content === 'number') return this.#add(this.#byText, textOf(content), content);
    if ('length' in content) {
      return content.length === 0 ? EMPTY : this.#add(this.#byText, textOf(content), content);
    }
    const known = this.#byObject.get(content);
    if (known !== undefined) return known;
    const code = this.#add(this.#byText, textOf(content), content);
    this.#byObject.set(content, code);
    return code;
  }

  /** The code of a content that has one, else -1. */
  find(content: FieldContent): number {
    if (content === null || content === '') return EMPTY;
    const known =
      typeof content === 'string' ? this.#byPlainText.get(content) : this.#byText.get(textOf(content));
    return known ?? -1;
  }

  #add(codes: Map<string, number>, text: string, content: FieldContent): number {
    const known = codes.get(text);
    if (known !== undefined) return known;
    const code = this.#contents.push(content) - 1;
    codes.set(text, code);
    this.#letters += text.length;
    return code;
  }
}

/** The code in `values` of each of `contents`, by the code it has where these are the contents from `FIRST_VALUE` on. */
export function codesIn(values: ValueCodes, contents: readonly FieldContent[]): Uint32Array {
  return Uint32Array.from([ABSENT, EMPTY, ...contents.map((content) => values.codeOf(content))]);
}

/** The single value that each code of a field is for, in the order of codes; null where it is none. */
export function valuesOf(codes: ValueCodes): (FieldValue | null)[] {
  return Array.from({ length: codes.size }, (_, code) => valueIn(codes.at(code)));
}

/** The value that a content is; null of any other content. */
export function valueIn(content: FieldContent | undefined): FieldValue | null {
  return content !== null && typeof content === 'object' && 'id' in content ? content : null;
}

/** The same text for equal contents only. */
function textOf(content: Exclude<FieldContent, string | null>): string {
  if (typeof content === 'number') return `n${content}`;
  if (!('length' in content)) return `v${content.id.length}:${content.id}${content.name}`;
  let text = 'l';
  for (const { id, name } of content) text += `${id.length},${name.length}:${id}${name}`;
  return text;
}
