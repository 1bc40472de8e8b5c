import { nullOn } from '../../../model/error.ts';
import type { CompiledFlow } from '../../../model/flow.ts';
import type { Instant } from '../../../model/issue.ts';
import { projectKeyOf } from '../../../model/issues/issue-fields.ts';
import { reportIds } from '../../../model/report-ids.ts';
import { type AudienceScope, ask, type Principal, type ReportRequest } from '../../../model/request.ts';
import { cellOf, type IssueFacts, type Table } from '../../../model/table.ts';
import type { IssueReason } from '../../nudges/nudges-api.ts';
import { flowFields, flowOfIssue, isStarted, withFlows } from '../../outcomes/issue-flow.ts';
import { namedIssue, type ReadVisit, readVisits, visitedStatuses } from '../../outcomes/read-table.ts';
import type { ReportingApi } from '../../reporting/reporting-api.ts';
import type { BlockedTimes } from '../figures/blocked-times.ts';
import type { CurrentStage, IssueSummary, StageTime, UsualTime } from './issue-answer.ts';

/** An issue, its usual time, and its time by something else than its statuses where the question says so. */
export interface IssueAnswer extends IssueSummary {
  readonly usual: UsualTime | null;
  /** Null where that is unknown. */
  readonly blocked: BlockedTimes | null;
  /** The principal is its assignee. */
  readonly isOwn: boolean;
  /** The latest answer to a nudge about it; null: there is none. */
  readonly reason: IssueReason | null;
  readonly by: {
    readonly table: Table;
    readonly request: ReportRequest;
    /** The status whose moves `table` has, where it is of moves. */
    readonly to: { readonly name: string; readonly ids: readonly string[] } | null;
  } | null;
  /** The scope of the answer without `usual`. */
  readonly ownScope: AudienceScope | null;
}

/** Summarizes one issue until an instant; `unknown-issue` where the principal cannot see it. Of other issues it takes the order of statuses alone. */
export async function summarizeIssue(
  reporting: ReportingApi,
  principal: Principal,
  key: string,
  { calendar, asOf: requested }: Pick<ReportRequest, 'calendar' | 'asOf'> = {
    calendar: 'normalHours',
    asOf: null,
  },
): Promise<IssueSummary> {
  const selection = { by: 'keys', keys: [key.toUpperCase()] } as const;
  const whole = { principal, selection, calendar, includeDeletedStatuses: true };
  // While the tracker is read for the first time nothing but single issues is known.
  const flows = await reporting.flows(principal).catch(nullOn('unavailable'));
  const typeFields = flows === null ? [] : flowFields(flows);
  const table = await reporting.report(
    ask({
      ...whole,
      reportType: reportIds.statusDuration,
      asOf: requested,
      fields: ['status', 'assignee', ...typeFields],
    }),
  );
  const [facts] = table.issues;
  if (facts === undefined) throw new Error(`The report lost the issue ${key}`);
  const { asOf } = table.provenance;
  const expanded = await reporting.report(
    ask({ ...whole, reportType: reportIds.statusDurationExpanded, asOf }),
  );
  const readable = await reporting.statuses(principal).catch(nullOn('unavailable'));
  const known = readable ?? [];
  const flow = flows === null ? null : flowOfIssue(facts, flows).flow;
  const kindOf = flow?.kindOf ?? (() => 'unknown' as const);
  const categories = new Map(known.map(({ id, category }) => [id, category]));
  const visits = readVisits(expanded);
  // The statuses are those of one issue: names that other projects use as well need no addition.
  const statuses = visitedStatuses(visits, known, kindOf);
  const phases = phasesOf(visits, facts, kindOf);
  const [current] = facts.current;
  const timesOf = (some: readonly ReadVisit[]): StageTime[] =>
    statuses.flatMap(({ id, name, category, kind }) => {
      const own = some.filter(({ status }) => status?.id === id);
      if (own.length === 0) return [];
      const now = current?.columnId === id && own.some(({ end }) => end === null);
      const spentMs = own.reduce((sum, visit) => sum + visit.ms, 0);
      return [{ id, name, category, kind, visits: own.length, spentMs, now }];
    });
  const stages = timesOf(phases.stages);
  return {
    ...namedIssue(facts),
    project: projectKeyOf(facts).toUpperCase(),
    created: facts.created,
    before: timesOf(phases.before),
    stages,
    after: timesOf(phases.after),
    tookMs: stages.reduce((sum, { spentMs }) => sum + spentMs, 0),
    startedAt: phases.begun,
    finish: finishOf(phases),
    reopened: phases.reopened,
    current: currentOf(facts, visits.at(-1), (id) => ({
      category: categories.get(id) ?? 'Undefined',
      kind: kindOf(id),
    })),
    statusesWithoutCategory: statuses.flatMap(({ name: title, kind }) =>
      readable !== null && kind === 'unknown' ? [title] : [],
    ),
    unknown: facts.unknown,
    history: facts.history,
    contradictions: facts.contradictions,
    provenance: flows === null ? table.provenance : withFlows(table.provenance, flows),
  };
}

