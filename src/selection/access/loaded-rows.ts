import type { YieldIfDue } from '../../concurrency/cooperative-yield.ts';
import { LoadedColumns } from '../../engine/columns/loaded-columns.ts';
import { issueFinish } from '../../engine/measure/measure-issue.ts';
import { contentAsOf, valueAsOf } from '../../engine/measure/own-cells.ts';
import { visitsAsOf } from '../../engine/visits/timeline.ts';
import type { Flows } from '../../model/flow.ts';
import type { Instant, Issue } from '../../model/issue.ts';
import { projectKeyOf } from '../../model/issues/issue-fields.ts';
import type { IssueThen, Loaded } from '../jql/jql.ts';
import type { QueryWorld } from './query-context.ts';
import { type Read, rowIssues, slicesOf } from './selected-issues.ts';

/** Issues in one set of columns: evaluating them takes some milliseconds at most. */
const LOADED_TOGETHER = 32;

/** An issue as it was at an instant. */
export function issueThen(issue: Issue, asOf: Instant, flows: Flows): IssueThen {
  return {
    issue,
    contentOf: (field) => contentAsOf(issue, field, asOf),
    visitsOf: (field) => visitsAsOf(issue, field, asOf),
    finish() {
      const { index, counts } = flows.of(
        projectKeyOf(issue).toUpperCase(),
        flows.byType ? valueAsOf(issue, 'issuetype', asOf) : null,
      );
      const flow = flows.all[index];
      const isCounted = counts && flow?.countsFinish(valueAsOf(issue, 'resolution', asOf)) === true;
      return isCounted ? issueFinish(issue, asOf, flow.kindOf) : { at: null };
    },
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
        loaded: new LoadedColumns(issues.map((issue) => issueThen(issue, asOf, world.flows))),
        rows: issues.map(({ key }) => columns.rowOf(key)),
      };
    }
  }
}
