import {
  createYieldIfDue,
  detached,
  type YieldIfDue,
  yieldToOthers,
} from '../../concurrency/cooperative-yield.ts';
import { addRowFacts, noFacts, type RowFacts } from '../../engine/columns/choose-rows.ts';
import type { WantedField } from '../../engine/columns/field-part.ts';
import { MissingColumn } from '../../engine/columns/held-fields.ts';
import type { IssueColumns } from '../../engine/columns/issue-columns.ts';
import { isVisible, sees } from '../../engine/columns/visibility.ts';
import type { IssueTable } from '../../mirror/issue-table.ts';
import { badRequestAs } from '../../model/error.ts';
import type { Instant, Issue } from '../../model/issue.ts';
import { changesOf, projectKeyOf, restrictionOf } from '../../model/issues/issue-fields.ts';
import { isValue } from '../../model/issues/value-sets.ts';
import type { HasColumn } from '../jql/jql.ts';
import { isOwn } from './access-rules.ts';
import { LOADED_AT_ONCE } from './single-rows.ts';
import type { VisibleIssues } from './visible-issues.ts';

/** The issues a question is about, in its order, at hand or in rows; those that are gone by then are not loaded. */
export interface SelectedIssues {
  readonly count: number;
  /** The number of other issues of which it is unknown whether they belong to these. */
  readonly unknown: number;
  /** The rows they are in; null: they are at hand. */
  readonly rowSelection: RowSelection | null;
  /** Those from one index to another, few enough to be held in memory. */
  load(from: number, to: number): Promise<readonly Issue[]>;
  /** Those from one index to another as a selection of their own. */
  part(from: number, to: number): SelectedIssues;
  /** Those at these indexes. */
  at(indexes: ArrayLike<number>): SelectedIssues;
  keyAt(index: number): string;
  /** The index of the issue with a key; -1: it is not among them. */
  indexOf(key: string): number;
}

/** Issues in rows. */
interface RowSelection {
  readonly rows: Uint32Array;
  readonly visible: VisibleIssues;
  /** Facts of all of them together; null where these are not found yet. */
  readonly facts: RowFacts | null;
}

/** The issues of a question, and those of its pages. */
export interface ChosenIssues {
  /** All of them, not in the question's order. */
  readonly all: SelectedIssues;
  /** Those from one index to another in the question's order; no more than these are put in order. */
  span(from: number, to: number): Promise<SelectedIssues>;
}

/** All of them in the question's order. */
export function inOrder({ all, span }: ChosenIssues): Promise<SelectedIssues> {
  return span(0, all.count);
}

/** Issues that are in the order of their question already. */
export function inOwnOrder(all: SelectedIssues): ChosenIssues {
  return { all, span: async (from, to) => all.part(from, to) };
}

/** Issues that need not be loaded. */
export function loadedIssues(issues: readonly Issue[], unknown: number): SelectedIssues {
  return {
    count: issues.length,
    unknown,
    rowSelection: null,
    load: async (from, to) => issues.slice(from, to),
    part: (from, to) => loadedIssues(issues.slice(from, to), unknown),
    at: (indexes) => loadedIssues(Array.from(indexes, (index) => issues[index] ?? []).flat(), unknown),
    keyAt: (index) => issues[index]?.key ?? '',
    indexOf: (key) => issues.findIndex((issue) => issue.key === key),
  };
}

/** Issues in rows, in the order of these; one that the principal cannot see any more is as good as gone. */
export function rowIssues(
  rows: Uint32Array,
  visible: VisibleIssues,
  unknown: number,
  facts: RowFacts | null = null,
): SelectedIssues {
  const { columns } = visible.table;
  return {
    count: rows.length,
    unknown,
    rowSelection: { rows, visible, facts },
    async load(from, to) {
      const issues = await loadVisible(visible, rows.subarray(from, to));
      return issues.filter((issue) => issue !== null);
    },
    part: (from, to) => rowIssues(rows.subarray(from, to), visible, unknown),
    at(indexes) {
      const some = new Uint32Array(indexes.length);
      for (let i = 0; i < some.length; i += 1) some[i] = rows[indexes[i] ?? 0] ?? 0;
      return rowIssues(some, visible, unknown);
    },
    keyAt: (index) => columns.keyOf(rows[index] ?? 0),
    indexOf: (key) => rows.indexOf(columns.rowOf(key)),
  };
}

