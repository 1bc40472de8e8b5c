import type { Change, FieldContent, FieldValue, History, Instant, Issue } from '../../model/issue.ts';
import type { MentionedNews, SeenTerms } from '../../model/issues/single-mentions.ts';
import { type FieldList, fieldListOf, type IssueTerms } from './issue-terms.ts';
import { contentAs, has, TermReader } from './packed-bytes.ts';
import { isNew, isNewValue, PackedChanges } from './packed-changes.ts';

const NO_FIELDS = fieldListOf([]);

/**
 * Finds the contents of one packed issue after the other. Those of an issue are walked past once, as far as they are looked
 * for: where they begin is kept until the next issue is opened.
 */
class PackedContents {
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

  /** The fields of an issue, whose contents are found from now on; `start` is where its fields begin. */
  open(bytes: Buffer, start: number): FieldList {
    if (this.#bytes === bytes) return this.#list;
    const reader = this.#reader;
    reader.open(bytes, start);
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
    this.#reader.open(bytes, this.#places[Math.min(index, this.#walked)] ?? 0);
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
    for (let left = reader.count(); left > 0; left -= 1) {
      const before = reader.at;
      if (!isNewValue(seen, reader.skipValue())) continue;
      reader.goTo(before);
      listed.push(reader.neededValue());
    }
  }

  /** Passes over a content; the answer is what it begins with. */
  #skip(): number {
    const reader = this.#reader;
    const as = reader.count();
    if (as === contentAs.text) reader.skipText();
    else if (as === contentAs.number) reader.skipNumber();
    else if (as === contentAs.value) reader.skipNames();
    else if (as === contentAs.list) {
      for (let left = reader.count(); left > 0; left -= 1) reader.skipValue();
    }
    return as;
  }
}

/** Unpacks parts of the issue that was packed into these bytes. */
export interface IssueUnpacker {
  /** All but the fields and the changes; what is absent is undefined. */
  headOf(bytes: Buffer): PackedHead;
  /** The positions by which single fields are read, for callers that read several of one issue. */
  placesOf(bytes: Buffer): PackedPlaces;
  fieldsOf(bytes: Buffer): Issue['fields'];
  /** Undefined where there is no such field. */
  contentOf(bytes: Buffer, field: string, places?: PackedPlaces): FieldContent | undefined;
  /** All changes, or those of one field. */
  changesOf(bytes: Buffer, field: string | null, places?: PackedPlaces): readonly Change[];
  /** See `newsOf`. */
  newsOf(bytes: Buffer, seen: SeenTerms, places: PackedPlaces): MentionedNews;
}

interface PackedHead extends Omit<Issue, 'id' | 'link' | 'fields' | 'changes'> {
  readonly id: string | undefined;
  readonly link: string | undefined;
}

/** The head of a packed issue: instants, the completeness of its history, and the positions of its last two parts. */
export interface PackedPlaces extends Pick<Issue, 'created' | 'updated'> {
  readonly isComplete: boolean;
  readonly fields: number;
  readonly changes: number;
}

/** The parts of an issue's head that fields repeat. */
interface Repeated extends Pick<Issue, 'resolved' | 'summary'> {
  readonly bytes: Buffer;
}

const whole: History = { complete: true };

export function createIssueUnpacker(terms: IssueTerms): IssueUnpacker {
  const reader = new TermReader(terms);
  const contentsIn = new PackedContents(reader);
  const changesIn = new PackedChanges(reader);
  let repeated: Repeated | null = null;
  let updated = 0;
  let parts = 0;

  function open(bytes: Buffer): PackedPlaces {
    reader.open(bytes);
    const created = reader.double();
    updated = reader.near(created);
    parts = reader.count();
    const sizeOfHead = reader.count();
    const sizeOfFields = reader.count();
    const isComplete = (parts & has.wholeHistory) !== 0;
    const fields = reader.at + sizeOfHead;
    return { created, updated, isComplete, fields, changes: fields + sizeOfFields };
  }

  function readKey(): string {
    const number = reader.count();
    const text = reader.ownText();
    return number === 0 ? text : `${text}-${number - 1}`;
  }

  function readInstant(created: Instant): Instant | null {
    return reader.count() === 0 ? null : reader.near(created);
  }

  function readHistory(created: Instant): History {
    const unknownFrom = readInstant(created);
    const unknownUntil = readInstant(created);
    return { complete: false, unknownFrom, unknownUntil, reason: reader.ownText() };
  }

  /** To be called where the first part begins. */
  function readHead(created: Instant): PackedHead {
    const key = readKey();
    const project = reader.neededValue();
    const status = reader.neededValue();
    const assignee = (parts & has.assignee) === 0 ? null : reader.neededValue();
    const resolved = (parts & has.resolved) === 0 ? null : reader.near(created);
    const history = (parts & has.wholeHistory) === 0 ? readHistory(created) : whole;
    const id = (parts & has.id) === 0 ? undefined : reader.ownText();
    const summary = reader.ownText();
    const link = (parts & has.link) === 0 ? undefined : readLink(key);
    return { id, key, project, summary, created, updated, resolved, status, assignee, history, link };
  }

  function readLink(key: string): string {
    const isUsual = reader.count() === 1;
    const text = reader.ownText();
    return isUsual ? text + key : text;
  }

  /** `bytes`: those that are read; fields often repeat what the issue says beside them. */
  function readContent(bytes: Buffer, { created, updated }: PackedPlaces): FieldContent {
    const as = reader.count();
    if (as >= contentAs.term) return terms.values.at(as - contentAs.term);
    switch (as) {
      case contentAs.none:
        return null;
      case contentAs.number:
        return reader.number();
      case contentAs.text:
        return reader.ownText();
      case contentAs.list:
        return Array.from({ length: reader.count() }, () => reader.neededValue());
      case contentAs.value:
        return reader.names();
      case contentAs.summary:
        return repeatedIn(bytes).summary;
      case contentAs.created:
        return created;
      case contentAs.updated:
        return updated;
      default:
        return repeatedIn(bytes).resolved;
    }
  }

  /** Reads the parts of the head that fields repeat; the position of the reader stays. */
  function repeatedIn(bytes: Buffer): Repeated {
    if (repeated?.bytes === bytes) return repeated;
    const next = reader.at;
    const { summary, resolved } = readHeadOf(bytes);
    repeated = { bytes, summary, resolved };
    reader.open(bytes, next);
    return repeated;
  }

  function readHeadOf(bytes: Buffer): PackedHead {
    return readHead(open(bytes).created);
  }

  return {
    headOf: readHeadOf,
    placesOf: open,
    fieldsOf(bytes) {
      const places = open(bytes);
      const { ids, blank } = contentsIn.open(bytes, places.fields);
      contentsIn.goTo(bytes, 0);
      const fields: Record<string, FieldContent> = { ...blank };
      for (const id of ids) fields[id] = readContent(bytes, places);
      return fields;
    },
    contentOf(bytes, field, places = open(bytes)) {
      const index = contentsIn.open(bytes, places.fields).places.get(field);
      if (index === undefined) return undefined;
      contentsIn.goTo(bytes, index);
      return readContent(bytes, places);
    },
    changesOf(bytes, field, { changes, created } = open(bytes)) {
      return field === null
        ? changesIn.all(bytes, changes, created)
        : changesIn.of(field, bytes, changes, created);
    },
    newsOf(bytes, seen, places) {
      contentsIn.open(bytes, places.fields);
      const { fields, listed } = contentsIn.news(bytes, seen);
      return { fields, listed, changes: changesIn.news(seen, bytes, places.changes, places.created) };
    },
  };
}
