import { createYieldIfDue, inTurns } from '../../../concurrency/cooperative-yield.ts';
import type { Part } from '../../../model/answer.ts';
import { compareIds } from '../../../model/issues/ids-and-names.ts';
import type { AudienceScope } from '../../../model/request.ts';
import { countsIn } from '../../nudges/nudges-api.ts';
import type { OpenInput, OpenIssue, OpenIssues } from '../../outcomes/outcomes-api.ts';
import { isComplete, mergeScopes, reaches } from '../../outcomes/read-table.ts';
import type { Aging, AgingIssue, DwellPercentile } from '../aging/aging-answer.ts';
import type { AnswerContext, AnswerParts, ReportingContext } from '../question-kind.ts';
import { blockedTimes } from './blocked-times.ts';
import { compareWithTargets, type TargetedIssues } from './targets.ts';

/** The open issues of an answer, and its calendar. `assignees`: only those known to be assigned to one of these users (ids). */
export interface AgingInput
  extends Pick<OpenInput, 'selection' | 'calendar'>,
    Partial<Pick<OpenInput, 'assignees'>> {
  /** The zone of its days. */
  readonly timeZone: string;
  /** Issues that are not started: only counted (`out`), or after all others (`last`). Absent: among the others. */
  readonly backlog?: 'out' | 'last';
}

/** Ages, and the scopes of their issues and of those the baselines are made from; null where a scope is unknown. */
interface AgedIssues {
  readonly aging: Aging;
  readonly issuesScope: AudienceScope | null;
  readonly baselineScope: AudienceScope | null;
  /** The keys of all issues that have an age, in their order, however many are wanted. */
  keys(): Promise<readonly string[]>;
}

/** The usual time of the issues of a project (upper case) in a status (its id). */
type BaselineOf = (project: string, statusId: string) => DwellPercentile | null;

/** As many issues can be chosen from in a menu. */
const MIN_ISSUES = 100;

/** Open issues by how long they have been in their status, compared with what is usual there. */
export async function measureAging(input: AgingInput, context: AnswerContext): Promise<AgedIssues> {
  return compareWithBaseline(await readOpen(input, context), input, context);
}

/** The open issues of an input. */
export function readOpen(
  { selection, calendar, assignees = null, backlog }: Omit<AgingInput, 'timeZone'>,
  { principal, asOf, parts }: ReportingContext,
): Promise<OpenIssues> {
  const onlyStarted = backlog === 'out';
  return parts.reporting.openIssues({ principal, asOf, calendar, selection, assignees, onlyStarted });
}

/** Open issues by age, those that are not started last, without baselines and targets. */
export function agesAlone(open: OpenIssues, { part }: Pick<AnswerParts, 'part'>): Promise<Aging> {
  const ranked = rankAges(open, () => null, true);
  return agingOf(open, ranked, { target: null, targetsOf: async () => new Map() }, part);
}

/** Open issues compared with what is usual in their status, and with their targets, as of the instant they were counted at. */
export async function compareWithBaseline(
  open: OpenIssues,
  { calendar, timeZone, backlog }: Pick<AgingInput, 'calendar' | 'timeZone' | 'backlog'>,
  context: AnswerContext,
): Promise<AgedIssues> {
  const { principal, asOf, parts } = context;
  const { dwellPercentiles } = parts;
  const baselines = await dwellPercentiles(principal, projectsOf(open), calendar, asOf);
  const helpful = new Set<string>();
  const baselineOf: BaselineOf = (project, statusId) => {
    const baseline = baselines.get(project)?.byStatus.get(statusId) ?? null;
    // Without a usual time, nothing is shown of the issues that were looked at.
    if (baseline !== null) helpful.add(project);
    return baseline;
  };
  const ranked = rankAges(open, baselineOf, backlog === 'last');
  const targeted = await compareWithTargets(open, { calendar, timeZone }, context);
  const { start, size } = parts.part;
  const aging = await agingOf(open, ranked, targeted, parts.part);
  const shown = aging.issues.slice(start, start + size).map(({ key }) => key);
  const blocked =
    shown.length === 0 ? null : await blockedTimes(shown, { principal, calendar, asOf }, parts.reporting);
  const issues = aging.issues.map((issue) => ({
    ...issue,
    blocked: blocked?.byKey.get(issue.key)?.now ?? null,
  }));
  const issuesScope = blocked === null ? open.contents : mergeScopes(open.contents, blocked.contents);
  const baselineScope = [...baselines]
    .filter(([project]) => helpful.has(project))
    .reduce<AudienceScope | null>((sum, [, { contents }]) => mergeScopes(sum, contents), targeted.contents);
  const contents = mergeScopes(issuesScope, baselineScope);
  const provenance = { ...aging.provenance, ...(contents === null ? {} : { contents }) };
  return { aging: { ...aging, issues, provenance }, issuesScope, baselineScope, keys: ranked.keys };
}

