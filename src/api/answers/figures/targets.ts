import { createYieldIfDue } from '../../../concurrency/cooperative-yield.ts';
import type { CompiledFlow } from '../../../model/flow.ts';
import type { Instant } from '../../../model/issue.ts';
import { reportIds } from '../../../model/report-ids.ts';
import { type AudienceScope, ask } from '../../../model/request.ts';
import type { CalendarFacts } from '../../../model/table.ts';
import {
  type Calendar,
  calendarOf,
  dayLengthMs,
  normalHours,
  workedBy,
  workedSince,
} from '../../../time/calendar.ts';
import { periodAt } from '../../../time/periods.ts';
import { isStarted } from '../../outcomes/issue-flow.ts';
import type { OpenGroup, OpenInput, OpenIssue, OpenIssues } from '../../outcomes/outcomes-api.ts';
import { emptyScope, mergeScopes, type ReadVisit, readVisits } from '../../outcomes/read-table.ts';
import type { Aging, AgingIssue } from '../aging/aging-answer.ts';
import type { AnswerContext, AnswerParts } from '../question-kind.ts';
import { USUAL_PERCENT } from './usual-times.ts';

/** The time (working ms) within which a share of the issues is to be finished: as it was set, or as it was learned. */
export interface AppliedTarget {
  readonly percent: number;
  readonly withinMs: number;
  readonly source: 'set' | 'learned';
}

/** The calendar of an answer, by the id of its question and as it was found. */
interface TargetInput {
  readonly calendar: string;
  readonly facts: CalendarFacts;
  /** Issues that were finished up to this instant are learned from; by default, to that of the answer. */
  readonly until?: Instant;
}

/** Finds the targets of projects and of the flows of their issues. Only those that are not set are learned. */
export async function readTargets(
  flowsOf: ReadonlyMap<string, ReadonlySet<CompiledFlow>>,
  { calendar, facts, until }: TargetInput,
  { principal, asOf, parts }: AnswerContext<Pick<AnswerParts, 'cyclePercentiles'>>,
) {
  const dayMs = dayLengthMs(facts, 'businessDays');
  const learned = new Map<string, AppliedTarget>();
  let contents: AudienceScope | null = emptyScope;
  for (const [project, flows] of flowsOf) {
    if ([...flows].every(({ target }) => target !== null)) continue;
    const { p85, contents: scope } = await parts.cyclePercentiles(principal, project, calendar, asOf, until);
    // Without a target, nothing is shown of the issues that were looked at. One of no time would be missed at the start.
    if (p85 === null || p85 === 0) continue;
    learned.set(project, { percent: USUAL_PERCENT, withinMs: p85, source: 'learned' });
    contents = mergeScopes(contents, scope);
  }
  return {
    /** The target of the issues of a project (its key, upper case) that are work of a flow; null: none was set, and too few were finished to learn it. */
    of: (project: string, { target }: CompiledFlow): AppliedTarget | null =>
      target === null
        ? (learned.get(project) ?? null)
        : { percent: target.percent, withinMs: target.days * dayMs, source: 'set' },
    /** The scope of the issues from which some were learned; null where it is unknown. */
    contents,
  };
}

/** Sums up targets; null of none. Of different ones there is no percent and no time, and `mixed` says so. */
export function commonTarget(
  targets: readonly AppliedTarget[],
): Omit<NonNullable<Aging['target']>, 'missed' | 'dueToday'> | null {
  const [first] = targets;
  if (first === undefined) return null;
  const isSame = targets.every(
    ({ percent, withinMs, source }) =>
      percent === first.percent && withinMs === first.withinMs && source === first.source,
  );
  return isSame ? first : { percent: null, withinMs: null, source: 'mixed' };
}

/** A started issue by its index in the groups of open issues, its flow and target. */
export interface StartedIssue {
  readonly group: OpenGroup;
  readonly index: number;
  readonly flow: CompiledFlow;
  readonly target: AppliedTarget;
  /** The working time that is left until it reaches its target; negative where it has missed it, NaN where that is unknown. */
  readonly leftMs: number;
}

/** Started issues compared with their targets. */
export interface TargetedIssues extends Pick<Aging, 'target'> {
  /** Those that reach their target on the day of the answer, or did so since `since`, the first to do so first. */
  reached(): Promise<readonly StartedIssue[]>;
  /** The issues of a group that have a target. */
  startedIn(group: OpenGroup): Iterable<StartedIssue>;
  /** The scope of the issues from which targets were learned; null where it is unknown. */
  readonly contents: AudienceScope | null;
  /** The targets of some issues, by key; none of those that have no target, or no known cycle time so far. */
  targetsOf(issues: readonly OpenIssue[]): Promise<ReadonlyMap<string, AgingIssue['target']>>;
}

/** The calendar of a question, and the zone of its days. */
interface TargetedInput extends Pick<OpenInput, 'calendar'> {
  readonly timeZone: string;
  /** By default the start of the day of the answer. */
  readonly since?: Instant;
}

