import type { FieldwiseIssue } from '../../model/issues/issue-fields.ts';
import type { AccessClasses } from './access-classes.ts';
import {
  type ColumnArrays,
  type ColumnUnit,
  columnNames,
  lengthUsed,
  resize,
  roomFor,
} from './column-arrays.ts';
import {
  type ColumnFacts,
  type ColumnParts,
  compactParts,
  emptyParts,
  partsOfSnapshot,
  type SnapshotForm,
  snapshotOf,
} from './column-parts.ts';
import type { FieldHistories, HistoryEnd } from './field-histories.ts';
import type { FieldParts } from './field-part.ts';
import type { FieldColumn, FormerAt } from './held-fields.ts';
import type { HistorySource } from './history-column.ts';
import type { Pause } from './sort-rows.ts';
import type { ValueCodes } from './value-codes.ts';
import { WriteGate } from './write-gate.ts';
import { addRow, DoubtedMentions, type RowContent, retireRow, writeRow } from './write-row.ts';

const noPause: Pause = () => null;
const noHistoryEnd: HistoryEnd = { pause: noPause, onLetGo: () => {} };

/** Rows written to of late that are known. */
const MAX_WRITTEN = 2 ** 14;

/** The last version of any columns. */
let lastVersion = 0;

/**
 * The issues of one tracker as columns: a row per issue, which stays the same as long as the issue stays and keeps its
 * key. A change costs what its issue takes. One writer at a time, and no one reads while it writes.
 */
export class IssueColumns {
  /** The store's revision up to which everything is here. */
  revision = 0;
  /**
   * Rises with every change, and no other columns of the process ever have the same: what was found out about columns is
   * true for one version.
   */
  version = 0;
  readonly #parts: ColumnParts;
  /** `rowsByCreation` of a version. */
  #living: { readonly version: number; readonly rows: Uint32Array } | null = null;
  /** Rows that were written to of late, with the version they were in, the last one last; complete after `#logged`. */
  #written: { readonly version: number; readonly row: number }[] = [];
  #logged = 0;
  readonly #gate = new WriteGate();
  /** Mentions that are in doubt since issues left their access class. */
  readonly doubts: DoubtedMentions;

