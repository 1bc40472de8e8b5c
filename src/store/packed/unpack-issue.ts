import type { Change, FieldContent, FieldValue, History, Instant, Issue } from '../../model/issue.ts';
import type { IssueTerms } from './issue-terms.ts';
import { contentAs, has, SAME_AS_ALL, sameAs, textAs, valueAs } from './pack-issue.ts';
import { ByteReader } from './packed-bytes.ts';

/** Tells parts of the issue that was packed into these bytes. */
export interface IssueUnpacker {
  /** All but the fields and the changes; what is absent is undefined. */
  headOf(bytes: Buffer): PackedHead;
  /** When the issue was created and last updated, and whether its history is complete. */
  lifeOf(bytes: Buffer): PackedLife;
  fieldsOf(bytes: Buffer): Issue['fields'];
  /** Undefined where there is no such field. */
  contentOf(bytes: Buffer, field: string): FieldContent | undefined;
  /** All changes, or those of one field. */
  changesOf(bytes: Buffer, field: string | null): readonly Change[];
}

interface PackedHead extends Omit<Issue, 'id' | 'link' | 'fields' | 'changes'> {
  readonly id: string | undefined;
  readonly link: string | undefined;
}

interface PackedLife extends Pick<Issue, 'created' | 'updated'> {
  readonly isComplete: boolean;
}

/** What fields often repeat. */
interface Repeated extends Pick<Issue, 'created' | 'updated' | 'resolved' | 'summary'> {}

const whole: History = { complete: true };

