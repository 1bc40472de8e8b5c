import { createYieldIfDue, inTurns } from '../../../concurrency/cooperative-yield.ts';
import type { Instant } from '../../../model/issue.ts';
import { compareIds } from '../../../model/issues/ids-and-names.ts';
import { projectKeyOf } from '../../../model/issues/issue-fields.ts';
import { type AudienceScope, ask, type Principal } from '../../../model/request.ts';
import type { Provenance } from '../../../model/table.ts';
import type { ReportingApi } from '../../reporting/reporting-api.ts';
import type { Aging, AgingIssue, DwellPercentile } from '../aging/aging-answer.ts';
import type { DwellPercentiles } from './dwell-percentiles.ts';
import {
  type AgesInColumns,
  type AgingInput,
  isBacklog,
  type OpenIssue,
  type OpenIssues,
  openIssues,
} from './open-issues.ts';
import { addScopes, emptyScope, isDecided, mergeScopes, reaches } from './read-table.ts';

/** What ages are measured with. */
export interface AgingParts {
  readonly reporting: ReportingApi;
  readonly dwellPercentiles: DwellPercentiles;
  /** How many issues are wanted at least, beside the first hundred, and the index of the first that is shown. */
  readonly most: number;
  readonly from?: number;
}

/** Ages, and the scopes of their issues and of those the baselines are made from; null where a scope is unknown. */
export interface AgedIssues {
  readonly aging: Aging;
  readonly issuesScope: AudienceScope | null;
  readonly baselineScope: AudienceScope | null;
  /** The keys of all issues that have an age, in their order, however many are wanted. */
  keys(): Promise<readonly string[]>;
}

/** What is usual for the issues of a project (upper case) in a status (its id). */
type BaselineOf = (project: string, statusId: string) => DwellPercentile | null;

/** As many issues can be chosen from in a menu. */
const MIN_ISSUES = 100;

/** Open issues by how long they have been in their status, compared with what is usual there. */
export async function measureAging(
  input: AgingInput,
  principal: Principal,
  asOf: Instant,
  parts: AgingParts,
): Promise<AgedIssues> {
  const open = await openIssues(input, principal, asOf, parts.reporting);
  return compareWithBaseline(open, input, principal, asOf, parts);
}

/** Open issues by age, without baselines. */
export async function agesAlone(open: OpenIssues, { most }: Pick<AgingParts, 'most'>): Promise<Aging> {
  return agingOf(open, () => null, most);
}

/** Open issues compared with what is usual in their status, as of the instant they were counted at. */
export async function compareWithBaseline(
  open: OpenIssues,
  { calendar }: Pick<AgingInput, 'calendar'>,
  principal: Principal,
  asOf: Instant,
  { reporting, dwellPercentiles, most, from = 0 }: AgingParts,
): Promise<AgedIssues> {
  const baselines = await dwellPercentiles(principal, projectsOf(open), calendar, asOf);
  const helpful = new Set<string>();
  const baselineOf: BaselineOf = (project, statusId) => {
    const baseline = baselines.get(project)?.byStatus.get(statusId) ?? null;
    // Where it is unknown what is usual, nothing is shown of the issues that were looked at.
    if (baseline !== null) helpful.add(project);
    return baseline;
  };
  const aging = await agingOf(open, baselineOf, most, from);
  const issuesScope = await contentsOf(open, principal, asOf, reporting);
  const baselineScope = [...baselines]
    .filter(([project]) => helpful.has(project))
    .reduce<AudienceScope | null>((sum, [, { contents }]) => mergeScopes(sum, contents), emptyScope);
  const contents = mergeScopes(issuesScope, baselineScope);
  const provenance = { ...aging.provenance, ...(contents === null ? {} : { contents }) };
  return {
    aging: { ...aging, provenance },
    issuesScope,
    baselineScope,
    keys: () => keysInOrder(open, baselineOf),
  };
}

/** The projects of all issues that have an age. */
function projectsOf({ known, columns }: OpenIssues): readonly string[] {
  const projects = new Set(known.map(({ project }) => project));
  for (const one of new Set(columns?.found.classes)) projects.add(columns?.projects[one] ?? '');
  return [...projects].sort();
}

