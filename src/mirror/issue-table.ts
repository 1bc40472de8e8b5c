import { singleFlight } from '../cache/namespace.ts';
import { createYieldIfDue, type YieldIfDue } from '../concurrency/cooperative-yield.ts';
import { rowFlag } from '../engine/columns/column-arrays.ts';
import type { HistoryEnd } from '../engine/columns/field-histories.ts';
import type { FieldForm, FieldParts, HistoryPart, WantedField } from '../engine/columns/field-part.ts';
import { isDerived } from '../engine/columns/history-column.ts';
import { IssueColumns } from '../engine/columns/issue-columns.ts';
import { historySource, rowContent } from '../engine/measure/own-cells.ts';
import type { Issue } from '../model/issue.ts';
import type { FieldwiseIssue } from '../model/issues/issue-fields.ts';
import type { FieldsOfIssue, IssueStore } from '../store/store.ts';
import type { BesideParts } from './field-thread.ts';
import type { HistorySpill } from './spilled-histories.ts';

/** All issues of a tracker: columns to count and to choose by, and the issues themselves for those that are shown. */
export interface IssueTable {
  /** Changed in place when issues change; what holds rows of them goes on holding the same issues. */
  readonly columns: IssueColumns;
  /** The issues of some rows, in their order; null where one is gone. */
  load(rows: ArrayLike<number>): Promise<readonly (Issue | null)[]>;
  /**
   * Sees to it that columns hold a field's contents, texts or history, unless that turns out to be too long (`isTooLong`).
   * Reads the field of every issue the first time; others get their turn meanwhile.
   */
  hold(field: string, as?: FieldForm): Promise<void>;
}

/** A table of issues that are all at hand. */
export function tableOf(issues: readonly Issue[]): IssueTable {
  const columns = new IssueColumns();
  for (const [i, issue] of issues.entries()) columns.put(i + 1, rowContent(issue));
  const issueOf = (row: number) => issues[(columns.arrays().storeId[row] ?? 0) - 1] ?? null;
  return {
    columns,
    load: async (rows) => Array.from(rows, issueOf),
    async hold(field, as = 'codes') {
      const columnOf = columnsOf[as];
      if (columnOf.has(columns, field)) return;
      const rows = columns.rowsByCreation();
      columnOf.begin(columns, field);
      columnOf.fill(
        columns,
        field,
        rows,
        Array.from(rows, issueOf).filter((issue) => issue !== null),
      );
      await columnOf.end(columns, field);
    },
  };
}

/** The functions that put a field into columns, for each form it can have there. */
interface FieldFilling {
  /** It is there, or too long to be. */
  has(columns: IssueColumns, field: string): boolean;
  isTooLong(columns: IssueColumns, field: string): boolean;
  begin(columns: IssueColumns, field: string): void;
  fill(
    columns: IssueColumns,
    field: string,
    rows: ArrayLike<number>,
    issues: readonly FieldwiseIssue[],
  ): void;
  end(columns: IssueColumns, field: string, end?: HistoryEnd): void | Promise<void>;
}

const columnsOf: Readonly<Record<FieldForm, FieldFilling>> = {
  codes: {
    has: (columns, field) => columns.hasField(field) || columns.isTooLong(field),
    isTooLong: (columns, field) => columns.isTooLong(field),
    begin: (columns, field) => columns.beginField(field),
    fill: (columns, field, rows, issues) => columns.fillField(field, rows, issues),
    end: (columns, field) => columns.endField(field),
  },
  texts: {
    has: (columns, field) => columns.hasTexts(field),
    isTooLong: () => false,
    begin: (columns, field) => columns.beginTexts(field),
    fill: (columns, field, rows, issues) => columns.fillTexts(field, rows, issues),
    end: (columns, field) => columns.endTexts(field),
  },
  history: {
    has: ({ histories }, field) => histories.has(field) || histories.isTooLong(field),
    isTooLong: ({ histories }, field) => histories.isTooLong(field),
    begin: (columns, field) => columns.beginHistory(field),
    fill: (columns, field, rows, issues) => columns.fillHistory(field, rows, issues.map(historySource)),
    end: (columns, field, end) => columns.endHistory(field, end),
  },
};

/** Issues read from the store at once; some milliseconds. Of more at once much outlives its use in V8's heap. */
export const READ_AT_ONCE = 250;

/** Issues whose fields another thread has read that are put in columns at once; some milliseconds. */
const FILLED_AT_ONCE = 4_096;

/** A history that was let go is read from all issues again when more than this share of them has changed since. */
const MAX_CHANGED = 1 / 64;

/** The part of the issues whose fields are read by the thread that answers, which also puts the others in columns. */
const PART_HERE = 0.5;

