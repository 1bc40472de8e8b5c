import type { Change, FieldContent, FieldValue, History, Instant, Issue } from '../../model/issue.ts';
import type { IssueTerms } from './issue-terms.ts';
import { contentAs, has, SAME_AS_ALL, sameAs, textAs, valueAs } from './pack-issue.ts';
import { ByteReader } from './packed-bytes.ts';

/** Tells parts of the issue that was packed into these bytes. */
export interface IssueUnpacker {
  /** All but the fields and the changes; what is absent is undefined. */
  headOf(bytes: Buffer): PackedHead;
  /** What single fields are read by: for who reads several of an issue. */
  placesOf(bytes: Buffer): PackedPlaces;
  fieldsOf(bytes: Buffer): Issue['fields'];
  /** Undefined where there is no such field. */
  contentOf(bytes: Buffer, field: string, places?: PackedPlaces): FieldContent | undefined;
  /** All changes, or those of one field. */
  changesOf(bytes: Buffer, field: string | null, places?: PackedPlaces): readonly Change[];
}

interface PackedHead extends Omit<Issue, 'id' | 'link' | 'fields' | 'changes'> {
  readonly id: string | undefined;
  readonly link: string | undefined;
}

/** What the first bytes of an issue say: instants, whether its history is complete, and where its three parts begin. */
export interface PackedPlaces extends Pick<Issue, 'created' | 'updated'> {
  readonly isComplete: boolean;
  readonly head: number;
  readonly fields: number;
  readonly changes: number;
}

/** What fields often repeat. */
interface Repeated extends Pick<Issue, 'created' | 'updated' | 'resolved' | 'summary'> {}

const whole: History = { complete: true };

export function createIssueUnpacker(terms: IssueTerms): IssueUnpacker {
  const reader = new ByteReader();
  const passed = new PassedPlaces();
  const numbersByField = new Map<string, boolean[]>();
  let updated = 0;
  let parts = 0;

  function open(bytes: Buffer): PackedPlaces {
    reader.open(bytes);
    const created = reader.double();
    updated = reader.near(created);
    parts = reader.count();
    const sizeOfHead = reader.count();
    const sizeOfFields = reader.count();
    const head = reader.at;
    const isComplete = (parts & has.wholeHistory) !== 0;
    const fields = head + sizeOfHead;
    return { created, updated, isComplete, head, fields, changes: fields + sizeOfFields };
  }

  /** Leads to the beginning of a part. */
  function reopen(bytes: Buffer, place: number): void {
    reader.open(bytes);
    reader.goTo(place);
  }

  function readText(): string {
    return textFrom(reader.count());
  }

  function textFrom(as: number): string {
    if (as >= textAs.term) return terms.texts.at(as - textAs.term);
    return as === textAs.digits ? String(reader.count()) : reader.text(as === textAs.wide);
  }

  function skipText(): void {
    skipTextFrom(reader.count());
  }

  function skipTextFrom(as: number): void {
    if (as >= textAs.term) return;
    if (as === textAs.digits) reader.skipCount();
    else reader.skip(reader.count());
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

  /**
   * Reads the changes of one field, or all. What changes add up along the way (entries, instants) is passed over and added
   * up where a change is wanted: most issues have a dozen others between two of a field.
   */
  function readChanges(created: Instant, wanted: string | null): readonly Change[] {
    const changes: Change[] = [];
    const isWanted = wanted === null ? null : wantedNumbers(wanted);
    const count = reader.count();
    passed.clear();
    let at = created;
    let digits = 0;
    let item = -1;
    let entryAt = 0;
    let isDigits = false;
    let byAt = 0;
    for (let i = 0; i < count; i += 1) {
      const header = reader.count();
      const number = Math.floor(header / SAME_AS_ALL);
      const field = number === 0 ? readText() : null;
      const isSameEntry = (header & sameAs.entry) !== 0;
      if (!isSameEntry) {
        entryAt = reader.at;
        const as = reader.count();
        isDigits = as === textAs.digits;
        if (isDigits) passed.digits.push(reader.at);
        if (isDigits) reader.skipNumber();
        else skipTextFrom(as);
      }
      if ((header & sameAs.item) === 0) item = reader.number();
      else item = isSameEntry ? item + 1 : 0;
      if ((header & sameAs.at) === 0) {
        passed.instants.push(reader.at);
        reader.skipNumber();
      }
      if ((header & sameAs.by) === 0) {
        byAt = reader.at;
        const as = reader.count();
        if (as > 0) skipTextFrom(as - 1);
      }
      if (isWanted !== null && !(field === null ? isWanted(number - 1) : field === wanted)) {
        skipValue();
        skipValue();
        continue;
      }
      const next = reader.at;
      for (const place of passed.instants) {
        reader.goTo(place);
        at = reader.near(at);
      }
      for (const place of passed.digits) {
        reader.goTo(place);
        digits += reader.number();
      }
      passed.clear();
      const entry = isDigits ? String(digits) : entryAt === 0 ? '' : textAt(entryAt);
      const by = byAt === 0 ? null : textOrNullAt(byAt);
      reader.goTo(next);
      const from = readValue();
      const to = readValue();
      changes.push({ entry, item, at, field: field ?? terms.changedFields.at(number - 1), from, to, by });
    }
    return changes;
  }

  function textAt(place: number): string {
    reader.goTo(place);
    return readText();
  }

  function textOrNullAt(place: number): string | null {
    reader.goTo(place);
    const as = reader.count();
    return as === 0 ? null : textFrom(as - 1);
  }

  /** Whether a field's number is that of a field; the numbers that were met are remembered. */
  function wantedNumbers(wanted: string): (number: number) => boolean {
    let known = numbersByField.get(wanted);
    if (known === undefined) {
      known = [];
      numbersByField.set(wanted, known);
    }
    const numbers = known;
    return (number) => {
      const is = numbers[number];
      if (is !== undefined) return is;
      const found = terms.changedFields.at(number) === wanted;
      numbers[number] = found;
      return found;
    };
  }

  function readHeadOf(bytes: Buffer): PackedHead {
    return readHead(open(bytes).created);
  }

  return {
    headOf: readHeadOf,
    placesOf: open,
    fieldsOf(bytes) {
      const places = open(bytes);
      reader.goTo(places.fields);
      let repeated: Repeated | null = null;
      const repeatedOf = () => {
        repeated ??= readRepeated(places.head, places.created);
        return repeated;
      };
      const { ids, fields } = readFieldList();
      for (const id of ids) fields[id] = readContent(repeatedOf);
      return fields;
    },
    contentOf(bytes, field, places) {
      const { head, fields, created } = places ?? open(bytes);
      reopen(bytes, fields);
      const number = reader.count();
      const index =
        number > 0
          ? (terms.fields.at(number - 1).places.get(field) ?? -1)
          : Array.from({ length: reader.count() }, readText).indexOf(field);
      if (index < 0) return undefined;
      for (let rest = index; rest > 0; rest -= 1) skipContent();
      return readContent(() => {
        // Optional parts of the head are those of the issue that was opened last.
        if (places !== undefined) open(bytes);
        return readRepeated(head, created);
      });
    },
    changesOf(bytes, field, places) {
      const { changes, created } = places ?? open(bytes);
      reopen(bytes, changes);
      return readChanges(created, field);
    },
  };
}

/** Where numbers are that were passed over, and are added up once a change behind them is wanted. */
class PassedPlaces {
  readonly digits: number[] = [];
  readonly instants: number[] = [];

  clear(): void {
    this.digits.length = 0;
    this.instants.length = 0;
  }
}