async function agingOf(open: OpenIssues, baselineOf: BaselineOf, wanted: number, from = 0): Promise<Aging> {
  const { backlogLast } = open;
  const usual = usualIn(open, baselineOf);
  const ranked = open.columns === null ? null : rankAges(open.columns, baselineOf, backlogLast);
  // A page after the last one needs no issue to be read.
  const most = from < open.known.length + (ranked?.count ?? 0) ? wanted : 0;
  const shown = await columnIssues(open, ranked, most);
  const compared = (issues: readonly OpenIssue[]) => issues.map((issue) => withBaseline(issue, usual(issue)));
  const known = compared(open.known);
  const issues = orderAging([...known, ...compared(shown)], backlogLast);
  return {
    issues: ranked === null ? issues : issues.slice(0, Math.max(most, MIN_ISSUES)),
    total: known.length + (ranked?.count ?? 0),
    withUsual: known.filter(({ usual: baseline }) => baseline !== null).length + (ranked?.withUsual ?? 0),
    beyondUsual: known.filter(isBeyond).length + (ranked?.beyond ?? 0),
    notStarted: open.notStarted,
    ageUnknown: open.unknown,
    unclear: open.unclear,
    statusesWithoutCategory: open.withoutCategory,
    provenance: provenanceOf(open, ranked?.count ?? 0),
  };
}

/** The first of the issues of columns. */
async function columnIssues(
  { columns }: OpenIssues,
  ranked: RankedAges | null,
  most: number,
): Promise<readonly OpenIssue[]> {
  if (columns === null || ranked === null || ranked.count === 0) return [];
  const first = firstOf(ranked.count, Math.max(most, MIN_ISSUES), ranked.compare);
  const rows = first.map((index) => columns.found.places[index] ?? 0);
  return columns.issues(rows.sort((a, b) => a - b));
}

/** The issues of columns by their index, compared with what is usual. */
interface RankedAges {
  readonly count: number;
  readonly beyond: number;
  readonly withUsual: number;
  /** In the order of `orderAging`. */
  compare(a: number, b: number): number;
}

function rankAges(
  { found, projects, statusIds, backlogSlots, keys }: AgesInColumns,
  baselineOf: BaselineOf,
  backlogLast: boolean,
): RankedAges {
  const { ages, slots, classes, places } = found;
  const known = new Map<number, DwellPercentile | null>();
  const ranks = new Float64Array(ages.length);
  let [beyond, withUsual] = [0, 0];
  const laterAt = (index: number) => (backlogLast ? (backlogSlots[slots[index] ?? 0] ?? 0) : 0);
  for (const [i, ageMs] of ages.entries()) {
    const [own = 0, slot = 0] = [classes[i], slots[i]];
    const pair = own * statusIds.length + slot;
    let baseline = known.get(pair);
    if (baseline === undefined) {
      baseline = laterAt(i) === 1 ? null : baselineOf(projects[own] ?? '', statusIds[slot] ?? '');
      known.set(pair, baseline);
    }
    ranks[i] = rankOf(ageMs, baseline);
    if (baseline === null) continue;
    withUsual += 1;
    if (ageMs > baseline.p85Ms) beyond += 1;
  }
  const keyOf = (index: number) => keys([places[index] ?? 0])[0] ?? '';
  const compareAges = (a: number, b: number) => (ages[b] ?? 0) - (ages[a] ?? 0);
  const compareRanks = (a: number, b: number) =>
    laterAt(a) - laterAt(b) || compareNumbers(ranks[b] ?? 0, ranks[a] ?? 0);
  const compareKeys = (a: number, b: number) => compareIds(keyOf(a), keyOf(b));
  return {
    count: ages.length,
    beyond,
    withUsual,
    compare: (a, b) => compareRanks(a, b) || compareAges(a, b) || compareKeys(a, b),
  };
}

/** The first `most` of the numbers below `count` in an order, in no order: a heap with the last of them on top. */
function firstOf(count: number, most: number, compare: (a: number, b: number) => number): readonly number[] {
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
    if (heap.length < most) {
      heap.push(i);
      if (heap.length === most) for (let parent = most >> 1; parent >= 0; parent -= 1) sink(parent);
    } else if (compare(i, at(0)) < 0) {
      heap[0] = i;
      sink(0);
    }
  }
  return heap;
}