/** The issues of some rows, in their order; null where one is gone, or the principal cannot see it any more. */
export async function loadVisible(
  { table, visibility }: Pick<VisibleIssues, 'table' | 'visibility'>,
  rows: Uint32Array,
): Promise<readonly (Issue | null)[]> {
  const { columns } = table;
  const arrays = columns.arrays();
  const classes = rows.map((row) => arrays.accessClass[row] ?? 0);
  const isOpen = Array.from(rows, (row) => isVisible(arrays, row, visibility));
  const issues = await table.load(rows);
  // One that was restricted since, or has other people, is not what the principal was found to be allowed to see.
  return issues.map((issue, i) => {
    const accessClass = classes[i] ?? 0;
    if (issue === null || isOpen[i] !== true || !columns.classes.covers(accessClass, issue)) return null;
    const needsOwn = visibility.classes[accessClass] === sees.own && restrictionOf(issue) !== null;
    return !needsOwn || isOwn(issue, visibility.account) ? issue : null;
  });
}

/** Up to this number issues are read sooner than columns are made for them. */
export const FEW_ISSUES = 2_000;

/** Issues in rows where their columns are the shorter way to what they hold of some fields; null: reading each is. */
export function rowSelectionFor(
  { rowSelection, count }: SelectedIssues,
  fields: readonly { id: string }[],
): RowSelection | null {
  if (rowSelection === null || count > FEW_ISSUES) return rowSelection;
  const { columns } = rowSelection.visible.table;
  return fields.every(({ id }) => id.startsWith('calc:') || columns.hasField(id)) ? rowSelection : null;
}

/** Issues as the principal can read them. */
export type Read = (issues: readonly Issue[]) => Promise<readonly Issue[]>;

/** All issues as the principal can read them, a slice at a time. */
export async function* slicesOf(selected: SelectedIssues, read: Read): AsyncGenerator<readonly Issue[]> {
  for (let start = 0; start < selected.count; start += LOADED_AT_ONCE) {
    if (start > 0) await yieldToOthers();
    yield await read(await selected.load(start, Math.min(selected.count, start + LOADED_AT_ONCE)));
  }
}

/** Goes through them all as the principal can read them, and lets others go on meanwhile. */
export async function eachIssue(
  selected: SelectedIssues,
  { read, pace }: { readonly read: Read; readonly pace: YieldIfDue },
  use: (issue: Issue) => void | Promise<void>,
): Promise<void> {
  for await (const slice of slicesOf(selected, read)) {
    for (const issue of slice) {
      const pause = pace();
      if (pause !== null) await pause;
      await use(issue);
    }
  }
}

/**
 * Makes something of columns. What it asks for and they do not have, or fails for, is read, and it is made again; a field that is
 * too long is refused.
 */
export async function withColumns<Result>(
  table: IssueTable,
  make: (hasColumn: HasColumn) => Result | Promise<Result>,
): Promise<Result> {
  const { columns } = table;
  const leases: (() => void)[] = [];
  const hold = ({ field, as }: WantedField) => {
    if (as === 'codes' && columns.isTooLong(field)) {
      const sentence = `The field '${field}' has too much text to be compared. Try: another field.`;
      throw badRequestAs('too-large', sentence, { field });
    }
    // A history that was read for this stays until this is made, however much others need meanwhile.
    if (as === 'history') leases.push(columns.histories.lease(field));
    return table.hold(field, as);
  };
  try {
    for (;;) {
      const missing: WantedField[] = [];
      try {
        const made = await make((field, as = 'codes') => {
          const { histories } = columns;
          const isThere =
            as === 'history' ? histories.has(field) || histories.isTooLong(field) : columns.hasField(field);
          if (!isThere) missing.push({ field, as });
          return isThere;
        });
        if (missing.length === 0) return made;
      } catch (error) {
        if (!(error instanceof MissingColumn)) throw error;
        missing.push(...error.wanted);
      }
      await Promise.all(missing.map(hold));
    }
  } finally {
    for (const release of leases) release();
  }
}

/** One part of all issues: fewer are read again and again before the texts of all are. */
const MUCH_TO_READ = 1 / 8;

