import { yieldToOthers } from '../../../concurrency/cooperative-yield.ts';
import { durationFigures } from '../../../engine/measure/statistics.ts';
import type { Instant } from '../../../model/issue.ts';
import { compareIds } from '../../../model/issues/ids-and-names.ts';
import { ask, type Principal, type Selection } from '../../../model/request.ts';
import type { Provenance } from '../../../model/table.ts';
import type { ReportingApi } from '../../reporting/reporting-api.ts';
import {
  type AskedIssues,
  cycleTimes,
  doubtsOf,
  finishedIn,
  finishedIssues,
  type IssueOutcome,
  mayBeFinishedIn,
} from '../figures/issue-outcomes.ts';
import {
  addScopes,
  emptyScope,
  isDecided,
  joinStatuses,
  mergeScopes,
  type ObservedStatus,
} from '../figures/read-table.ts';
import { timeWithin } from '../figures/time-within.ts';
import { findSprint, type SprintLookup, type SprintQuestion, type SprintSpan } from './find-sprint.ts';
import { type CountedSpan, type ScannedSprint, scanSprints } from './scan-sprints.ts';
import type { SprintFigures, SprintReport } from './sprint-answer.ts';

/** So many keys at most are in one query. */
const MAX_AT_ONCE = 400;

/** A sprint and its issues, for its figures and for what explains them. */
export interface SprintIssues {
  readonly span: SprintSpan;
  /** Working ms all of its issues spent within it, by status id; statuses of category Done are left out. */
  readonly within: ReadonlyMap<string, number>;
  /** All that were in it at its end. */
  readonly outcomes: readonly IssueOutcome[];
  readonly finished: readonly IssueOutcome[];
  /** Those that may have been finished within it as well. */
  readonly maybe: readonly IssueOutcome[];
  readonly carriedOver: readonly IssueOutcome[];
  /** Null where cut histories do not show which. */
  readonly added: readonly IssueOutcome[] | null;
  readonly statuses: readonly ObservedStatus[];
  readonly provenance: Provenance;
  /** What reports over them are asked with. */
  readonly asked: AskedIssues;
}

/** How the issues of sprints are asked for. */
interface SprintContext extends SprintLookup {
  readonly calendar: string;
  readonly reporting: ReportingApi;
}

/**
 * A sprint's throughput, carried-over and added work, cycle times and time in status, beside the five sprints before it.
 * An issue is finished in a sprint where it came to a status of category Done within it and was still there at its end;
 * it was added where it joined after the start, to the millisecond, as Jira's own sprint report has it.
 */
export async function sprintReport(
  question: SprintQuestion,
  principal: Principal,
  asOf: Instant,
  { reporting }: Pick<SprintContext, 'reporting'>,
): Promise<SprintReport> {
  const { span, before: spansBefore } = await findSprint(question, { principal, asOf, reporting });
  const elapsed = span.end - span.start;
  const context = { principal, asOf, calendar: question.calendar, reporting };
  // A part of a sprint is compared with the same part of others.
  const cut = (one: SprintSpan): CountedSpan => {
    const end = span.running ? Math.min(one.end, one.start + elapsed) : one.end;
    return { ...one, end, isCut: end < one.end };
  };
  const [own, ...before] = await countsOf([{ ...span, isCut: false }, ...spansBefore.map(cut)], context);
  if (own === undefined) throw new Error('There is always a sprint.');
  const doubts = { ...doubtsOf(own.maybe), statusesWithoutCategory: own.withoutCategory };
  const mean = (id: string) =>
    before.length === 0
      ? null
      : before.reduce((sum, { figures }) => sum + (figures.withinMs[id] ?? 0), 0) / before.length;
  const observed = joinStatuses([own, ...before].flatMap(({ statuses }) => statuses));
  return {
    sprint: own.figures,
    previousSprints: before.map(({ figures }) => figures),
    statuses: observed
      .map(({ id, name, category }) => ({
        id,
        name,
        category,
        withinMs: unlessNone(own.figures.withinMs[id] ?? 0),
        previousMs: unlessNone(mean(id)),
      }))
      .filter(({ withinMs, previousMs }) => withinMs !== null || previousMs !== null),
    ...doubts,
    provenance: {
      ...own.provenance,
      ...contentsOf([own, ...before]),
      reportType: 'sprint',
      query: `sprint = ${span.id}`,
      asOf,
      timeZone: question.timeZone,
      complete:
        own.provenance.cutHistories === 0 &&
        isDecided(own.provenance) &&
        doubts.statusesWithoutCategory.length === 0,
    },
  };
}

