import type { Change, FieldValue, Instant } from '../../model/issue.ts';
import type { SeenTerms } from '../../model/issues/single-mentions.ts';
import type { IssueTerms } from './issue-terms.ts';
import { SAME_AS_ALL, sameAs, type TermReader, textAs, valueAs } from './packed-bytes.ts';

/** No text is there; it begins at no such position. */
const NOWHERE = 0;
/** The entry of a change is a number, which is kept as one. */
const DIGITS = -1;
/** Bits of a byte that count; above them the number goes on. */
const LOW_BITS = 127;
/** Bytes of a number that begins with 0. */
const DOUBLE = 9;
/** Below the number of any text. */
const NO_AUTHOR = -1 - textAs.term;

/**
 * Reads the changes of one packed issue after the other. The changes of an issue are walked once: the totals and the
 * position of each remaining part are stored until the next issue is walked.
 */
export class PackedChanges {
  readonly #reader: TermReader;
  /** By the name of a field whether a number is its own; the numbers that were met. */
  readonly #numbersByField = new Map<string, boolean[]>();
  #bytes: Buffer | null = null;
  #created: Instant = 0;
  #count = 0;
  /** The number of changes in the totals. */
  #added = 0;
  /** The first numbers of changes, and the positions after them. */
  readonly #headers: number[] = [];
  readonly #places: number[] = [];
  /** Numbers of the fields; -1 of one that has only a name, which is among `#names`. */
  readonly #fields: number[] = [];
  readonly #names: string[] = [];
  /** The positions of the entries, and their numbers where they have some. */
  readonly #entries: number[] = [];
  readonly #digits: number[] = [];
  readonly #items: number[] = [];
  readonly #instants: number[] = [];
  readonly #authors: number[] = [];
  /** Numbers of authors; negative for other texts, `NO_AUTHOR` for none, or the author of the change before. */
  readonly #authorNumbers: number[] = [];
  /** The positions of the values, and their first numbers. */
  readonly #values: number[] = [];
  readonly #from: number[] = [];
  readonly #to: number[] = [];

  constructor(reader: TermReader) {
    this.#reader = reader;
  }