/** The projects of all issues that have an age. */
function projectsOf({ groups }: OpenIssues): readonly string[] {
  return [...new Set(groups.map(({ project }) => project))].sort();
}

async function agingOf(
  open: OpenIssues,
  ranked: RankedAges,
  { target, targetsOf }: Pick<TargetedIssues, 'target' | 'targetsOf'>,
  { start, size }: Part,
): Promise<Aging> {
  const { count, withUsual, beyondUsual } = ranked;
  const { notStarted, unknown, unclear, withoutCategory, cutHistories } = open;
  const { contents: _, ...provenance } = open.provenance;
  // A page after the last one needs no issue to be read.
  const first = await ranked.first(Math.max(start < count ? start + size : 0, MIN_ISSUES));
  const targets = await targetsOf(first.map(({ issue }) => issue));
  return {
    issues: first.map(({ issue: { flow: _flow, ...issue }, usual }) => ({
      ...issue,
      usual,
      // A usual time of 0 has no share.
      pace: usual === null || usual.p85Ms === 0 ? null : issue.ageMs / usual.p85Ms,
      target: targets.get(issue.key) ?? null,
    })),
    projects: projectsOf(open),
    total: count,
    withUsual,
    beyondUsual,
    target,
    notStarted,
    ageUnknown: unknown,
    unclear,
    statusesWithoutCategory: withoutCategory,
    // Figures are of the open issues alone.
    provenance: {
      ...provenance,
      issues: count + unknown.length + unclear.length,
      cutHistories,
      complete: isComplete(open),
    },
  };
}

/** Open issues, those furthest beyond what is usual first; those without a baseline last, by age. */
interface RankedAges {
  readonly count: number;
  readonly withUsual: number;
  readonly beyondUsual: number;
  /** The first of them, and what is usual in their status. */
  first(
    limit: number,
  ): Promise<readonly { readonly issue: OpenIssue; readonly usual: DwellPercentile | null }[]>;
  /** The keys of all of them. */
  keys(): Promise<readonly string[]>;
}

function rankAges(open: OpenIssues, baselineOf: BaselineOf, backlogLast: boolean): RankedAges {
  const groups = open.groups.map((group) => {
    const isLater = backlogLast && !group.isStarted;
    return { group, isLater, usual: isLater ? null : baselineOf(group.project, group.statusId) };
  });
  const count = open.groups.reduce((sum, { ages }) => sum + ages.length, 0);
  // By issue, group after group: its group, its index there, and its age as a share of what is usual.
  const [groupOf, indexOf, ranks] = [new Uint32Array(count), new Uint32Array(count), new Float64Array(count)];
  let [at, withUsual, beyondUsual] = [0, 0, 0];
  for (const [i, { group, usual }] of groups.entries()) {
    if (usual !== null) withUsual += group.ages.length;
    for (const [index, ageMs] of group.ages.entries()) {
      groupOf[at] = i;
      indexOf[at] = index;
      ranks[at] = rankOf(ageMs, usual);
      if (usual !== null && ageMs > usual.p85Ms) beyondUsual += 1;
      at += 1;
    }
  }
  const laterAt = (issue: number) => Number(groups[groupOf[issue] ?? 0]?.isLater);
  const ageAt = (issue: number) => groups[groupOf[issue] ?? 0]?.group.ages[indexOf[issue] ?? 0] ?? 0;
  const keyAt = (issue: number) => groups[groupOf[issue] ?? 0]?.group.keyAt(indexOf[issue] ?? 0) ?? '';
  const compare = (a: number, b: number) =>
    laterAt(a) - laterAt(b) ||
    compareNumbers(ranks[b] ?? 0, ranks[a] ?? 0) ||
    ageAt(b) - ageAt(a) ||
    compareIds(keyAt(a), keyAt(b));
  return {
    count,
    withUsual,
    beyondUsual,
    async first(limit) {
      const some = firstOf(count, limit, compare)
        .toSorted(compare)
        .flatMap((issue) => {
          const one = groups[groupOf[issue] ?? 0];
          return one === undefined ? [] : [{ ...one, index: indexOf[issue] ?? 0 }];
        });
      const issues = new Map((await open.issues(some)).map((issue) => [issue.key, issue]));
      return some.flatMap(({ group, index, usual }) => {
        const issue = issues.get(group.keyAt(index));
        return issue === undefined ? [] : [{ issue, usual }];
      });
    },
    async keys() {
      const all = Array.from({ length: count }, (_, issue) => issue);
      return (await inTurns(createYieldIfDue()).sort(all, compare)).map(keyAt);
    },
  };
}

