import { singleFlight } from '../cache/namespace.ts';
import { IssueColumns } from '../columns/issue-columns.ts';
import { createYieldIfDue } from '../concurrency/cooperative-yield.ts';
import { rowContent } from '../engine/own-cells.ts';
import type { Issue } from '../model/issue.ts';
import type { IssueStore } from '../store/store.ts';

/** All issues of a tracker: columns to count and to choose by, and the issues themselves for those that are shown. */
export interface IssueTable {
  /** Changed in place when issues change; what holds rows of them goes on holding the same issues. */
  readonly columns: IssueColumns;
  /** The issues of some rows, in their order; null where one is gone. */
  load(rows: ArrayLike<number>): Promise<readonly (Issue | null)[]>;
  /**
   * Sees to it that columns hold a field's contents, unless that turns out to be too long (`isTooLong`). May look at every
   * issue; others get their turn meanwhile.
   */
  hold(field: string, as?: HeldAs): Promise<void>;
}

/** Contents under codes, where many issues have the same; or texts, where nearly each has its own. */
export type HeldAs = 'codes' | 'texts';

/** A table of issues that are all at hand. */
export function tableOf(issues: readonly Issue[]): IssueTable {
  const columns = new IssueColumns();
  for (const [i, issue] of issues.entries()) columns.put(i + 1, rowContent(issue));
  const issueOf = (row: number) => issues[(columns.arrays().storeId[row] ?? 0) - 1] ?? null;
  return {
    columns,
    load: async (rows) => Array.from(rows, issueOf),
    async hold(field, as = 'codes') {
      const rows = columns.rowsByCreation();
      if (as === 'texts') {
        if (columns.hasTexts(field)) return;
        columns.beginTexts(field);
        columns.fillTexts(field, rows, Array.from(rows, issueOf));
        columns.endTexts(field);
        return;
      }
      if (columns.hasField(field)) return;
      columns.beginField(field);
      columns.fillField(field, rows, Array.from(rows, issueOf));
      columns.endField(field);
    },
  };
}

/** Issues read from the store at once; some milliseconds. */
export const READ_AT_ONCE = 250;

/** A table over columns that somebody else keeps current. `alone` runs what nobody else writes to columns meanwhile. */
export function tableOver(
  columns: IssueColumns,
  {
    store,
    alone,
    onHeld,
    signal,
  }: {
    readonly store: Pick<IssueStore, 'issuesAt'>;
    readonly alone: <Result>(work: () => Promise<Result>) => Promise<Result>;
    readonly onHeld: () => void;
    readonly signal: AbortSignal;
  },
): IssueTable {
  const holdings = singleFlight<void>();
  /** Fields that are to be held and are not read yet. */
  let wanted: Record<HeldAs, Set<string>> = { codes: new Set(), texts: new Set() };

  async function load(rows: ArrayLike<number>): Promise<(Issue | null)[]> {
    const rest = createYieldIfDue();
    const issues: (Issue | null)[] = [];
    for (let start = 0; start < rows.length; start += READ_AT_ONCE) {
      const some = Array.from(
        { length: Math.min(READ_AT_ONCE, rows.length - start) },
        (_, i) => rows[start + i] ?? 0,
      );
      issues.push(...(await loadSome(some)));
      await rest();
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

  /** Reads all issues once for all fields that are wanted by then. */
  async function holdWanted(): Promise<void> {
    const fields = [...wanted.codes].filter((field) => !columns.hasField(field) && !columns.isTooLong(field));
    const texts = [...wanted.texts].filter((field) => !columns.hasTexts(field));
    wanted = { codes: new Set(), texts: new Set() };
    if (fields.length === 0 && texts.length === 0) return;
    const rest = createYieldIfDue();
    const rows = await alone(async () => {
      for (const field of fields) columns.beginField(field);
      for (const field of texts) columns.beginTexts(field);
      return columns.rowsByCreation();
    });
    for (let start = 0; start < rows.length; start += READ_AT_ONCE) {
      await alone(async () => {
        signal.throwIfAborted();
        const some = Array.from(rows.subarray(start, start + READ_AT_ONCE));
        const issues = await loadSome(some);
        for (const field of fields) columns.fillField(field, some, issues);
        for (const field of texts) columns.fillTexts(field, some, issues);
      });
      if (texts.length === 0 && fields.every((field) => columns.isTooLong(field))) return;
      await rest();
    }
    await alone(async () => {
      for (const field of fields) columns.endField(field);
      for (const field of texts) columns.endTexts(field);
    });
    if (fields.length > 0) onHeld();
  }

  return {
    columns,
    load,
    async hold(field, as = 'codes') {
      const isHeld = () =>
        as === 'codes' ? columns.hasField(field) || columns.isTooLong(field) : columns.hasTexts(field);
      // Who comes while others are read waits for them, and is read with all who wait then.
      while (!isHeld()) {
        wanted[as].add(field);
        await holdings.run('', holdWanted);
      }
    },
  };
}
