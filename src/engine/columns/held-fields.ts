import type { Change, FieldContent, Issue } from '../../model/issue.ts';
import { changesOf, contentOf, type FieldwiseIssue } from '../../model/issues/issue-fields.ts';
import { Mentions, type SomeMentions } from './access-classes.ts';
import type { TextArrays } from './column-arrays.ts';
import {
  asBytes,
  bitsOf,
  type CodeBits,
  type Codes,
  type ColumnArrays,
  copied,
  FIRST_ROWS,
  newCodes,
  pickRows,
  putCode,
  roomBeside,
} from './column-arrays.ts';
import type { CodesPart, WantedField } from './field-part.ts';
import type { Pause } from './sort-rows.ts';
import { TextColumn, textContent } from './text-column.ts';
import { ABSENT, codesIn, ValueCodes } from './value-codes.ts';

/** Fields whose contents are held for every issue from the beginning; others are when they are asked for. */
const heldFields = [
  'project',
  'status',
  'assignee',
  'reporter',
  'creator',
  'issuetype',
  'priority',
  'resolution',
] as const;

/** Stands for the tracker's id of an issue, which is no field of it. */
export const ISSUE_ID = 'issue id';

/** A field that was asked for and has more values than this is read from the issues again after the next start. */
export const MAX_KEPT_VALUES = 50_000;

/** Texts copied between two looks at the time slice. */
const TEXTS_AT_ONCE = 2_048;

/** The values that a field once held according to its changes, by access class: codes of the field's values. */
type FormerCodes = readonly (Mentions<number> | undefined)[];

/** One field's column. */
export interface FieldColumn {
  readonly field: string;
  readonly codes: Codes;
  readonly values: ValueCodes;
  readonly former: FormerCodes;
}

/** The members of a field's column that are no arrays, as JSON. */
export interface FieldFacts {
  readonly field: string;
  readonly bits: CodeBits;
  readonly values: readonly FieldContent[];
  /** By access class; null where no change of the field is known. */
  readonly former: readonly (ReturnType<Mentions<number>['entries']> | null)[];
}

interface OwnFieldColumn {
  codes: Codes;
  readonly values: ValueCodes;
  readonly former: (Mentions<number> | undefined)[];
}

/** The issue of a row, and under what it is there. */
interface RowIssue<Of = Issue> {
  readonly row: number;
  readonly accessClass: number;
  readonly storeId: number;
  readonly issue: Of;
}

/** The class and the number of an issue, under which its former contents are noted. */
export type FormerAt = Pick<RowIssue, 'accessClass' | 'storeId'>;

/** Thrown where no column holds some fields yet: the caller has them read, and tries again. */
export class MissingColumn extends Error {
  readonly wanted: readonly WantedField[];
  constructor(...wanted: readonly WantedField[]) {
    super(
      `No column holds ${wanted.map(({ field, as }) => `the ${as} of the field '${field}'`).join(', ')} yet.`,
    );
    this.wanted = wanted;
  }
}

/** The columns of fields: of some always, of others once they were asked for. */
export class FieldColumns {
  readonly #fields: Map<string, OwnFieldColumn>;
  /** Fields whose columns do not have every row yet. */
  readonly #unfilled = new Set<string>();
  /** Fields whose plain texts are too long to be held as contents. */
  readonly #tooLong = new Set<string>();
  readonly #texts = new Map<string, TextColumn>();
  /** Fields not all of whose texts were read yet. */
  readonly #unread = new Set<string>();

  constructor(
    fields: Iterable<readonly [string, OwnFieldColumn]> = heldFields.map((field) => [
      field,
      begun(FIRST_ROWS),
    ]),
  ) {
    this.#fields = new Map(fields);
  }

  /** Fields as a snapshot has them; their codes are still to be read. */
  static of(facts: readonly FieldFacts[], rows: number): FieldColumns {
    return new FieldColumns(
      facts.map(({ field, bits, values, former }) => [
        field,
        {
          codes: newCodes(roomBeside(rows), bits),
          values: new ValueCodes(values),
          former: former.map((codes) => (codes === null ? undefined : new Mentions(codes))),
        },
      ]),
    );
  }