/** The sprint of a question and its issues. */
export async function askedSprint(
  question: SprintQuestion,
  principal: Principal,
  asOf: Instant,
  reporting: ReportingApi,
): Promise<SprintIssues> {
  const { span } = await findSprint(question, { principal, asOf, reporting });
  const context = { principal, asOf, calendar: question.calendar, reporting };
  const counted = { ...span, isCut: false };
  const scanned = await scanSprints([counted], context, true);
  const members = scanned?.sprints[0];
  if (scanned === null || members === undefined) return issuesOf(counted, context);
  const { undecided: unread } = scanned.provenance;
  return issuesOf(counted, context, { keys: scanned.rest, unread, members });
}

/** What issues all sprints are about. */
function contentsOf(sprints: readonly SprintCounts[]): Pick<Provenance, 'contents'> {
  const all = sprints.map(({ provenance }) => provenance.contents ?? null).reduce(mergeScopes);
  return all === null ? {} : { contents: all };
}

/** The figures of a sprint, and what they are made of as far as the report says it. */
interface SprintCounts {
  readonly figures: SprintFigures;
  readonly maybe: readonly IssueOutcome[];
  /** Titles of the statuses without a category that its issues were in. */
  readonly withoutCategory: readonly string[];
  readonly statuses: readonly ObservedStatus[];
  readonly provenance: Provenance;
}

/** Counts several sprints in one pass where columns have them; other issues, and services elsewhere, are asked one sprint after the other. */
async function countsOf(
  spans: readonly CountedSpan[],
  context: SprintContext,
): Promise<readonly SprintCounts[]> {
  const scanned = await scanSprints(spans, context);
  const counts: SprintCounts[] = [];
  for (const [i, span] of spans.entries()) {
    const found = scanned?.sprints[i];
    if (scanned === null || found === undefined) counts.push(countIssues(await issuesOf(span, context)));
    else {
      const { undecided: unread } = scanned.provenance;
      const rest =
        scanned.rest.length === 0 ? null : await issuesOf(span, context, { keys: scanned.rest, unread });
      counts.push(countIssues(rest ?? noIssues(span, scanned.provenance), { ...scanned, found }));
    }
    await yieldToOthers();
  }
  return counts;
}

/** Counts the issues of a sprint, with what a pass over columns has found of others. */
function countIssues(
  issues: Omit<SprintIssues, 'asked'>,
  scanned?: { readonly found: ScannedSprint; readonly statuses: readonly ObservedStatus[] },
): SprintCounts {
  const { span, outcomes, finished, maybe, carriedOver, added, provenance } = issues;
  const found = scanned?.found ?? null;
  const statuses = joinStatuses([...issues.statuses, ...(scanned?.statuses ?? [])]);
  const { undecided } = provenance;
  const unclear = outcomes.filter((outcome) => outcome.unclear !== null).length;
  const shown = new Set(statuses.map(({ id }) => id));
  const within = new Map(issues.within);
  for (const [id, ms] of found?.within ?? []) {
    if (shown.has(id) && ms > 0) within.set(id, (within.get(id) ?? 0) + ms);
  }
  const contents =
    found === null ? provenance.contents : addScopes(found.contents, provenance.contents ?? emptyScope);
  return {
    figures: {
      ...span,
      withinMs: Object.fromEntries([...within].toSorted(([a], [b]) => compareIds(a, b))),
      finished: countOrNull(finished.length + (found?.finished ?? 0), maybe.length + undecided),
      carriedOver: countOrNull(carriedOver.length + (found?.open ?? 0), unclear + undecided),
      added: added === null ? null : added.length + (found?.added ?? 0),
      cycleTime: durationFigures([cycleTimes(finished), ...(found === null ? [] : [found.cycleMs])]),
    },
    maybe,
    statuses,
    withoutCategory: doubtsOf(outcomes).statusesWithoutCategory,
    provenance: {
      ...provenance,
      issues: provenance.issues + (found?.issues ?? 0),
      ...(contents === null || contents === undefined ? {} : { contents }),
    },
  };
}

/** A sprint without issues but those that a pass over columns has counted. */
function noIssues({ isCut: _isCut, ...span }: CountedSpan, all: Provenance): Omit<SprintIssues, 'asked'> {
  const { contents: _contents, ...known } = all;
  return {
    span,
    outcomes: [],
    finished: [],
    maybe: [],
    carriedOver: [],
    added: [],
    within: new Map(),
    statuses: [],
    provenance: { ...known, issues: 0, cutHistories: 0 },
  };
}

/** No time at all is no figure. */
function unlessNone(duration: number | null): number | null {
  return duration === 0 ? null : duration;
}

/** Some is a figure, with what may be missing said beside it; none where some may be missing is not 0. */
function countOrNull(count: number, unknown: number): number | null {
  return count === 0 && unknown > 0 ? null : count;
}

/**
 * The issues that have a sprint as of the instant asked about, or have it today: trackers leave an issue in the sprints it
 * was in when they were closed, so no other issue has to be read for an earlier instant. Of a span that ends before its
 * sprint does, also those that had it then, for they may have left it since. Nor does it count that a cut history of another
 * issue does not show whether it was in the sprint once. `unread`: nothing at all is known of so many.
 */