/** Has columns hold the texts of fields once too many issues would have to be read for them; false where nothing is new. */
export async function holdTexts(
  table: IssueTable,
  fields: readonly string[],
  toRead: number,
): Promise<boolean> {
  const missing = fields.filter((field) => !table.columns.hasTexts(field));
  if (missing.length === 0 || toRead <= table.columns.size * MUCH_TO_READ) return false;
  await Promise.all(missing.map((field) => table.hold(field, 'texts')));
  return true;
}

/** Rows of one part, which takes a millisecond or two. */
const ROWS_AT_ONCE = 2 ** 14;

/** Parts of rows, with time for others between them. */
export async function* partsOf(rows: Uint32Array, pace: YieldIfDue): AsyncGenerator<Uint32Array> {
  for (let start = 0; start < rows.length; start += ROWS_AT_ONCE) {
    await pace();
    yield rows.subarray(start, start + ROWS_AT_ONCE);
  }
}

/** Facts of all issues of a question that are needed before they are measured. */
interface SelectedFacts {
  readonly issues: number;
  readonly cutHistories: number;
  /** When the first was created; no later than `asOf`. */
  readonly born: Instant;
  /** The number of issues of each access class; null for issues at hand. */
  readonly classes: readonly number[] | null;
  /** Ids of all people they are or were assigned to, and perhaps of others. */
  assignees(): ReadonlySet<string>;
}

/** The facts of some issues; of all visible ones they are found once. */
export async function factsOf(
  { count, rowSelection, load }: SelectedIssues,
  { asOf, pace }: { readonly asOf: Instant; readonly pace: YieldIfDue },
): Promise<SelectedFacts> {
  if (rowSelection === null) {
    const issues = await load(0, count);
    return {
      issues: issues.length,
      classes: null,
      born: issues.reduce((born, { created }) => Math.min(born, created), asOf),
      cutHistories: issues.filter(({ history }) => !history.complete).length,
      assignees() {
        const people = issues.flatMap((issue) => [
          issue.assignee,
          ...changesOf(issue, 'assignee').flatMap(({ from, to }) => [from, to]),
        ]);
        return new Set(people.flatMap((person) => person?.id ?? []));
      },
    };
  }
  const { rows, visible } = rowSelection;
  const { columns } = visible.table;
  const isAll = rows.length === visible.count && rows.buffer === visible.rows().buffer;
  const found = await (isAll ? factsOfAll(visible) : (rowSelection.facts ?? passOver(rows, columns, pace)));
  return {
    issues: count,
    ...found,
    born: Math.min(asOf, found.born),
    assignees() {
      const values = columns.values('assignee').contents();
      return new Set(values.flatMap((one) => (isValue(one) ? one.id : [])));
    },
  };
}

/** The number of issues in each project, by the project's key. */
export async function projectCounts(
  selected: SelectedIssues,
  how: { readonly asOf: Instant; readonly pace: YieldIfDue },
): Promise<ReadonlyMap<string, number>> {
  const { rowSelection, count } = selected;
  const { classes } = await factsOf(selected, how);
  const counts = new Map<string, number>();
  const add = (key: string, more: number) => counts.set(key, (counts.get(key) ?? 0) + more);
  if (rowSelection === null || classes === null) {
    for (const issue of await selected.load(0, count)) add(projectKeyOf(issue), 1);
    return counts;
  }
  for (const [code, issues] of classes.entries()) {
    const { projectKey = '' } = rowSelection.visible.table.columns.classes.all[code] ?? {};
    if (issues > 0) add(projectKey, issues);
  }
  return counts;
}

function factsOfAll({ table, rows, facts }: VisibleIssues): Promise<RowFacts> {
  const all = rows();
  if (facts.ofAll?.rows !== all) {
    // The first request may end; others for the same issues still wait.
    facts.ofAll = { rows: all, found: detached(() => passOver(all, table.columns, createYieldIfDue())) };
  }
  return facts.ofAll.found;
}

/** One pass, in turns. */
async function passOver(rows: Uint32Array, columns: IssueColumns, pace: YieldIfDue): Promise<RowFacts> {
  const facts = noFacts();
  for await (const part of partsOf(rows, pace)) addRowFacts(facts, part, columns.arrays());
  return facts;
}
