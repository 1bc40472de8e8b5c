import { yieldToOthers } from '../../concurrency/cooperative-yield.ts';
import { MissingColumn } from '../../engine/columns/held-fields.ts';
import type { ValueCodes } from '../../engine/columns/value-codes.ts';
import { numbersAt } from '../../engine/measure/scan-rows.ts';
import {
  SPRINT_COUNTS,
  type SprintPlan,
  sprintCounts,
  sprintScan,
} from '../../engine/measure/sprint-scan.ts';
import type { Flows } from '../../model/flow.ts';
import type { FieldContent, Instant } from '../../model/issue.ts';
import { splitValue } from '../../model/issues/value-sets.ts';
import { reportIds } from '../../model/report-ids.ts';
import { type AudienceScope, ask, type Selection } from '../../model/request.ts';
import type { Provenance } from '../../model/table.ts';
import type { ReportingApi } from '../reporting/reporting-api.ts';
import { kindAmong, withFlows } from './issue-flow.ts';
import {
  allOutcomes,
  cycleTimes,
  doubtsOf,
  finishedIn,
  flowsFor,
  mayBeFinishedIn,
} from './issue-outcomes.ts';
import type {
  OutcomesInput,
  SprintIssues,
  SprintOutcomes,
  SprintSpan,
  SprintsInput,
} from './outcomes-api.ts';
import type { PassFacts, PassOver } from './pass.ts';
import { addScopes, emptyScope, joinStatuses, type ObservedStatus, observedStatuses } from './read-table.ts';
import { timesOfStatuses, timeWithin } from './time-within.ts';

/** The most keys in one query. */
const MAX_AT_ONCE = 400;

/** This many issues are read one by one, whatever a pass has found of others. */
const FEW_READ = 400;

/** Sprints have a bit each. */
const MAX_SPRINTS = 31;

type CountedSpan = SprintsInput['spans'][number];
type SprintInput = OutcomesInput & { readonly flows: Flows };
type Lists = Pick<ReportingApi, 'report' | 'slices' | 'statuses' | 'flows'>;

/** Counts several sprints in one pass over rows; issues that these cannot speak for are read, one sprint after the other. */
export async function sprintOutcomes(
  { spans, ...given }: SprintsInput,
  reporting: Lists,
  passOver: PassOver,
): Promise<readonly SprintOutcomes[]> {
  const input = { ...given, flows: await flowsFor(given, reporting) };
  const passed = await passOverSprints(spans, input, reporting, passOver);
  const counted: SprintOutcomes[] = [];
  for (const [i, span] of spans.entries()) {
    const found = passed?.sprints[i];
    if (passed === null || found === undefined) {
      const issues = await issuesOf(span, input, reporting);
      counted.push(countIssues(span, issues, null, async () => issues));
    } else {
      const { remaining: keys, provenance } = passed;
      const { undecided: unread } = provenance;
      const remaining = keys.length === 0 ? null : await issuesOf(span, input, reporting, { keys, unread });
      const all = () => issuesOf(span, input, reporting, { keys, unread, members: found.members() });
      counted.push(countIssues(span, remaining ?? noIssues(provenance), { ...passed, found }, all));
    }
    await yieldToOthers();
  }
  return counted;
}

/** Counts the issues of a sprint, with those that a pass over rows has found. */
function countIssues(
  { isCut: _isCut, ...span }: CountedSpan,
  own: Omit<SprintIssues, 'input'>,
  passed: { readonly found: FoundSprint; readonly statuses: readonly ObservedStatus[] } | null,
  issues: SprintOutcomes['issues'],
): SprintOutcomes {
  const { outcomes, finished, maybe, added, provenance } = own;
  const found = passed?.found ?? null;
  const statuses = joinStatuses([...own.statuses, ...(passed?.statuses ?? [])]);
  const shown = new Set(statuses.map(({ id }) => id));
  const within = new Map(own.within);
  for (const [id, ms] of found?.within ?? []) {
    if (shown.has(id) && ms > 0) within.set(id, (within.get(id) ?? 0) + ms);
  }
  const contents =
    found === null ? provenance.contents : addScopes(found.contents, provenance.contents ?? emptyScope);
  return {
    span,
    finished: finished.length + (found?.finished ?? 0),
    open: own.open.length + (found?.open ?? 0),
    added: added === null ? null : added.length + (found?.added ?? 0),
    cycleTimes: [Float64Array.from(cycleTimes(finished)), ...(found === null ? [] : [found.cycleMs])],
    within,
    maybe,
    unclear: outcomes.filter((outcome) => outcome.unclear !== null).length,
    withoutCategory: doubtsOf(outcomes).statusesWithoutCategory,
    statuses,
    provenance: {
      ...provenance,
      issues: provenance.issues + (found?.issues ?? 0),
      ...(contents === null || contents === undefined ? {} : { contents }),
    },
    issues,
  };
}