  constructor(parts = emptyParts()) {
    this.#parts = parts;
    this.doubts = new DoubtedMentions(parts, () => this.#changed());
  }

  /** Columns as they were when a snapshot was made; see `partsOfSnapshot`. */
  static async fromSnapshot(
    facts: ColumnFacts,
    read: (arrays: SnapshotForm['arrays']) => Promise<void>,
    pause: Pause = noPause,
  ): Promise<IssueColumns> {
    return new IssueColumns(await partsOfSnapshot(facts, read, pause)).#as(facts.revision);
  }

  /** The same issues in columns without dead rows and gaps, the one created first in the first row; see `compactParts`. */
  async compacted(pause: Pause): Promise<IssueColumns> {
    return new IssueColumns(await compactParts(this.#parts, this.rowsByCreation(), pause)).#as(this.revision);
  }

  toSnapshot(): SnapshotForm {
    return snapshotOf(this.#parts, this.revision);
  }

  /** The rows whose issues changed, came or went after a version; null where that was too long ago to be known. */
  writtenSince(version: number): ReadonlySet<number> | null {
    if (version < this.#logged) return null;
    const rows = new Set<number>();
    for (let i = this.#written.length - 1; i >= 0; i -= 1) {
      const one = this.#written[i];
      if (one === undefined || one.version <= version) break;
      rows.add(one.row);
    }
    return rows;
  }

  /** Rows given out, dead ones included. */
  get rows(): number {
    return this.#parts.used.rows;
  }

  /** The number of issues. */
  get size(): number {
    return this.#parts.used.alive;
  }

  /** Places that are taken up for nothing, as a part of all; 1 where contents have become too long since they are held. */
  get waste(): number {
    if (this.#parts.fields.hasTooLong) return 1;
    const { rows, visits, spans, garbage, alive } = this.#parts.used;
    const own = (garbage + (rows - alive)) / Math.max(1, visits + spans + rows);
    return Math.max(own, this.#parts.histories.waste);
  }

  /** The memory of all arrays, in bytes; that of contents is not in it. */
  get bytes(): number {
    return bytesOf(this.arrays());
  }

  get classes(): AccessClasses {
    return this.#parts.classes;
  }

  /** All columns as they are now; an update may replace them. */
  arrays(): ColumnArrays {
    const { arrays, fields, histories } = this.#parts;
    return { rows: this.rows, ...arrays, ...fields.arrays(), histories: histories.arrays() };
  }

  /** A field's column; fails with `MissingColumn` where it is not held. */
  field(field: string): FieldColumn {
    return this.#parts.fields.field(field);
  }

  hasField(field: string): boolean {
    return this.#parts.fields.has(field);
  }

  /** Returns true where the plain texts of a field are too long to be held as its contents; `beginTexts` takes them all the same. */
  isTooLong(field: string): boolean {
    return this.#parts.fields.isTooLong(field);
  }

  /** Returns true where the texts of a field are held. */
  hasTexts(field: string): boolean {
    return this.#parts.fields.hasTexts(field);
  }

  /** The values behind the codes of a field that is held. */
  values(field: string): ValueCodes {
    return this.field(field).values;
  }

  /** Keys before the number, by their code. */
  get projectKeys(): readonly string[] {
    return this.#parts.index.projectKeys;
  }

  /** Rows of keys that are not a project's key and a number, by the key. */
  get irregularKeys(): ReadonlyMap<string, number> {
    return this.#parts.index.irregular;
  }

  /** The code of a key before the number; -1 where no issue has it. */
  projectCode(projectKey: string): number {
    return this.#parts.index.projectCode(projectKey);
  }

  /** The key of a row's issue, in its own spelling. */
  keyOf(row: number): string {
    return this.#parts.index.keyOf(row);
  }

  /** The row of the issue with a key, in the issue's own spelling; -1 where there is none. */
  rowOf(key: string): number {
    return this.#parts.index.rowOf(key);
  }

  /** The row of the issue with an id in the store; -1 where there is none. */
  rowOfId(storeId: number): number {
    return this.#parts.index.rowOfId(storeId);
  }

  /** The rows of all issues, the one created first being the first; at one instant by project key, then number. */
  rowsByCreation(): Uint32Array {
    if (this.#living?.version === this.version) return this.#living.rows;
    const rows = this.#parts.order.living(this.size);
    this.#living = { version: this.version, rows };
    return rows;
  }

  /** Negative where the issue in row `a`, which may be gone, was created before that in `b`, as in `rowsByCreation`. */
  compareByCreation(a: number, b: number): number {
    return this.#parts.order.compare(a, b);
  }

  /** Returns true where the order of creation is that of the rows, so that reading by it reads what lies together. */
  get isInOrder(): boolean {
    return this.#parts.order.isOfRows;
  }

  /** Has `rowsByCreation` sort little; others get their turn meanwhile. No one may write until it is done. */
  prepareOrder(pause: Pause): Promise<void> {
    return this.#parts.order.prepare(pause);
  }

  /**
   * Makes room for more rows, visits and spans before they are put, so that putting them copies nothing. Others get their
   * turn meanwhile, and must not write.
   */
  async makeRoom(more: Readonly<Record<ColumnUnit, number>>, pause: Pause): Promise<void> {
    const { used, index } = this.#parts;
    const { rows, visits, spans } = used;
    const wanted = { rows: rows + more.rows, visits: visits + more.visits, spans: spans + more.spans };
    for (const grow of this.#growing(wanted)) {
      await this.writing(grow);
      await pause();
    }
    await index.makeRoom({ rows, wanted: wanted.rows }, pause);
  }

  *#growing(wanted: Readonly<Record<ColumnUnit, number>>): Generator<() => void> {
    const { arrays, fields, histories } = this.#parts;
    for (const name of columnNames) {
      const needed = lengthUsed(name, wanted);
      if (needed > arrays[name].length) yield () => resize(arrays, name, roomFor(needed));
    }
    yield* fields.growing(wanted.rows, roomFor(wanted.rows));
    yield* histories.growing(wanted.rows, roomFor(wanted.rows));
  }

  /** Takes an issue in, or what became of it, and returns its row. */
  put(storeId: number, content: RowContent): number {
    this.#changed();
    const parts = this.#parts;
    const { issue } = content;
    const known = this.rowOfId(storeId);
    const isSame =
      known >= 0 && this.keyOf(known) === issue.key && parts.arrays.created[known] === issue.created;
    if (known >= 0 && !isSame) this.#retire(known);
    // A key that is given to another issue: what had it before is gone, even before the store says so.
    const other = isSame ? -1 : this.rowOf(issue.key);
    if (other >= 0) this.#retire(other);
    const row = isSame ? known : addRow(parts, storeId, issue);
    writeRow(parts, row, content);
    this.#noteWritten(row);
    return row;
  }

  /** Takes the issue with a key out; false where there is none. */
  remove(key: string): boolean {
    const row = this.rowOf(key);
    if (row < 0) return false;
    this.#changed();
    this.#retire(row);
    return true;
  }

  #retire(row: number): void {
    retireRow(this.#parts, row);
    this.#noteWritten(row);
  }

  #noteWritten(row: number): void {
    this.#written.push({ version: this.version, row });
    if (this.#written.length < 2 * MAX_WRITTEN) return;
    this.#logged = this.#written[MAX_WRITTEN - 1]?.version ?? this.version;
    this.#written = this.#written.slice(MAX_WRITTEN);
  }

  /**
   * Begins to hold a field: from now on `put` keeps its column, which can be asked for once `fillField` has been given
   * every row and `endField` was called; not if it turns out to be `isTooLong`.
   */
  beginField(field: string): void {
    this.#parts.fields.begin(field, this.#capacity);
    // The values in the field's changes were not noted before.
    this.classes.forgetAllSeen();
  }

  /** Writes the contents, current and former, that some rows' issues have in a field that was begun. */
  fillField(field: string, rows: ArrayLike<number>, issues: readonly (FieldwiseIssue | null)[]): void {
    const { arrays, fields } = this.#parts;
    for (const [i, issue] of issues.entries()) {
      const row = rows[i] ?? -1;
      if (issue === null || row < 0) continue;
      const accessClass = arrays.accessClass[row];
      // Changes of a field are not read if no issue of the class was changed in it.
      const wasChanged = this.classes.all[accessClass]?.changed.has(field) !== false;
      fields.fill(field, { row, accessClass, storeId: arrays.storeId[row], issue }, wasChanged);
    }
  }

  endField(field: string): void {
    this.#parts.fields.end(field);
    this.#changed();
  }

  /**
   * Begins to hold the texts of a field, which has many different ones: from now on `put` keeps them, and once `fillTexts`
   * has been given every row and `endTexts` was called they are among the arrays.
   */
  beginTexts(field: string): void {
    this.#parts.fields.beginTexts(field, this.#capacity);
  }

  /** The texts some rows' issues have in a field that was begun. */
  fillTexts(field: string, rows: ArrayLike<number>, issues: readonly (FieldwiseIssue | null)[]): void {
    for (const [i, issue] of issues.entries()) {
      const row = rows[i] ?? -1;
      if (issue !== null && row >= 0) this.#parts.fields.fillTexts(field, { row, issue });
    }
  }

  endTexts(field: string): void {
    this.#parts.fields.endTexts(field);
  }

  /** The histories of fields other than status and assignee, and the authors of all of them. */
  get histories(): Pick<FieldHistories, 'has' | 'isTooLong' | 'find' | 'lease' | 'abandon'> {
    return this.#parts.histories;
  }

  /** Begins to keep the history of a field, as `beginField` does its contents. */
  beginHistory(field: string): void {
    this.#parts.histories.begin(field, this.#capacity);
  }

  /** The histories of some rows' issues in a field that was begun; rows below 0 are passed over. */
  fillHistory(field: string, rows: ArrayLike<number>, sources: readonly HistorySource[]): void {
    for (const [i, source] of sources.entries()) {
      const row = rows[i] ?? -1;
      if (row >= 0) this.#parts.histories.fill(field, row, source);
    }
  }

  /** No one may write until it is done. */
  endHistory(field: string, end: HistoryEnd = noHistoryEnd): void | Promise<void> {
    return this.#parts.histories.end(field, this.rows, end);
  }

  /**
   * Puts fields that were begun in rows, as another thread has read them: the answer is called for each of its issues, in
   * their order, with the row of the issue.
   */
  filling({ ids, parts }: FieldParts): (i: number, row: number) => void {
    const { fields, histories, arrays } = this.#parts;
    const fillings = parts.map((one): ((i: number, row: number, at: FormerAt) => void) => {
      if (one.as === 'codes') return fields.filling(one.field, one.part);
      if (one.as === 'history') return histories.filling(one.field, one.part);
      return (i, row) => fields.takeText(one.field, row, one.part, i);
    });
    return (i, row) => {
      const at = { accessClass: arrays.accessClass[row], storeId: ids[i] };
      for (const fill of fillings) fill(i, row, at);
    };
  }

  /** Reads while no one writes. Not to be called by what is reading already. */
  reading<Result>(read: () => Promise<Result>): Promise<Result> {
    return this.#gate.reading(read);
  }

  /** Writes once all readers are done, one writer at a time. */
  writing<Result>(write: () => Result): Promise<Result> {
    return this.#gate.writing(write);
  }

  get #capacity(): number {
    return this.#parts.arrays.created.length;
  }

  #as(revision: number): this {
    this.revision = revision;
    this.#changed();
    this.#logged = this.version;
    return this;
  }

  #changed(): void {
    lastVersion += 1;
    this.version = lastVersion;
  }
}

/** The bytes of the typed arrays in a value and what it consists of. */
function bytesOf(value: unknown): number {
  if (ArrayBuffer.isView(value)) return value.byteLength;
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce((sum: number, part) => sum + bytesOf(part), 0);
}