async function keysInOrder(open: OpenIssues, baselineOf: BaselineOf): Promise<readonly string[]> {
  const { known, columns, backlogLast } = open;
  const usual = usualIn(open, baselineOf);
  const all = known.map((issue) => rankedOf(issue, usual(issue), backlogLast && isBacklog(issue.status)));
  if (columns !== null) {
    const { found, projects, statusIds, backlogSlots } = columns;
    for (const [i, key] of columns.keys([...found.places]).entries()) {
      const [ageMs = 0, own = 0, slot = 0] = [found.ages[i], found.classes[i], found.slots[i]];
      const isLater = backlogLast && backlogSlots[slot] === 1;
      const baseline = isLater ? null : baselineOf(projects[own] ?? '', statusIds[slot] ?? '');
      all.push(rankedOf({ key, ageMs }, baseline, isLater));
    }
  }
  const sorted = await inTurns(createYieldIfDue()).sort(all, compareRanked);
  return sorted.map(({ key }) => key);
}

/** Where the figures come from, which are of the open issues alone. */
function provenanceOf(open: OpenIssues, inColumns: number): Provenance {
  const { withoutCategory, cutHistories, provenance } = open;
  const { contents: _, ...others } = provenance;
  return {
    ...others,
    issues: open.known.length + inColumns + open.unknown.length + open.unclear.length,
    cutHistories,
    complete: cutHistories === 0 && isDecided(provenance) && withoutCategory.length === 0,
  };
}

/** The scope of the open issues; only in slices where some issue has a level it is asked for them alone. */
async function contentsOf(
  { slices, columns }: OpenIssues,
  principal: Principal,
  asOf: Instant,
  reporting: ReportingApi,
): Promise<AudienceScope | null> {
  let all: AudienceScope | null = columns?.contents ?? emptyScope;
  for (const { keys, contents } of slices) {
    all = addScopes(all, await contentsOfSome(keys, contents, principal, asOf, reporting));
  }
  return all;
}

async function contentsOfSome(
  keys: readonly string[],
  contents: AudienceScope | null | undefined,
  principal: Principal,
  asOf: Instant,
  reporting: ReportingApi,
): Promise<AudienceScope | null> {
  if (contents === null || keys.length === contents?.issues) return contents;
  if (keys.length === 0) return emptyScope;
  if (contents?.withLevel === 0) {
    const projects = [...new Set(keys.map((key) => projectKeyOf({ key }).toUpperCase()))].sort();
    return { projects, issues: keys.length, withLevel: 0 };
  }
  const selection = { by: 'keys', keys } as const;
  return reporting.audienceScope(ask({ principal, reportType: 'statusDuration', selection, asOf }));
}

/** What is usual for an issue; where started work comes first, nothing is for what is not started. */
function usualIn({ backlogLast }: OpenIssues, baselineOf: BaselineOf) {
  return ({ project, status }: OpenIssue): DwellPercentile | null =>
    backlogLast && isBacklog(status) ? null : baselineOf(project, status.id);
}

/** Compares an issue with what is usual in its status. Of a usual time of 0 there is no share. */
function withBaseline(issue: OpenIssue, baseline: DwellPercentile | null): AgingIssue {
  const pace = baseline === null || baseline.p85Ms === 0 ? null : issue.ageMs / baseline.p85Ms;
  return { ...issue, usual: baseline, pace };
}

/** Whether an issue has been in its status for longer than is usual there. */
function isBeyond({ ageMs, usual: baseline }: AgingIssue): boolean {
  return baseline !== null && ageMs > baseline.p85Ms;
}

/** Those furthest beyond what is usual first; those without a baseline last, by age. */
function orderAging(issues: readonly AgingIssue[], backlogLast: boolean): readonly AgingIssue[] {
  return issues
    .map((issue) => ({ issue, ...rankedOf(issue, issue.usual, backlogLast && isBacklog(issue.status)) }))
    .sort(compareRanked)
    .map(({ issue }) => issue);
}

/** What decides about the order of an issue. */
interface Ranked extends Pick<AgingIssue, 'key' | 'ageMs'> {
  readonly isLater: boolean;
  readonly rank: number;
}

function rankedOf(
  { key, ageMs }: Pick<AgingIssue, 'key' | 'ageMs'>,
  baseline: DwellPercentile | null,
  isLater: boolean,
): Ranked {
  return { key, ageMs, isLater, rank: rankOf(ageMs, baseline) };
}

function compareRanked(a: Ranked, b: Ranked): number {
  return (
    Number(a.isLater) - Number(b.isLater) ||
    compareNumbers(b.rank, a.rank) ||
    b.ageMs - a.ageMs ||
    compareIds(a.key, b.key)
  );
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