/** No issues, where a pass over rows has counted all of a sprint. */
function noIssues({ contents: _contents, ...all }: Provenance): Omit<SprintIssues, 'input'> {
  return {
    outcomes: [],
    finished: [],
    maybe: [],
    open: [],
    added: [],
    within: new Map(),
    statuses: [],
    provenance: { ...all, issues: 0, cutHistories: 0 },
  };
}

/** The totals of a sprint in rows: durations are working ms. */
interface FoundSprint extends Readonly<Record<keyof typeof sprintCounts, number>> {
  readonly cycleMs: Float64Array;
  /** By status id. */
  readonly within: ReadonlyMap<string, number>;
  readonly contents: AudienceScope;
  readonly members: () => Members;
}

/** The keys of the issues of a sprint, and of those of them that were in it at its start. */
interface Members {
  readonly keys: readonly string[];
  readonly keysAtStart: readonly string[];
}

/** The totals of several sprints, in their order. */
interface FoundSprints {
  readonly sprints: readonly FoundSprint[];
  /** Keys of the issues that rows cannot speak for: they are in none of the totals. */
  readonly remaining: readonly string[];
  /** Statuses that are not Done of the issues. */
  readonly statuses: readonly ObservedStatus[];
  /** The provenance of all issues that the principal can see. */
  readonly provenance: Provenance;
}

/** The error of a plan for rows in which sprints cannot be counted. */
const unusable = new Error('Sprints are in several fields, too long, or hidden.');

/** The totals of several sprints in one pass over rows; null where these do not have sprints in one field. */
async function passOverSprints(
  spans: readonly CountedSpan[],
  { flows, ...input }: SprintInput,
  reporting: Lists,
  passOver: PassOver,
): Promise<FoundSprints | null> {
  if (spans.length > MAX_SPRINTS) return null;
  const selection = { by: 'jql', jql: '' } as const;
  const request = ask({
    ...input,
    reportType: reportIds.statusDuration,
    includeDeletedStatuses: true,
    selection,
  });
  const passed = await passOver(
    request,
    sprintScan,
    async (plan, facts) => ({
      ...plan,
      ...(await sprintsIn(facts, spans)),
    }),
    { flows },
  ).catch((error: unknown) => {
    if (error === unusable) return null;
    throw error;
  });
  if (passed === null || passed.provenance === null) return null;
  const { lists, sums, statusIds, projects, keys, provenance } = passed;
  const countOf = (sprint: number, which: keyof typeof sprintCounts) =>
    sums.counts[sprint * SPRINT_COUNTS + sprintCounts[which]] ?? 0;
  const sumsOf = (all: Float64Array, sprint: number) => (index: number) =>
    all[index * spans.length + sprint] ?? 0;
  const remaining = numbersAt(lists.rest);
  const counted = spans.reduce((sum, _, sprint) => sum + countOf(sprint, 'issues'), 0);
  // If most issues have to be read one by one, reading all is faster.
  if (remaining.length > counted + FEW_READ) return null;
  return {
    sprints: spans.map((_, sprint) => ({
      issues: countOf(sprint, 'issues'),
      finished: countOf(sprint, 'finished'),
      open: countOf(sprint, 'open'),
      added: countOf(sprint, 'added'),
      cycleMs: numbersAt(lists.cycleMs, sprint),
      members: () => ({
        keys: keys(numbersAt(lists.indexes, sprint)),
        keysAtStart: keys(numbersAt(lists.atStart, sprint)),
      }),
      within: new Map(statusIds.map((id, slot) => [id, sumsOf(sums.within, sprint)(slot)])),
      contents: passed.scopeOf(projects.map((_, code) => sumsOf(sums.classes, sprint)(code))),
    })),
    remaining: keys(remaining),
    statuses: observedStatuses(
      passed,
      await reporting.statuses(input.principal),
      kindAmong(flows, provenance.contents?.projects ?? []),
    ).filter(({ kind }) => kind !== 'done'),
    provenance: withFlows(provenance, flows),
  };
}

async function sprintsIn(
  { columns, sprintFields, hidesIn }: PassFacts,
  spans: readonly CountedSpan[],
): Promise<Pick<SprintPlan, 'field' | 'sprints' | 'today' | 'past'>> {
  const [field, ...others] = sprintFields.filter((one) =>
    columns.classes.all.some(({ fields, changed }) => fields.has(one) || changed.has(one)),
  );
  if (field === undefined || others.length > 0 || (await hidesIn(field))) throw unusable;
  if (columns.isTooLong(field) || columns.histories.isTooLong(field)) throw unusable;
  const history = columns.histories.find(field);
  if (history === null) throw new MissingColumn({ field, as: 'history' });
  const bits = new Map(spans.map(({ id }, i) => [id, 1 << i]));
  const bitsOf = (content: FieldContent | undefined) => {
    if (content === undefined || content === null) return 0;
    if (typeof content !== 'object') throw unusable;
    const values = 'length' in content ? content : splitValue(content);
    return values.reduce((sum, { id }) => sum | (bits.get(id) ?? 0), 0);
  };
  const byCode = (values: ValueCodes) =>
    Uint32Array.from({ length: values.size }, (_, code) => bitsOf(values.at(code)));
  return {
    field,
    sprints: spans.map(({ start, end, isCut }) => ({ start, end, isCut })),
    today: byCode(columns.values(field)),
    past: byCode(history.values),
  };
}