export function createIssueUnpacker(terms: IssueTerms): IssueUnpacker {
  const reader = new ByteReader();
  let updated = 0;
  let parts = 0;
  let sizeOfHead = 0;
  let sizeOfFields = 0;

  /** Leads to the first of the three parts. */
  function open(bytes: Buffer): Instant {
    reader.open(bytes);
    const created = reader.double();
    updated = reader.near(created);
    parts = reader.count();
    sizeOfHead = reader.count();
    sizeOfFields = reader.count();
    return created;
  }

  function readText(): string {
    return textFrom(reader.count());
  }

  function textFrom(as: number): string {
    if (as >= textAs.term) return terms.texts.at(as - textAs.term);
    return as === textAs.digits ? String(reader.count()) : reader.text(as === textAs.wide);
  }

  function skipText(): void {
    const as = reader.count();
    if (as >= textAs.term) return;
    const size = reader.count();
    if (as !== textAs.digits) reader.skip(size);
  }

  function readNames(): FieldValue {
    const id = readText();
    return { id, name: readText() };
  }

  function readValue(): FieldValue | null {
    const as = reader.count();
    if (as >= valueAs.term) return terms.values.at(as - valueAs.term);
    return as === valueAs.none ? null : readNames();
  }

  function skipValue(): void {
    if (reader.count() !== valueAs.itself) return;
    skipText();
    skipText();
  }

  function needValue(): FieldValue {
    const value = readValue();
    if (value === null) throw new Error('A packed issue lacks a value that every issue has.');
    return value;
  }

  function readKey(): string {
    const number = reader.count();
    const text = readText();
    return number === 0 ? text : `${text}-${number - 1}`;
  }

  function readInstant(created: Instant): Instant | null {
    return reader.count() === 0 ? null : reader.near(created);
  }

  function readHistory(created: Instant): History {
    const unknownFrom = readInstant(created);
    const unknownUntil = readInstant(created);
    return { complete: false, unknownFrom, unknownUntil, reason: readText() };
  }

  /** To be called where the first part begins. */
  function readHead(created: Instant): PackedHead {
    const key = readKey();
    const project = needValue();
    const status = needValue();
    const assignee = (parts & has.assignee) === 0 ? null : needValue();
    const resolved = (parts & has.resolved) === 0 ? null : reader.near(created);
    const history = (parts & has.wholeHistory) === 0 ? readHistory(created) : whole;
    const id = (parts & has.id) === 0 ? undefined : readText();
    const summary = readText();
    const link = (parts & has.link) === 0 ? undefined : readLink(key);
    return { id, key, project, summary, created, updated, resolved, status, assignee, history, link };
  }

  function readLink(key: string): string {
    const isUsual = reader.count() === 1;
    const text = readText();
    return isUsual ? text + key : text;
  }

  function readContent(of: () => Repeated): FieldContent {
    const as = reader.count();
    if (as >= contentAs.term) return terms.values.at(as - contentAs.term);
    switch (as) {
      case contentAs.none:
        return null;
      case contentAs.number:
        return reader.number();
      case contentAs.text:
        return readText();
      case contentAs.list:
        return Array.from({ length: reader.count() }, needValue);
      case contentAs.value:
        return readNames();
      case contentAs.summary:
        return of().summary;
      case contentAs.created:
        return of().created;
      case contentAs.updated:
        return of().updated;
      default:
        return of().resolved;
    }
  }

  function skipContent(): void {
    const as = reader.count();
    if (as === contentAs.text) skipText();
    else if (as === contentAs.number) reader.number();
    else if (as === contentAs.value) {
      skipText();
      skipText();
    } else if (as === contentAs.list) {
      for (let rest = reader.count(); rest > 0; rest -= 1) skipValue();
    }
  }

  /** What fields repeat of the head that begins at `start`; reading goes on where it was. */
  function readRepeated(start: number, created: Instant): Repeated {
    const next = reader.at;
    reader.goTo(start);
    const head = readHead(created);
    reader.goTo(next);
    return head;
  }

  function readFieldList(): {
    readonly ids: readonly string[];
    readonly fields: Record<string, FieldContent>;
  } {
    const number = reader.count();
    if (number > 0) {
      const { ids, blank } = terms.fields.at(number - 1);
      return { ids, fields: { ...blank } };
    }
    const ids = Array.from({ length: reader.count() }, readText);
    return { ids, fields: Object.fromEntries(ids.map((id) => [id, null])) };
  }

  function readChanges(created: Instant, wanted: string | null): readonly Change[] {
    const changes: Change[] = [];
    const count = reader.count();
    // Texts are made up for those changes only that are told: that takes longer than all the rest.
    let entry: string | null = '';
    let entryDigits = 0;
    let item = -1;
    let at = created;
    let by: string | null | undefined = null;
    let byTerm = 0;
    for (let i = 0; i < count; i += 1) {
      const told = reader.count();
      const number = Math.floor(told / SAME_AS_ALL);
      const field = number === 0 ? readText() : terms.changedFields.at(number - 1);
      const isSameEntry = (told & sameAs.entry) !== 0;
      if (!isSameEntry) {
        const as = reader.count();
        if (as === textAs.digits) {
          entry = null;
          entryDigits += reader.number();
        } else entry = textFrom(as);
      }
      if ((told & sameAs.item) === 0) item = reader.number();
      else item = isSameEntry ? item + 1 : 0;
      if ((told & sameAs.at) === 0) at = reader.near(at);
      if ((told & sameAs.by) === 0) {
        byTerm = reader.count() - 1;
        by = byTerm < 0 ? null : byTerm < textAs.term ? textFrom(byTerm) : undefined;
      }
      if (wanted !== null && field !== wanted) {
        skipValue();
        skipValue();
        continue;
      }
      entry ??= String(entryDigits);
      if (by === undefined) by = textFrom(byTerm);
      const from = readValue();
      const to = readValue();
      changes.push({ entry, item, at, field, from, to, by });
    }
    return changes;
  }

  return {
    headOf: (bytes) => readHead(open(bytes)),
    lifeOf(bytes) {
      const created = open(bytes);
      return { created, updated, isComplete: (parts & has.wholeHistory) !== 0 };
    },
    fieldsOf(bytes) {
      const created = open(bytes);
      const start = reader.at;
      reader.skip(sizeOfHead);
      let repeated: Repeated | null = null;
      const repeatedOf = () => {
        repeated ??= readRepeated(start, created);
        return repeated;
      };
      const { ids, fields } = readFieldList();
      for (const id of ids) fields[id] = readContent(repeatedOf);
      return fields;
    },
    contentOf(bytes, field) {
      const created = open(bytes);
      const start = reader.at;
      reader.skip(sizeOfHead);
      const number = reader.count();
      const index =
        number > 0
          ? (terms.fields.at(number - 1).places.get(field) ?? -1)
          : Array.from({ length: reader.count() }, readText).indexOf(field);
      if (index < 0) return undefined;
      for (let rest = index; rest > 0; rest -= 1) skipContent();
      return readContent(() => readRepeated(start, created));
    },
    changesOf(bytes, field) {
      const created = open(bytes);
      reader.skip(sizeOfHead + sizeOfFields);
      return readChanges(created, field);
    },
  };
}