async function candidatesOf(
  span: CountedSpan,
  context: SprintContext,
  some: SomeIssues | null,
): Promise<{ readonly keys: readonly string[]; readonly unread: number }> {
  const { id, end, isCut } = span;
  const { principal, asOf, reporting } = context;
  if (some !== null) {
    const { keys: among, unread } = some;
    const keys: string[] = [];
    for (const at of [asOf, null, ...(isCut ? [end] : [])])
      keys.push(...(await membersThen(span, { at, among, unread }, context)).keys);
    return { keys: [...new Set(keys)], unread };
  }
  const having = (at: Instant | null) =>
    reporting.report(
      ask({
        principal,
        asOf: at,
        reportType: 'statusCount',
        selection: { by: 'jql', jql: `sprint = ${id}` },
      }),
    );
  const then = await having(asOf);
  await yieldToOthers();
  const today = await having(null);
  await yieldToOthers();
  const before = isCut ? (await having(end)).issues : [];
  const keys = new Set([...then.issues, ...today.issues, ...before].map(({ key }) => key));
  return { keys: [...keys], unread: today.provenance.undecided };
}

/** Keys of issues of which it is not known yet whether they belong to a sprint; of `unread` more issues nothing is known. */
interface SomeIssues {
  readonly keys: readonly string[];
  readonly unread: number;
  /** Others that are known to belong to it. */
  readonly members?: Pick<ScannedSprint, 'keys' | 'keysAtStart'>;
}

/** The issues of a sprint as of its end, and what became of them within it: of all issues, or of some. */
async function issuesOf(
  { isCut, ...span }: CountedSpan,
  context: SprintContext,
  some: SomeIssues | null = null,
): Promise<SprintIssues> {
  const { principal, calendar, reporting } = context;
  const { start, end } = span;
  const { keys, unread } = await candidatesOf({ ...span, isCut }, context, some);
  const membersAt = (at: Instant, among: readonly string[]) =>
    membersThen(span, { at, among, unread }, context);
  const atEnd = await membersAt(end, keys);
  const members = [...(some?.members?.keys ?? []), ...atEnd.keys];
  const selection: Selection =
    members.length > 0 ? { by: 'keys', keys: members } : { by: 'jql', jql: noneOf(span) };
  const asked = { principal, selection, dateRange: null, asOf: end, calendar };
  const atStart = await membersAt(start, atEnd.keys);
  const { outcomes, statuses, provenance } = await finishedIssues(asked, reporting);
  await yieldToOthers();
  const within = await timeWithin({ start, end }, asked, reporting);
  const undecided = atEnd.unknown + unread;
  const known = new Set([...(some?.members?.keysAtStart ?? []), ...atStart.keys]);
  const shown = new Set(statuses.map((status) => status.id));
  // What happens in the millisecond in which it ends is still within it.
  const inclusive = { start, end: end + 1 };
  return {
    span,
    outcomes,
    finished: finishedIn(inclusive, outcomes),
    maybe: mayBeFinishedIn(inclusive, outcomes),
    carriedOver: outcomes.filter(({ open }) => open),
    added:
      atEnd.unknown + atStart.unknown === 0 ? outcomes.filter(({ facts }) => !known.has(facts.key)) : null,
    within: new Map([...within].filter(([status, ms]) => shown.has(status) && ms > 0)),
    statuses,
    provenance: { ...provenance, undecided, complete: provenance.complete && undecided === 0 },
    asked,
  };
}

/** Those of some issues that were in a sprint at an instant, and of how many more of them that is unknown. */
async function membersThen(
  { id }: SprintSpan,
  {
    at,
    among,
    unread,
  }: { readonly at: Instant | null; readonly among: readonly string[]; readonly unread: number },
  { principal, reporting }: SprintContext,
): Promise<{ readonly keys: readonly string[]; readonly unknown: number }> {
  const members: string[] = [];
  let unknown = 0;
  for (let from = 0; from < among.length; from += MAX_AT_ONCE) {
    const jql = `key in (${among.slice(from, from + MAX_AT_ONCE).join(', ')}) AND sprint = ${id}`;
    const { issues, provenance } = await reporting.report(
      ask({ principal, asOf: at, reportType: 'statusCount', selection: { by: 'jql', jql } }),
    );
    for (const { key } of issues) members.push(key);
    // Issues that cannot be read at all are counted with every query.
    unknown += Math.max(0, provenance.undecided - unread);
    // Each is a pass over all rows.
    await yieldToOthers();
  }
  return { keys: members, unknown };
}

/** A query that no issue matches, and that reads none. */
function noneOf({ id }: SprintSpan): string {
  return `project is EMPTY AND sprint = ${id}`;
}