/** The first `limit` of the numbers below `count` in an order, in no order: a heap with the last of them on top. */
function firstOf(count: number, limit: number, compare: (a: number, b: number) => number): readonly number[] {
  const heap: number[] = [];
  const at = (index: number) => heap[index] ?? 0;
  const sink = (from: number) => {
    for (let index = from; ; ) {
      let last = index;
      for (const child of [2 * index + 1, 2 * index + 2]) {
        if (child < heap.length && compare(at(child), at(last)) > 0) last = child;
      }
      if (last === index) return;
      [heap[index], heap[last]] = [at(last), at(index)];
      index = last;
    }
  };
  // Issues come newest first, and what is old comes first here: so hardly any is taken in vain.
  for (let i = count - 1; i >= 0; i -= 1) {
    if (heap.length < limit) {
      heap.push(i);
      if (heap.length === limit) for (let parent = limit >> 1; parent >= 0; parent -= 1) sink(parent);
    } else if (compare(i, at(0)) < 0) {
      heap[0] = i;
      sink(0);
    }
  }
  return heap;
}

/** The share of what is usual; without one, or where usual is 0, whether it is beyond. */
function rankOf(ageMs: number, baseline: DwellPercentile | null): number {
  if (baseline === null) return Number.NEGATIVE_INFINITY;
  if (baseline.p85Ms > 0) return ageMs / baseline.p85Ms;
  return ageMs > baseline.p85Ms ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;
}

/** A difference of two infinities is no number. */
function compareNumbers(a: number, b: number): number {
  return Number(a > b) - Number(a < b);
}

/** The keys of all issues of an answer in their order, then of those with less known. */
export async function openKeys({
  aging: { ageUnknown, unclear },
  keys,
}: AgedIssues): Promise<readonly string[]> {
  return [...(await keys()), ...ageUnknown, ...unclear.map(({ key }) => key)];
}

/** No issue is open. One whose entry into its status is unknown is open. */
export function hasNoneOpen({ total, notStarted, ageUnknown, unclear, provenance }: Aging): boolean {
  const open = total + notStarted.count + ageUnknown.length + unclear.length + provenance.undecided;
  return open === 0 && reaches(provenance, null);
}

/** Issues with the latest answers to nudges about the stays that they are in. */
export async function withReasons(
  issues: readonly AgingIssue[],
  { asOf, parts }: AnswerContext<Pick<AnswerParts, 'reasonsFor'>>,
): Promise<readonly AgingIssue[]> {
  const keys = issues.map(({ key }) => key);
  const reasons = await parts.reasonsFor(keys, asOf);
  return issues.map((issue) => {
    const reason = reasons.get(issue.key);
    const visit = { statusId: issue.status.id, since: issue.since };
    return reason !== undefined && countsIn(reason, visit, asOf) ? { ...issue, reason } : issue;
  });
}