  all(bytes: Buffer, start: number, created: Instant): readonly Change[] {
    this.#walk(bytes, start, created);
    return Array.from({ length: this.#count }, (_, i) => this.#changeAt(i));
  }

  of(field: string, bytes: Buffer, start: number, created: Instant): readonly Change[] {
    this.#walk(bytes, start, created);
    const numbers = this.#numbersOf(field);
    const changes: Change[] = [];
    for (let i = 0; i < this.#count; i += 1) {
      const number = this.#fields[i] ?? -1;
      const isOf =
        number < 0 ? this.#names[i] === field : (numbers[number] ?? this.#isOf(numbers, number, field));
      if (isOf) changes.push(this.#changeAt(i));
    }
    return changes;
  }

  /** The changes with a field, a value or an author that is not seen yet. */
  news(seen: SeenTerms, bytes: Buffer, start: number, created: Instant): readonly Change[] {
    this.#walk(bytes, start, created);
    const { changedFields } = this.#reader.terms;
    const changes: Change[] = [];
    for (let i = 0; i < this.#count; i += 1) {
      const number = this.#fields[i] ?? -1;
      let isNews = isNew(seen.changedFields, number);
      const author = this.#authorNumbers[i] ?? NO_AUTHOR;
      if (author !== NO_AUTHOR && isNew(seen.authors, author)) isNews = true;
      const values = number < 0 ? null : seen.valuesOf(number, changedFields.at);
      if (values !== null && isNewValue(values, this.#from[i] ?? 0)) isNews = true;
      if (values !== null && isNewValue(values, this.#to[i] ?? 0)) isNews = true;
      if (isNews) changes.push(this.#changeAt(i));
    }
    return changes;
  }

  #walk(bytes: Buffer, start: number, created: Instant): void {
    const reader = this.#reader;
    // Others have read in other issues meanwhile.
    reader.open(bytes, start);
    if (this.#bytes === bytes) return;
    this.#bytes = null;
    const count = reader.count();
    // Most of what is read of a million issues is passed over here, so it is done without a call for each number.
    let at = reader.at;
    const [headers, fields, places, froms, tos] = [
      this.#headers,
      this.#fields,
      this.#places,
      this.#from,
      this.#to,
    ];
    const [authors, values] = [this.#authorNumbers, this.#values];
    for (let i = 0; i < count; i += 1) {
      let byte = bytes[at++] ?? 0;
      let header = byte & LOW_BITS;
      for (let shift = 7; byte > LOW_BITS; shift += 7) {
        byte = bytes[at++] ?? 0;
        header |= (byte & LOW_BITS) << shift;
      }
      headers[i] = header;
      fields[i] = (header >>> 4) - 1;
      if (header < SAME_AS_ALL) {
        reader.goTo(at);
        this.#names[i] = reader.ownText();
        at = reader.at;
      }
      places[i] = at;
      if ((header & sameAs.entry) === 0) {
        if (bytes[at] === textAs.digits) {
          at += 1;
          if (bytes[at] === 0) at += DOUBLE;
          else while ((bytes[at++] ?? 0) > LOW_BITS);
        } else {
          reader.goTo(at);
          reader.skipText();
          at = reader.at;
        }
      }
      if ((header & sameAs.item) === 0) {
        if (bytes[at] === 0) at += DOUBLE;
        else while ((bytes[at++] ?? 0) > LOW_BITS);
      }
      if ((header & sameAs.at) === 0) {
        if (bytes[at] === 0) at += DOUBLE;
        else while ((bytes[at++] ?? 0) > LOW_BITS);
      }
      let as = 0;
      if ((header & sameAs.by) === 0) {
        byte = bytes[at++] ?? 0;
        as = byte & LOW_BITS;
        for (let shift = 7; byte > LOW_BITS; shift += 7) {
          byte = bytes[at++] ?? 0;
          as |= (byte & LOW_BITS) << shift;
        }
        if (as > 0 && as <= textAs.term) {
          reader.goTo(at);
          reader.skipTextFrom(as - 1);
          at = reader.at;
        }
      }
      authors[i] = as === 0 ? NO_AUTHOR : as - 1 - textAs.term;
      values[i] = at;
      byte = bytes[at++] ?? 0;
      as = byte & LOW_BITS;
      for (let shift = 7; byte > LOW_BITS; shift += 7) {
        byte = bytes[at++] ?? 0;
        as |= (byte & LOW_BITS) << shift;
      }
      froms[i] = as;
      if (as === valueAs.itself) {
        reader.goTo(at);
        reader.skipNames();
        at = reader.at;
      }
      byte = bytes[at++] ?? 0;
      as = byte & LOW_BITS;
      for (let shift = 7; byte > LOW_BITS; shift += 7) {
        byte = bytes[at++] ?? 0;
        as |= (byte & LOW_BITS) << shift;
      }
      tos[i] = as;
      if (as === valueAs.itself) {
        reader.goTo(at);
        reader.skipNames();
        at = reader.at;
      }
    }
    this.#count = count;
    this.#added = 0;
    this.#created = created;
    this.#bytes = bytes;
  }

  /** Adds up what changes say by how they differ from the one before, as far as the change `last`. */
  #addUp(last: number): void {
    const reader = this.#reader;
    let before = this.#added - 1;
    let at = before < 0 ? this.#created : (this.#instants[before] ?? 0);
    let digits = before < 0 ? 0 : (this.#digits[before] ?? 0);
    let item = before < 0 ? -1 : (this.#items[before] ?? 0);
    let entry = before < 0 ? NOWHERE : (this.#entries[before] ?? NOWHERE);
    let author = before < 0 ? NOWHERE : (this.#authors[before] ?? NOWHERE);
    for (; before < last; before += 1) {
      const i = before + 1;
      const header = this.#headers[i] ?? 0;
      const isSameEntry = (header & sameAs.entry) !== 0;
      reader.goTo(this.#places[i] ?? 0);
      if (!isSameEntry) {
        entry = reader.at;
        const as = reader.count();
        if (as === textAs.digits) {
          entry = DIGITS;
          digits += reader.number();
        } else reader.skipTextFrom(as);
      }
      if ((header & sameAs.item) === 0) item = reader.number();
      else item = isSameEntry ? item + 1 : 0;
      if ((header & sameAs.at) === 0) at = reader.near(at);
      if ((header & sameAs.by) === 0) author = reader.at;
      this.#entries[i] = entry;
      this.#digits[i] = digits;
      this.#items[i] = item;
      this.#instants[i] = at;
      this.#authors[i] = author;
    }
    this.#added = Math.max(this.#added, last + 1);
  }

  #changeAt(i: number): Change {
    const reader = this.#reader;
    const { terms } = reader;
    if (i >= this.#added) this.#addUp(i);
    const number = this.#fields[i] ?? 0;
    const entry = this.#entries[i] ?? NOWHERE;
    const author = this.#authors[i] ?? NOWHERE;
    const [from = valueAs.none, to = valueAs.none] = [this.#from[i], this.#to[i]];
    const isByNumber = from !== valueAs.itself && to !== valueAs.itself;
    if (!isByNumber) reader.goTo(this.#values[i] ?? 0);
    const [before, after] = isByNumber
      ? [termOf(from, terms), termOf(to, terms)]
      : [reader.value(), reader.value()];
    return {
      entry: entry === DIGITS ? String(this.#digits[i]) : entry === NOWHERE ? '' : this.#textAt(entry),
      item: this.#items[i] ?? 0,
      at: this.#instants[i] ?? 0,
      field: number < 0 ? (this.#names[i] ?? '') : terms.changedFields.at(number),
      from: before,
      to: after,
      by: author === NOWHERE ? null : this.#textOrNullAt(author),
    };
  }

  #textAt(start: number): string {
    this.#reader.goTo(start);
    return this.#reader.ownText();
  }

  #textOrNullAt(start: number): string | null {
    this.#reader.goTo(start);
    const as = this.#reader.count();
    return as === 0 ? null : this.#reader.textFrom(as - 1);
  }

  #numbersOf(field: string): boolean[] {
    const known = this.#numbersByField.get(field);
    if (known !== undefined) return known;
    const numbers: boolean[] = [];
    this.#numbersByField.set(field, numbers);
    return numbers;
  }

  #isOf(numbers: boolean[], number: number, field: string): boolean {
    const isOf = this.#reader.terms.changedFields.at(number) === field;
    numbers[number] = isOf;
    return isOf;
  }
}

function termOf(as: number, terms: IssueTerms): FieldValue | null {
  return as >= valueAs.term ? terms.values.at(as - valueAs.term) : null;
}

/** Returns true for the first occurrence of a term, and for every term without a number. */
export function isNew(seen: Set<number>, number: number): boolean {
  if (number < 0) return true;
  if (seen.has(number)) return false;
  seen.add(number);
  return true;
}

/** The same of a value that begins with `as`. */
export function isNewValue(seen: Set<number>, as: number): boolean {
  return as !== valueAs.none && isNew(seen, as - valueAs.term);
}