  /** The same for some rows only, one after the other. Others get their turn meanwhile. */
  async compacted(rows: Uint32Array, pause: Pause): Promise<FieldColumns> {
    const capacity = roomBeside(rows.length);
    const compact = new FieldColumns([]);
    for (const field of this.#tooLong) compact.#tooLong.add(field);
    for (const [field, { codes, values, former }] of this.#fields) {
      if (this.#unfilled.has(field)) continue;
      if (canBeLetGo(field, values)) {
        compact.#tooLong.add(field);
        continue;
      }
      const picked = newCodes(capacity, bitsOf(codes));
      pickRows(codes, picked, rows);
      compact.#fields.set(field, { codes: picked, values, former });
      await pause();
    }
    for (const [field, { arrays }] of this.#texts) {
      if (this.#unread.has(field)) continue;
      const texts = new TextColumn(capacity);
      compact.#texts.set(field, texts);
      for (let row = 0; row < rows.length; row += 1) {
        texts.copy(row, arrays, rows[row]);
        if (row % TEXTS_AT_ONCE === 0) await pause();
      }
    }
    return compact;
  }

  arrays(): Pick<ColumnArrays, 'fields' | 'texts'> {
    const fields = Object.fromEntries([...this.#fields].map(([field, { codes }]) => [field, codes]));
    const texts: Record<string, TextArrays> = {};
    for (const [field, { arrays }] of this.#texts) if (!this.#unread.has(field)) texts[field] = arrays;
    return { fields, texts };
  }

  /** Fails with `MissingColumn` where the field is not held. */
  field(field: string): FieldColumn {
    const column = this.#fields.get(field);
    if (column === undefined || this.#unfilled.has(field)) throw new MissingColumn({ field, as: 'codes' });
    return { field, ...column };
  }

  /** The values of a field that is always held. */
  valuesOf(field: (typeof heldFields)[number]): ValueCodes {
    return this.#fields.get(field)?.values ?? new ValueCodes();
  }

  has(field: string): boolean {
    return this.#fields.has(field) && !this.#unfilled.has(field);
  }

  /** Returns true once the former contents of a field are being noted. */
  isBegun(field: string): boolean {
    return this.#fields.has(field);
  }

  /** Returns true where the plain texts of a field are too long to be held as its contents. */
  isTooLong(field: string): boolean {
    return this.#tooLong.has(field);
  }

  /** A field that is held has become too long since. */
  get hasTooLong(): boolean {
    return this.#fields.entries().some(([field, { values }]) => canBeLetGo(field, values));
  }

  hasTexts(field: string): boolean {
    return this.#texts.has(field) && !this.#unread.has(field);
  }

  begin(field: string, capacity: number): void {
    if (this.#fields.has(field) || this.#tooLong.has(field)) return;
    this.#fields.set(field, begun(capacity));
    this.#unfilled.add(field);
  }

  fill(
    field: string,
    { row, accessClass, storeId, issue }: RowIssue<FieldwiseIssue>,
    wasChanged: boolean,
  ): void {
    const column = this.#fields.get(field);
    if (column === undefined) return;
    column.codes = putCode(column.codes, row, column.values.codeOf(heldContent(issue, field)));
    const changes = wasChanged ? changesOf(issue, field) : [];
    for (const change of changes) noteFormer(column, change, { accessClass, storeId });
    this.#dropTooLong(field, column);
  }

  /** Puts the contents of a field that was begun from a part into rows: the returned function takes the place of an issue in the part, its row, and its class and number. */
  filling(field: string, part: CodesPart): (i: number, row: number, at: FormerAt) => void {
    const column = this.#fields.get(field);
    if (column === undefined) return () => {};
    const codes = codesIn(column.values, part.values);
    this.#dropTooLong(field, column);
    let read = 0;
    let next = 0;
    return (i, row, at) => {
      for (; read < i; read += 1) next += part.formerCounts[read];
      column.codes = putCode(column.codes, row, codes[part.codes[i]] ?? 0);
      for (let end = next + part.formerCounts[i], index = next; index < end; index += 1) {
        const known = formerOf(column, at.accessClass);
        const code = codes[part.former[index] ?? ABSENT] ?? ABSENT;
        if (code !== ABSENT) known.note(code, at.storeId);
      }
    };
  }

  #dropTooLong(field: string, { values }: OwnFieldColumn): void {
    // No one has seen the column yet.
    if (!this.#unfilled.has(field) || !canBeLetGo(field, values)) return;
    this.#fields.delete(field);
    this.#unfilled.delete(field);
    this.#tooLong.add(field);
  }

  end(field: string): void {
    this.#unfilled.delete(field);
  }

  beginTexts(field: string, capacity: number): void {
    if (this.#texts.has(field)) return;
    this.#texts.set(field, new TextColumn(capacity));
    this.#unread.add(field);
  }

  fillTexts(field: string, { row, issue }: Pick<RowIssue<FieldwiseIssue>, 'row' | 'issue'>): void {
    this.#texts.get(field)?.put(row, textContent(issue, field));
  }

  /** Puts the text that another column has of a row in a row of a field that was begun. */
  takeText(field: string, row: number, from: TextArrays, other: number): void {
    this.#texts.get(field)?.copy(row, from, other);
  }

  endTexts(field: string): void {
    this.#unread.delete(field);
  }

  /** Writes what an issue holds of every field. */
  write({ row, issue }: Pick<RowIssue, 'row' | 'issue'>): void {
    for (const [field, column] of this.#fields) {
      column.codes = putCode(column.codes, row, column.values.codeOf(heldContent(issue, field)));
    }
    for (const [field, texts] of this.#texts) {
      texts.put(row, textContent(issue, field));
      if (texts.isWasteful && !this.#unread.has(field)) this.#texts.delete(field);
    }
  }

  /** Notes for its class what an issue once held, as changes of it say. */
  noteChanges(changes: readonly Change[], at: FormerAt): void {
    for (const change of changes) {
      const column = this.#fields.get(change.field);
      if (column !== undefined) noteFormer(column, change, at);
    }
  }

  /** The issue of a row is gone. */
  forget(row: number): void {
    for (const texts of this.#texts.values()) texts.forget(row);
  }

  /** The former values of the fields of a class. */
  formerOf(accessClass: number): readonly SomeMentions[] {
    return [...this.#fields.values()].flatMap(({ former }) => former[accessClass] ?? []);
  }

  /** Forgets the former values that a class has of the fields that `isOver`. */
  forgetFormer(accessClass: number, isOver: (field: string) => boolean): void {
    for (const [field, { former }] of this.#fields) {
      if (former[accessClass] !== undefined && isOver(field)) former[accessClass] = undefined;
    }
  }

  /** The steps that make room for a number of rows. */
  *growing(capacity: number, length: number): Generator<() => void> {
    for (const column of this.#fields.values()) {
      if (capacity <= column.codes.length) continue;
      yield () => {
        column.codes = copied(column.codes, length);
      };
    }
    for (const texts of this.#texts.values()) {
      if (capacity > texts.capacity) yield () => texts.grow(length);
    }
  }

  /** The facts of the fields that a snapshot keeps: `heldFields`, and others with at most `MAX_KEPT_VALUES` values. */
  facts(): readonly FieldFacts[] {
    return [...this.#fields]
      .filter(([field, { values }]) => !this.#unfilled.has(field) && isKept(field, values))
      .map(([field, { codes, values, former }]) => ({
        field,
        bits: bitsOf(codes),
        values: values.contents(),
        former: Array.from(former, (codes) => codes?.entries() ?? null),
      }));
  }

  /** The codes of the fields of `facts`, of so many rows. */
  bytes(facts: readonly FieldFacts[], rows: number): readonly Uint8Array<SharedArrayBuffer>[] {
    return facts.map(({ field }) => asBytes(this.field(field).codes.subarray(0, rows)));
  }
}

function begun(capacity: number): OwnFieldColumn {
  return { codes: newCodes(capacity), values: new ValueCodes(), former: [] };
}

function noteFormer(column: OwnFieldColumn, { from, to }: Change, { accessClass, storeId }: FormerAt): void {
  const { values } = column;
  const known = formerOf(column, accessClass);
  if (from !== null) known.note(values.codeOf(from), storeId);
  if (to !== null) known.note(values.codeOf(to), storeId);
}

function formerOf({ former }: OwnFieldColumn, accessClass: number): Mentions<number> {
  const known = former[accessClass];
  if (known !== undefined) return known;
  const mentions = new Mentions<number>();
  former[accessClass] = mentions;
  return mentions;
}

function isKept(field: string, values: ValueCodes): boolean {
  return values.size <= MAX_KEPT_VALUES || (heldFields as readonly string[]).includes(field);
}

/** Returns true where a field that was asked for is too long to be held. */
function canBeLetGo(field: string, values: ValueCodes): boolean {
  return values.isTooLong && !(heldFields as readonly string[]).includes(field);
}

/** The content of a field of an issue that a column holds. */
export function heldContent(issue: FieldwiseIssue, field: string): FieldContent | undefined {
  if (field === 'project') return issue.project;
  if (field === ISSUE_ID) return issue.id;
  return contentOf(issue, field);
}