/** The visits of the phases of an issue's life. */
interface Phases {
  readonly before: readonly ReadVisit[];
  readonly stages: readonly ReadVisit[];
  readonly after: readonly ReadVisit[];
  readonly begun: Instant | null;
  readonly rounds: number;
  readonly reopened: boolean;
}

/**
 * Work begins with the first visit of a started status and ends with the last move from another one to one that is done,
 * as for every cycle time (docs/metrics.md). Where the kind of a status is unknown, nothing says when work began and all
 * time until it was done is a stage; where a history is cut, all known time before it is done now is.
 */
function phasesOf(
  visits: readonly ReadVisit[],
  { unknown }: Pick<IssueFacts, 'unknown'>,
  kindOf: CompiledFlow['kindOf'],
): Phases {
  const kinds = visits.map(({ status }) => (status === null ? 'unknown' : kindOf(status.id)));
  const doneFrom = kinds.findLastIndex((kind) => kind !== 'done') + 1;
  const after = visits.slice(doneFrom);
  if (unknown !== null) {
    return { before: [], stages: visits.slice(0, doneFrom), after, begun: null, rounds: 0, reopened: false };
  }
  const begin = kinds.includes('unknown') ? -1 : kinds.findIndex(isStarted);
  const work = begin !== -1 ? begin : kinds.includes('unknown') ? 0 : doneFrom;
  // A run of statuses that are done is one finish.
  const rounds = kinds.filter((kind, i) => kind === 'done' && kinds[i - 1] !== 'done').length;
  return {
    before: visits.slice(0, work),
    stages: visits.slice(work, doneFrom),
    after,
    begun: begin === -1 ? null : (visits[begin]?.start ?? null),
    rounds,
    reopened: rounds > 0 && doneFrom === visits.length,
  };
}

function finishOf({ before, stages, after, rounds }: Phases): IssueSummary['finish'] {
  const [first] = after;
  // One that was created as done was never worked on here, and what is not known may be another round.
  if (first === undefined || before.length + stages.length === 0 || rounds === 0) return null;
  return { finishedAt: first.start, by: first.by, rounds };
}

function currentOf(
  { current: [current], cells }: IssueFacts,
  last: ReadVisit | undefined,
  countsAs: (status: string) => Pick<CurrentStage, 'category' | 'kind'>,
): CurrentStage | null {
  if (current === undefined) {
    const shown = cellOf(cells, 'status');
    if (shown?.id === undefined) return null;
    const { id, value } = shown;
    return { id, name: String(value), ...countsAs(id), since: null, forMs: null };
  }
  const { columnId: id, since } = current;
  const isLast = last?.status?.id === id && last.end === null;
  const title = (last?.status?.id === id ? last.status?.name : undefined) ?? current.title;
  return {
    id,
    name: title,
    ...countsAs(id),
    since,
    forMs: since === null || !isLast ? null : last.ms,
  };
}
