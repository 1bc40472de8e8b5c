import { millisecondsInMinute } from 'date-fns/constants';
import type { Flows, WorkKind } from '../../model/flow.ts';
import type { Status } from '../../model/issue.ts';
import { defaultStatistic, type ReportRequest, type Statistic } from '../../model/request.ts';
import type { IssueFacts, Provenance } from '../../model/table.ts';
import type { ReportingApi } from '../reporting/reporting-api.ts';
import { flowAt, flowFields, flowOfIssue, isStarted } from './issue-flow.ts';
import { outcomesRequest } from './issue-outcomes.ts';
import type { IssuesInput, Span, TimesByKind } from './outcomes-api.ts';
import { observedStatuses } from './read-table.ts';

const sum: Statistic = { ...defaultStatistic, type: 'sum' };

/** The request for the time of issues in each status within a span. */
export function requestWithin({ start, end }: Span, issues: IssuesInput, flows: Flows): ReportRequest {
  const trim = { from: start, to: end };
  return { ...outcomesRequest(issues, flows), trim, fields: flowFields(flows) };
}

/** Working ms that these issues together spent in each status that is not done within a span, as far as it is known. */
export async function timeWithin(
  span: Span,
  issues: IssuesInput,
  flows: Flows,
  reporting: Pick<ReportingApi, 'report'>,
): Promise<TimesByKind> {
  const isOne = flows.all.length === 1;
  const request = { ...requestWithin(span, issues, flows), statistic: isOne ? sum : null };
  const { rows, issues: listed } = await reporting.report(request);
  const times = new Map<string, Map<WorkKind, number>>();
  for (const [i, { cells }] of rows.entries()) {
    const facts = listed[i];
    const own =
      isOne || facts === undefined ? { flow: flowAt(flows, 0), counts: true } : flowOfIssue(facts, flows);
    if (!own.counts) continue;
    for (const [id, { value }] of Object.entries(cells).filter(([id]) => own.flow.kindOf(id) !== 'done'))
      addTime(times, id, own.flow.kindOf(id), Number(value));
  }
  return times;
}

/** Adds a time (ms) to those of a status and a kind. */
export function addTime(
  times: Map<string, Map<WorkKind, number>>,
  id: string,
  kind: WorkKind,
  ms: number,
): void {
  const own = times.get(id) ?? new Map<WorkKind, number>();
  times.set(id, own.set(kind, (own.get(kind) ?? 0) + ms));
}

/** The time in each status, whatever it counts as. */
export function timesOfStatuses(times: TimesByKind): ReadonlyMap<string, number> {
  return new Map([...times].map(([id, own]) => [id, own.values().reduce((sum, ms) => sum + ms, 0)]));
}

/** The last moment of a span, or of as much of it as is over. A hosted service has dates to the minute. */
export function lastMoment(
  { end }: Pick<Span, 'end'>,
  { asOf, tracker }: Pick<Provenance, 'asOf' | 'tracker'>,
): Span {
  const ms = tracker === 'hosted' ? millisecondsInMinute : 1;
  const last = Math.floor(Math.min(end, asOf) / ms) * ms;
  return { start: last - ms, end: last };
}

/** The issues that were started and not done for most of a moment, with the status, and how many there are. */
export async function issuesInProgress(
  moment: Span,
  issues: Omit<IssuesInput, 'calendar'>,
  { known, flows }: { readonly known: readonly Status[]; readonly flows: Flows },
  reporting: Pick<ReportingApi, 'report'>,
): Promise<{
  readonly found: readonly { readonly facts: IssueFacts; readonly status: string }[];
  readonly of: number;
}> {
  const table = await reporting.report(requestWithin(moment, { ...issues, calendar: 'normalHours' }, flows));
  const { kindOf } = flowAt(flows, 0);
  const titles = new Map(observedStatuses(table, known, kindOf).map(({ id, name }) => [id, name]));
  const found = table.issues.flatMap((facts, i) => {
    const row = table.rows[i];
    const own = flowOfIssue(facts, flows);
    const started = Object.entries(row?.issueKey === facts.key ? row.cells : {})
      .filter(([id]) => isStarted(own.flow.kindOf(id)))
      .map(([id, { value }]) => ({ title: titles.get(id) ?? '', ms: Number(value) }))
      .toSorted((a, b) => b.ms - a.ms);
    const ms = started.reduce((sum, one) => sum + one.ms, 0);
    const isMost = own.counts && 2 * ms > moment.end - moment.start;
    return isMost ? [{ facts, status: started[0]?.title ?? '' }] : [];
  });
  return { found, of: table.issues.length };
}

/**
 * The share of active time in active and waiting time; null without any of these, or where nothing waits or is blocked.
 * `blockedMs`: the part of the active time in which issues were blocked, which is not active.
 */
export function flowEfficiency(within: TimesByKind, blockedMs = 0): number | null {
  const [active, waiting] = (['active', 'waiting'] as const).map((kind) =>
    within.values().reduce((sum, times) => sum + (times.get(kind) ?? 0), 0),
  );
  return active === undefined || waiting === undefined || waiting + blockedMs === 0
    ? null
    : (active - blockedMs) / (active + waiting);
}
