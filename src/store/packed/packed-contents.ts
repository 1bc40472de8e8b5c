import type { FieldValue } from '../../model/issue.ts';
import type { SeenTerms } from '../../model/issues/single-mentions.ts';
import { type FieldList, fieldListOf } from './issue-terms.ts';
import { contentAs } from './pack-issue.ts';
import { isNew, isNewValue } from './packed-changes.ts';
import type { TermReader } from './term-reader.ts';

const NO_FIELDS = fieldListOf([]);

/**
 * Finds the contents of one packed issue after the other. Those of an issue are walked past once, as far as they are looked
 * for: where they begin is kept until the next issue is opened.
 */
export class PackedContents {
  readonly #reader: TermReader;
  #bytes: Buffer | null = null;
  #list = NO_FIELDS;
  /** The number of the list of fields; -1 of one that has none. */
  #number = -1;
  /** The positions of contents, and the first numbers of those that were passed. */
  readonly #places: number[] = [];
  readonly #kinds: number[] = [];
  #walked = 0;

  constructor(reader: TermReader) {
    this.#reader = reader;
  }

  /** The fields of an issue, whose contents are found from now on; `place` is where its fields begin. */
  open(bytes: Buffer, place: number): FieldList {
    if (this.#bytes === bytes) return this.#list;
    const reader = this.#reader;
    reader.openAt(bytes, place);
    this.#bytes = null;
    this.#number = reader.count() - 1;
    this.#list =
      this.#number < 0
        ? fieldListOf(Array.from({ length: reader.count() }, () => reader.ownText()))
        : reader.terms.fields.at(this.#number);
    this.#places[0] = reader.at;
    this.#walked = 0;
    this.#bytes = bytes;
    return this.#list;
  }

  /** Leads the reader to a content of the issue that was opened last. */
  goTo(bytes: Buffer, index: number): void {
    this.#reader.openAt(bytes, this.#places[Math.min(index, this.#walked)] ?? 0);
    for (; this.#walked < index; this.#walked += 1) {
      this.#kinds[this.#walked] = this.#skip();
      this.#places[this.#walked + 1] = this.#reader.at;
    }
  }

  /** The fields of the issue that was opened last, and the values in its lists, that are not seen yet. */
  news(
    bytes: Buffer,
    seen: SeenTerms,
  ): { readonly fields: readonly string[]; readonly listed: readonly FieldValue[] } {
    const { ids } = this.#list;
    const listed: FieldValue[] = [];
    this.goTo(bytes, ids.length);
    for (let i = 0; i < ids.length; i += 1) {
      if (this.#kinds[i] === contentAs.list) this.#readNew(seen.listed, i, listed);
    }
    return { fields: isNew(seen.fieldLists, this.#number) ? ids : [], listed };
  }

  #readNew(seen: Set<number>, index: number, listed: FieldValue[]): void {
    const reader = this.#reader;
    reader.goTo(this.#places[index] ?? 0);
    reader.skipCount();
    for (let rest = reader.count(); rest > 0; rest -= 1) {
      const place = reader.at;
      if (!isNewValue(seen, reader.skipValue())) continue;
      reader.goTo(place);
      listed.push(reader.neededValue());
    }
  }

  /** Passes over a content; the answer is what it begins with. */
  #skip(): number {
    const reader = this.#reader;
    const as = reader.count();
    if (as === contentAs.text) reader.skipText();
    else if (as === contentAs.number) reader.skipNumber();
    else if (as === contentAs.value) {
      reader.skipText();
      reader.skipText();
    } else if (as === contentAs.list) {
      for (let rest = reader.count(); rest > 0; rest -= 1) reader.skipValue();
    }
    return as;
  }
}
