import type { YieldIfDue } from '../../concurrency/cooperative-yield.ts';
import { STATUS_CODE } from '../../engine/columns/column-arrays.ts';
import { scopesOf } from '../../engine/measure/own-cells.ts';
import type { MeasureContext } from '../../engine/reports/measuring/report-type.ts';
import type { FieldValue, Instant, Status } from '../../model/issue.ts';
import { changesOf } from '../../model/issues/issue-fields.ts';
import { eachIssue, type Read, type SelectedIssues } from './selected-issues.ts';
import { isValue } from './visible-issues.ts';

/** The statuses that issues were in within the time of a question, as far as they need their project beside their name. */
export async function namesakesMet(
  selected: SelectedIssues,
  {
    context: { asOf, trim },
    statuses,
    ...reading
  }: {
    readonly context: Pick<MeasureContext, 'asOf' | 'trim'>;
    readonly statuses: ReadonlyMap<string, Status>;
    readonly read: Read;
    readonly pace: YieldIfDue;
  },
): Promise<readonly Status[]> {
  if (scopesOf(statuses.values()).size === 0) return [];
  const within = {
    from: trim.from ?? Number.NEGATIVE_INFINITY,
    until: Math.min(asOf, trim.to ?? Number.POSITIVE_INFINITY),
  };
  const met = await statusesMet(selected, within, reading);
  return [...met].flatMap((id) => statuses.get(id) ?? []);
}

/** The ids of the statuses that issues were in within a time. */
async function statusesMet(
  selected: SelectedIssues,
  { from, until }: { readonly from: Instant; readonly until: Instant },
  reading: { readonly read: Read; readonly pace: YieldIfDue },
): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  const meet = (value: FieldValue | null) => {
    if (value !== null) ids.add(value.id);
  };
  const { rowSelection } = selected;
  if (rowSelection === null) {
    await eachIssue(selected, reading, (issue) => {
      let now: FieldValue | null = issue.status;
      let isMet = true;
      for (const { at, from: before } of changesOf(issue, 'status').toReversed()) {
        if (isMet && at <= until) meet(now);
        now = before;
        isMet = at > from;
      }
      if (isMet && issue.created <= until) meet(now);
    });
    return ids;
  }
  const { columns } = rowSelection.visible.table;
  await columns.reading(async () => {
    const { statusAt, statusCount, visitStart, visitStatus } = columns.arrays();
    const codes = new Set<number>();
    for (const row of rowSelection.rows) {
      const first = statusAt[row] ?? 0;
      const end = first + (statusCount[row] ?? 0);
      for (let visit = first; visit < end; visit += 1) {
        const left = visit + 1 < end ? (visitStart[visit + 1] ?? 0) : Number.POSITIVE_INFINITY;
        if ((visitStart[visit] ?? 0) <= until && left > from)
          codes.add((visitStatus[visit] ?? 0) & STATUS_CODE);
      }
    }
    const values = columns.values('status');
    for (const code of codes) {
      const value = values.at(code);
      if (isValue(value)) meet(value);
    }
  });
  return ids;
}