/** The store's number up to which fields are read here, and about how many issues have higher ones. */
function middleOf(columns: IssueColumns): { readonly last: number; readonly above: number } {
  const { rows, storeId } = columns.arrays();
  let highest = 0;
  for (let row = 0; row < rows; row += 1) highest = Math.max(highest, storeId[row] ?? 0);
  return { last: Math.floor(highest * PART_HERE), above: Math.ceil(columns.size * (1 - PART_HERE)) };
}

/** A table over columns that somebody else keeps current. `alone` runs what nobody else writes to columns meanwhile. */
export function tableOver(
  columns: IssueColumns,
  {
    store,
    alone,
    onHeld,
    signal,
    beside,
    spill,
  }: {
    readonly store: Pick<IssueStore, 'issuesAt' | 'issuesAfter' | 'changedSince' | 'reader'>;
    readonly alone: <Result>(work: () => Promise<Result>) => Promise<Result>;
    readonly onHeld: () => void;
    readonly signal: AbortSignal;
    readonly beside: BesideParts;
    /** Null: histories that are let go are read from the issues again. */
    readonly spill: HistorySpill | null;
  },
): IssueTable {
  const holdings = singleFlight<void>();
  /** Fields that are to be held and are not read yet. */
  let wanted: WantedField[] = [];

  async function load(rows: ArrayLike<number>): Promise<(Issue | null)[]> {
    const pace = createYieldIfDue();
    const issues: (Issue | null)[] = [];
    for (let start = 0; start < rows.length; start += READ_AT_ONCE) {
      const some = Array.from(
        { length: Math.min(READ_AT_ONCE, rows.length - start) },
        (_, i) => rows[start + i] ?? 0,
      );
      issues.push(...(await loadSome(some)));
      await pace();
    }
    return issues;
  }

  /** A row whose issue has another key by now is gone, or will be as soon as columns are up to date. */
  async function loadSome(rows: readonly number[]): Promise<(Issue | null)[]> {
    const { storeId } = columns.arrays();
    const issues = await store.issuesAt(rows.map((row) => storeId[row] ?? 0));
    return rows.map((row, i) => {
      const issue = issues[i] ?? null;
      return issue?.key === columns.keyOf(row) ? issue : null;
    });
  }

  /** Reads all issues once for all fields that are wanted by then, in the order in which the store has them. */
  async function holdWanted(): Promise<void> {
    const missing = [...new Map(wanted.map((one) => [`${one.as} ${one.field}`, one])).values()].filter(
      ({ field, as }) => !columnsOf[as].has(columns, field),
    );
    wanted = [];
    if (missing.length === 0) return;
    const pace = createYieldIfDue();
    await alone(async () => {
      for (const { field, as } of missing) columnsOf[as].begin(columns, field);
    });
    try {
      const unread: WantedField[] = [];
      for (const one of missing) {
        if (one.as !== 'history' || !(await fillFromSpill(one.field, pace))) unread.push(one);
      }
      const isRead = unread.length === 0 || (await fillAll(unread, pace));
      if (!isRead && unread.length === missing.length) return;
    } catch (error) {
      for (const { field, as } of missing) if (as === 'history') columns.histories.abandon(field);
      throw error;
    }
    await alone(async () => {
      for (const { field, as } of missing) await columnsOf[as].end(columns, field, { pause: pace, onLetGo });
    });
    if (missing.some(({ as }) => as !== 'texts')) onHeld();
  }

  /** Writes a history to the spill; the caller keeps others from writing to columns meanwhile. */
  function onLetGo(field: string, part: HistoryPart): void {
    const { revision } = columns;
    const { rows, storeId, flags } = columns.arrays();
    const ids = storeId.slice(0, rows).map((id, row) => (((flags[row] ?? 0) & rowFlag.dead) === 0 ? id : 0));
    spill?.put(field, { revision, ids, part });
  }

  /**
   * Fills a history that was let go before, and reads the issues that have changed since. False where it is not kept, or too much
   * has changed.
   */
  async function fillFromSpill(field: string, pace: YieldIfDue): Promise<boolean> {
    const history = (await spill?.find(field)) ?? null;
    // Columns that were replaced stay as they were, and newer ones may have let it go.
    if (history === null || history.revision > columns.revision) return false;
    const { version } = columns;
    const missing = [{ field, as: 'history' }] as const;
    const ids = Float64Array.from(history.ids);
    const revisions = new Float64Array(ids.length);
    const parts: FieldParts = { ids, revisions, parts: [{ field, as: 'history', part: history.part }] };
    if (!(await fillFrom(parts, { missing, pace, version }))) return false;
    let changed = 0;
    for (let since: number | null = history.revision; since !== null; ) {
      const from: number = since;
      since = await alone(async () => {
        signal.throwIfAborted();
        const { issues, removed, revision } = await store.changedSince(from, READ_AT_ONCE);
        // These issues may be newer than the columns.
        fillSome(
          missing,
          issues.map((one) => ({ ...one, revision: Number.POSITIVE_INFINITY })),
        );
        changed += issues.length;
        return issues.length + removed.length < READ_AT_ONCE ? null : revision;
      });
      if (changed > columns.size * MAX_CHANGED) return false;
      await pace();
    }
    return true;
  }

  /** Fills fields that were begun; false where all of them turned out to be too long. */
  async function fillAll(missing: readonly WantedField[], pace: YieldIfDue): Promise<boolean> {
    signal.throwIfAborted();
    const reader = store.reader();
    if (reader === null || columns.size < beside.minIssues)
      return fillHere(missing, pace, 0, Number.POSITIVE_INFINITY);
    const { version } = columns;
    const { last, above } = middleOf(columns);
    const reading = beside.start({ reader, wanted: missing, after: last, expected: above });
    signal.addEventListener('abort', reading.end);
    try {
      if (!(await fillHere(missing, pace, 0, last))) return false;
      const parts = await reading.parts;
      const isFilled = parts !== null && (await fillFrom(parts, { missing, pace, version }));
      return isFilled || (await fillHere(missing, pace, last, Number.POSITIVE_INFINITY));
    } finally {
      signal.removeEventListener('abort', reading.end);
      // `close` waits for it.
      void reading.end();
    }
  }

  /** Fills fields of the issues with numbers above `after`, up to `last`; false where all of them turned out to be too long. */
  async function fillHere(
    missing: readonly WantedField[],
    pace: YieldIfDue,
    after: number,
    last: number,
  ): Promise<boolean> {
    for (let next: number | undefined = after; next !== undefined && next < last; ) {
      const from: number = next;
      next = await alone(async () => {
        signal.throwIfAborted();
        return store.issuesAfter(from, READ_AT_ONCE, (read): number | undefined => {
          const some = last === Number.POSITIVE_INFINITY ? read : read.filter(({ id }) => id <= last);
          fillSome(missing, some);
          return some.at(-1)?.id;
        });
      });
      if (missing.every(({ field, as }) => columnsOf[as].isTooLong(columns, field))) return false;
      await pace();
    }
    return true;
  }

  function fillSome(missing: readonly WantedField[], some: readonly FieldsOfIssue[]): void {
    // All fields of one issue before the next issue: its changes are looked through once.
    for (const one of some) {
      const [rows, issues] = [[rowFor(one)], [one.issue]];
      for (const { field, as } of missing) columnsOf[as].fill(columns, field, rows, issues);
    }
  }

  /**
   * Fills fields as another thread has read them since a version of the columns. What was written to columns since has them
   * already, and newer; issues that are newer than the columns are read here. False where too much was written to be known.
   */
  async function fillFrom(
    parts: FieldParts,
    { missing, pace, version }: { missing: readonly WantedField[]; pace: YieldIfDue; version: number },
  ): Promise<boolean> {
    const { ids, revisions } = parts;
    const fill = columns.filling(parts);
    for (let start = 0; start < ids.length; start += FILLED_AT_ONCE) {
      const isKnown = await alone(async () => {
        signal.throwIfAborted();
        const written = columns.writtenSince(version);
        if (written === null) return false;
        for (let i = start; i < Math.min(ids.length, start + FILLED_AT_ONCE); i += 1) {
          const id = ids[i] ?? 0;
          const row = columns.rowOfId(id);
          if (row < 0 || written.has(row)) continue;
          if ((revisions[i] ?? 0) <= columns.revision) fill(i, row);
          else await store.issuesAfter(id - 1, 1, (some) => fillSome(missing, some));
        }
        return true;
      });
      if (!isKnown) return false;
      await pace();
    }
    return true;
  }

  /**
   * The row in which an issue's fields are filled; -1 of none. An issue that came or changed meanwhile is written when columns
   * are brought up to date: until then nothing of it is put where people may see it who can no longer see the issue.
   */
  function rowFor({ id, revision, issue }: FieldsOfIssue): number {
    const row = columns.rowOfId(id);
    if (row < 0 || revision <= columns.revision) return row;
    const accessClass = columns.arrays().accessClass[row] ?? 0;
    return issue.key === columns.keyOf(row) && columns.classes.covers(accessClass, issue) ? row : -1;
  }

  return {
    columns,
    load,
    async hold(field, as = 'codes') {
      // One that is read at the same time does not take its place.
      const release = as === 'history' ? columns.histories.lease(field) : null;
      try {
        // A request that comes while others are read waits for them, and is read with all that wait then.
        while (!columnsOf[as].has(columns, field)) {
          wanted.push({ field, as });
          // A request for the former values of a tracker's field needs the current ones too: both are read at one go.
          if (as === 'history' && !isDerived(field)) wanted.push({ field, as: 'codes' });
          await holdings.run('', holdWanted);
        }
      } finally {
        release?.();
      }
    },
  };
}
