import type { FieldValue } from '../../model/issue.ts';
import type { IssueTerms } from './issue-terms.ts';
import { textAs, valueAs } from './pack-issue.ts';
import { ByteReader } from './packed-bytes.ts';

/** Reads and passes over texts and values, many of which stand there by the numbers of their terms. */
export class TermReader extends ByteReader {
  readonly terms: IssueTerms;

  constructor(terms: IssueTerms) {
    super();
    this.terms = terms;
  }

  /** Goes on reading at a place in these bytes. */
  openAt(bytes: Buffer, place: number): void {
    this.open(bytes);
    this.goTo(place);
  }

  ownText(): string {
    return this.textFrom(this.count());
  }

  /** A text whose first count was read. */
  textFrom(as: number): string {
    if (as >= textAs.term) return this.terms.texts.at(as - textAs.term);
    return as === textAs.digits ? String(this.count()) : this.text(as === textAs.wide);
  }

  skipText(): void {
    this.skipTextFrom(this.count());
  }

  skipTextFrom(as: number): void {
    if (as >= textAs.term) return;
    if (as === textAs.digits) this.skipCount();
    else this.skip(this.count());
  }

  /** The id and the name of a value. */
  names(): FieldValue {
    const id = this.ownText();
    return { id, name: this.ownText() };
  }

  value(): FieldValue | null {
    const as = this.count();
    if (as >= valueAs.term) return this.terms.values.at(as - valueAs.term);
    return as === valueAs.none ? null : this.names();
  }

  /** Passes over a value; `as` is what it begins with, which says which one it is if that is `valueAs.term` or more. */
  skipValue(): number {
    const as = this.count();
    if (as === valueAs.itself) {
      this.skipText();
      this.skipText();
    }
    return as;
  }

  neededValue(): FieldValue {
    const value = this.value();
    if (value === null) throw new Error('A packed issue lacks a value that every issue has.');
    return value;
  }
}
