import type { YieldIfDue } from '../../concurrency/cooperative-yield.ts';
import { LoadedColumns } from '../../engine/columns/loaded-columns.ts';
import { issueFinish } from '../../engine/measure/issue-finish.ts';
import { contentAsOf } from '../../engine/measure/own-cells.ts';
import { visitsAsOf } from '../../engine/visits/timeline.ts';
import type { Instant, Issue, Status } from '../../model/issue.ts';
import type { IssueThen, Loaded } from '../jql/jql.ts';
import type { QueryWorld } from './query-context.ts';
import { type Read, rowIssues, slicesOf } from './selected-issues.ts';

/** Issues in one set of columns: evaluating them takes some milliseconds at most. */
const LOADED_TOGETHER = 32;

/** An issue as it was at an instant, with the categories of statuses by their ids. */
export function issueThen(
  issue: Issue,
  asOf: Instant,
  statuses: ReadonlyMap<string, Pick<Status, 'category'>>,
): IssueThen {
  return {
    issue,
    contentOf: (field) => contentAsOf(issue, field, asOf),
    visitsOf: (field) => visitsAsOf(issue, field, asOf),
    finish: () => issueFinish(issue, asOf, (id) => statuses.get(id)?.category ?? 'Undefined'),
  };
}

/** The context in which the issues of rows are loaded. `read`: issues as the principal can read them. */
export interface LoadContext {
  readonly asOf: Instant;
  readonly world: QueryWorld;
  readonly read: Read;
  readonly pace: YieldIfDue;
}

/** Columns of the issues of some rows that are still there, as the principal can read them, a few at a time with their rows. */
export async function* loadedColumns(
  rows: Uint32Array,
  { asOf, world, read, pace }: LoadContext,
): AsyncGenerator<{ readonly loaded: Loaded; readonly rows: readonly number[] }> {
  const { columns } = world.table;
  for await (const slice of slicesOf(rowIssues(rows, world, 0), read)) {
    for (let start = 0; start < slice.length; start += LOADED_TOGETHER) {
      const rest = pace();
      if (rest !== null) await rest;
      const issues = slice.slice(start, start + LOADED_TOGETHER);
      yield {
        loaded: new LoadedColumns(issues.map((issue) => issueThen(issue, asOf, world.vocabulary.statuses))),
        rows: issues.map(({ key }) => columns.rowOf(key)),
      };
    }
  }
}