/** Compares the cycle times so far with the targets of the issues, as of the instant they were counted at. */
export async function compareWithTargets(
  open: OpenIssues,
  { calendar: id, timeZone, since }: TargetedInput,
  context: AnswerContext,
): Promise<TargetedIssues> {
  const { principal, asOf, parts } = context;
  const { groups, provenance } = open;
  const flowsOf = new Map<string, Set<CompiledFlow>>();
  const started = groups.filter(({ isStarted: hasBegun }) => hasBegun);
  const pace = createYieldIfDue();
  for (const { project, work, flowAt } of started) {
    await pace();
    const flows = flowsOf.get(project) ?? new Set();
    for (let index = 0; index < work.length; index += 1) {
      const flow = flowAt(index);
      if (flow !== null) flows.add(flow);
    }
    flowsOf.set(project, flows);
  }
  const targets = await readTargets(flowsOf, { calendar: id, facts: provenance.calendar }, context);
  const calendar = await findCalendar(provenance.calendar, context);
  const day = periodAt(asOf, 'Day', timeZone);
  const todayMs = calendar?.between(asOf, day.end) ?? 0;
  const begin = since ?? day.start;
  const passedMs = calendar?.between(begin, asOf) ?? 0;
  function* startedIn(group: OpenGroup): Generator<StartedIssue, undefined> {
    const { project, work, flowAt } = group;
    for (const [index, workMs] of work.entries()) {
      const flow = flowAt(index);
      const target = flow === null ? null : targets.of(project, flow);
      if (flow !== null && target !== null)
        yield { group, index, flow, target, leftMs: target.withinMs - workMs };
    }
  }
  const reached: StartedIssue[] = [];
  let [missed, dueToday] = [0, 0];
  for (const group of started) {
    await pace();
    for (const one of startedIn(group)) {
      const { leftMs } = one;
      if (leftMs < 0) missed += 1;
      // One that has reached it misses it with the next moment of work.
      else if (leftMs <= todayMs && todayMs > 0) dueToday += 1;
      if (leftMs >= -passedMs && leftMs <= todayMs && todayMs + passedMs > 0) reached.push(one);
    }
  }
  const all = [...flowsOf].flatMap(([project, flows]) =>
    [...flows].flatMap((flow) => targets.of(project, flow) ?? []),
  );
  const common = commonTarget(all);
  const targeted: TargetedIssues = {
    target: common === null ? null : { ...common, missed, dueToday },
    contents: targets.contents,
    startedIn,
    async reached() {
      // A clock that stood still may have reached its target before.
      const mayBeBefore = ({ flow, leftMs }: StartedIssue) => flow.pauses && leftMs < 0;
      const ofPaused = await targeted.targetsOf(await open.issues(reached.filter(mayBeBefore)));
      const isBefore = (key: string) => (ofPaused.get(key)?.dueAt ?? asOf) < begin;
      return reached
        .filter((one) => !mayBeBefore(one) || !isBefore(one.group.keyAt(one.index)))
        .toSorted((a, b) => a.leftMs - b.leftMs);
    },
    async targetsOf(issues) {
      const targeted = issues.flatMap(({ key, project, flow, workMs }): TargetedIssue[] => {
        const target = flow === null || workMs === null ? null : targets.of(project, flow);
        return flow === null || workMs === null || target === null ? [] : [{ key, flow, workMs, target }];
      });
      // Only the stays show when a clock that pauses reached the target.
      const paused = targeted.filter((one) => one.flow.pauses && leftMsOf(one) <= 0).map(({ key }) => key);
      const selection = { by: 'keys', keys: paused } as const;
      const reportType = reportIds.statusDurationExpanded;
      const request = { principal, asOf, calendar: id, selection, reportType, includeDeletedStatuses: true };
      const visits = paused.length === 0 ? [] : readVisits(await parts.reporting.report(ask(request)));
      const visitsOf = Map.groupBy(visits, ({ facts }) => facts.key);
      return new Map(
        targeted.map((one) => [
          one.key,
          {
            ...one.target,
            isMissed: leftMsOf(one) < 0,
            dueAt: calendar === null ? null : dueAt(one, visitsOf.get(one.key) ?? null, calendar, asOf),
          },
        ]),
      );
    },
  };
  return targeted;
}

/** A started issue, its cycle time so far, and its target. */
interface TargetedIssue extends Pick<OpenIssue, 'key'> {
  readonly flow: CompiledFlow;
  readonly workMs: number;
  readonly target: AppliedTarget;
}

/** The working time that is left until an issue reaches its target; negative where it has missed it. */
function leftMsOf({ workMs, target }: TargetedIssue): number {
  return target.withinMs - workMs;
}

/** The calendar of an answer; null where it is gone meanwhile. */
async function findCalendar(
  { id, name, continuous }: CalendarFacts,
  { principal, parts }: AnswerContext,
): Promise<Calendar | null> {
  if (id === null && continuous) return normalHours;
  const all = await parts.calendars(principal);
  const definition = all.find((one) => (id === null ? one.name === name : one.id === id));
  return definition === undefined ? null : calendarOf(definition);
}

/** When the clock of an issue reaches its target; `visits` where it may have paused before now. */
function dueAt(
  issue: TargetedIssue,
  visits: readonly ReadVisit[] | null,
  calendar: Calendar,
  asOf: Instant,
): Instant | null {
  const { flow, target } = issue;
  const leftMs = leftMsOf(issue);
  if (leftMs > 0) return workedBy(calendar, asOf, leftMs);
  if (visits === null) return workedSince(calendar, asOf, -leftMs);
  const kindOf = ({ status }: ReadVisit) => (status === null ? 'unknown' : flow.kindOf(status.id));
  let left = target.withinMs;
  for (const visit of visits.slice(visits.findIndex((one) => isStarted(kindOf(one))))) {
    if (kindOf(visit) === 'queue') continue;
    const { start, end } = visit;
    const ms = calendar.between(start, end ?? asOf);
    if (ms >= left) return workedBy(calendar, start, left);
    left -= ms;
  }
  return null;
}