/** Keys of issues of which it is not known yet whether they belong to a sprint; of `unread` more issues nothing is known. */
interface SomeIssues {
  readonly keys: readonly string[];
  readonly unread: number;
  /** Others that are known to belong to it. */
  readonly members?: Members;
}

/** The issues of a sprint at its end, and their outcomes within it: of all issues, or of some. */
async function issuesOf(
  span: CountedSpan,
  input: SprintInput,
  reporting: Lists,
  some: SomeIssues | null = null,
): Promise<SprintIssues> {
  const { start, end } = span;
  const { keys, unread } = await candidatesOf(span, input, reporting, some);
  const membersAt = (at: Instant, among: readonly string[]) =>
    membersThen(span, { at, among, unread }, input, reporting);
  const atEnd = await membersAt(end, keys);
  const members = [...(some?.members?.keys ?? []), ...atEnd.keys];
  const selection: Selection =
    members.length > 0 ? { by: 'keys', keys: members } : { by: 'jql', jql: noneOf(span) };
  const issues = { ...input, selection, asOf: end };
  const atStart = await membersAt(start, atEnd.keys);
  const { outcomes: all, statuses, provenance } = await allOutcomes(issues, reporting);
  const outcomes = all.filter(({ counts }) => counts);
  await yieldToOthers();
  const within = timesOfStatuses(await timeWithin(span, issues, input.flows, reporting));
  const undecided = atEnd.unknown + unread;
  const known = new Set([...(some?.members?.keysAtStart ?? []), ...atStart.keys]);
  const shown = new Set(statuses.map((status) => status.id));
  // An event in the millisecond in which the sprint ends is still within it.
  const inclusive = { start, end: end + 1 };
  return {
    outcomes,
    finished: finishedIn(inclusive, outcomes),
    maybe: mayBeFinishedIn(inclusive, outcomes),
    open: outcomes.filter(({ open }) => open),
    added:
      atEnd.unknown + atStart.unknown === 0 ? outcomes.filter(({ facts }) => !known.has(facts.key)) : null,
    within: new Map([...within].filter(([status, ms]) => shown.has(status) && ms > 0)),
    statuses,
    provenance: { ...provenance, undecided, complete: provenance.complete && undecided === 0 },
    input: issues,
  };
}

/**
 * The issues that have a sprint as of the instant of the answer, or have it today: trackers leave an issue in the sprints it
 * was in when they were closed, so no other issue has to be read for an earlier instant. Of a span that ends before its
 * sprint does, also those that had it then, for they may have left it since. Nor does it count that a cut history of another
 * issue does not show whether it was in the sprint once. Of `some`, only these.
 */
async function candidatesOf(
  span: CountedSpan,
  input: OutcomesInput,
  reporting: Lists,
  some: SomeIssues | null,
): Promise<SomeIssues> {
  const keys = new Set<string>();
  let unread = some?.unread ?? 0;
  for (const at of [input.asOf, null, ...(span.isCut ? [span.end] : [])]) {
    const found = await membersThen(span, { at, among: some?.keys ?? null, unread }, input, reporting);
    for (const key of found.keys) keys.add(key);
    if (some === null && at === null) unread = found.unknown;
  }
  return { keys: [...keys], unread };
}

/** The issues (of these keys, or of all) that were in a sprint at an instant, and of how many more that is unknown. */
async function membersThen(
  { id }: SprintSpan,
  {
    at,
    among,
    unread,
  }: { readonly at: Instant | null; readonly among: readonly string[] | null; readonly unread: number },
  { principal, timeZone = null }: Pick<OutcomesInput, 'principal' | 'timeZone'>,
  reporting: Lists,
): Promise<{ readonly keys: readonly string[]; readonly unknown: number }> {
  const members: string[] = [];
  let unknown = 0;
  for (let from = 0; from < (among?.length ?? 1); from += MAX_AT_ONCE) {
    const some = among === null ? '' : `key in (${among.slice(from, from + MAX_AT_ONCE).join(', ')}) AND `;
    const selection = { by: 'jql', jql: `${some}sprint = ${id}` } as const;
    const { issues, provenance } = await reporting.report(
      ask({ principal, asOf: at, timeZone, reportType: reportIds.statusCount, selection }),
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
