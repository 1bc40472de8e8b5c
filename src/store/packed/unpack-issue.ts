import type { Change, FieldContent, History, Instant, Issue } from '../../model/issue.ts';
import type { MentionedNews, SeenTerms } from '../../model/issues/single-mentions.ts';
import type { IssueTerms } from './issue-terms.ts';
import { contentAs, has } from './pack-issue.ts';
import { PackedChanges } from './packed-changes.ts';
import { PackedContents } from './packed-contents.ts';
import { TermReader } from './term-reader.ts';

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
    reader.openAt(bytes, next);
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
