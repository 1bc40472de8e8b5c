import { createYieldIfDue, yieldToOthers } from '../../../concurrency/cooperative-yield.ts';
import { type WeeksFound, weeksScan } from '../../../engine/measure/weeks-scan.ts';
import type { LeftOut } from '../../../model/answer.ts';
import type { Instant, Status } from '../../../model/issue.ts';
import type { Principal } from '../../../model/request.ts';
import { cellOf, type Provenance } from '../../../model/table.ts';
import type { IssueSlice, ReportingApi, ScannedIssues } from '../../reporting/reporting-api.ts';
import { neverInProgress } from '../figures/finish-of.ts';
import {
  type AskedIssues,
  doubtsOf,
  finishedIn,
  type IssueOutcome,
  mayBeFinishedIn,
  openStatuses,
  outcomesInSlices,
  outcomesRequest,
} from '../figures/issue-outcomes.ts';
import {
  dataEndsBefore,
  isDecided,
  joinProvenance,
  joinStatuses,
  type ObservedStatus,
} from '../figures/read-table.ts';
import { timeWithin } from '../figures/time-within.ts';
import { type MaybeFinished, maybeFinished, unknownReason } from './finished-in-week.ts';
import { flowEfficiency, issuesInProgress, lastMoment } from './flow-figures.ts';
import { allWeeks, mapNine, type Nine, nineWeeks, type WeeklyQuestion } from './nine-weeks.ts';
import { aggregate } from './week-figures.ts';
import type { Contributor, Week, WeeklyAggregates } from './weekly-answer.ts';

/** All figures of a week but those of the issues that are open as of the answer. */
type WeekAlone = Omit<WeeklyAggregates, 'attention'>;

/**
 * A week: issues finished, their time in each status and their cycle times, the time all issues spent within the week, and
 * how many were in progress at its end, beside the week before and the eight weeks before. As of an instant (null: now): in
 * one pass over the columns of the issues where there are some, and slice by slice of those columns cannot decide.
 * `bad-request` for a week that has not begun, and for an unknown zone or calendar.
 */
export async function weeklyAggregates(
  { selection, week: askedWeek, calendar, timeZone }: WeeklyQuestion,
  principal: Principal,
  asked: Instant | null,
  { reporting, now }: { readonly reporting: ReportingApi; readonly now: () => Instant },
): Promise<WeekAlone> {
  const asOf = asked ?? now();
  const weeks = nineWeeks(askedWeek, { asOf, timeZone });
  const issues = { principal, selection, dateRange: null, asOf, calendar };
  const gathered = gather(weeks);
  const scanned = await scanWeeks(weeks, issues, reporting);
  if (scanned !== null) {
    await addScanned(gathered, scanned);
    gathered.statuses.push(...(await openStatuses(scanned, principal, reporting)));
  }
  const seen = new Set(gathered.statuses.map(({ id }) => id));
  const known = await reporting.statuses(principal);
  let whole: Provenance | null = null;
  for await (const part of outcomesInSlices(issues, reporting, scanned?.slices(scanned.found.rest))) {
    gathered.statuses.push(...part.statuses.filter(({ id }) => !seen.has(id)));
    addLives(gathered, part.outcomes);
    if (scanned === null) await addWithin(gathered, part, issues, known);
    whole = whole === null ? part.provenance : joinProvenance(whole, part.provenance);
  }
  const provenance = scanned?.provenance ?? whole;
  if (provenance === null) throw new Error('There is always a slice.');
  for await (const slice of scanned?.slices(scanned.found.odd) ?? [])
    await addWithin(gathered, { slice, provenance }, issues, known);
  const measuredWeeks = mapNine(gathered.weeks, ({ maybe, ...one }) => ({
    ...one,
    unknown: unknownReason(one.week, one.finished, maybe, provenance),
  }));
  const { measured, withoutCycleTime, doubts, withoutCategory, counted, cutHistories } = gathered;
  const places = new Map(
    scanned?.keys(scanned.found.rest).map((key, i) => [key, scanned.found.rest[i] ?? 0]),
  );
  const placeOf = ({ key, called }: FinishedIssue) =>
    typeof called === 'number' ? called : (places.get(key) ?? 0);
  const finished = {
    measured,
    withoutCycleTime: withoutCycleTime.toSorted((a, b) => placeOf(a) - placeOf(b)),
    describe: (some: readonly FinishedIssue[]) => describe(some, issues, scanned),
  };
  const complete = cutHistories === 0 && isDecided(provenance) && withoutCategory.size === 0;
  // None is only none where no other issue can have been in progress, and the data reaches that far.
  const inProgress = ({ week, inProgress: count }: GatheredWeek) =>
    dataEndsBefore(week.end, provenance) !== null || (count === 0 && !complete) ? null : count;
  const figures = await aggregate(measuredWeeks, finished, joinStatuses(gathered.statuses));
  return {
    ...figures,
    inProgress: {
      week: inProgress(gathered.weeks.week),
      weekBefore: inProgress(gathered.weeks.weekBefore),
    },
    flowEfficiency: flowEfficiency(figures.statuses),
    ...doubts,
    statusesWithoutCategory: [...withoutCategory],
    provenance: {
      ...provenance,
      reportType: 'weekly',
      askedAt: asked === null ? asOf : provenance.askedAt,
      timeZone,
      issues: counted,
      cutHistories,
      complete,
    },
  };
}

/** A week, filled little by little. */
interface GatheredWeek {
  readonly week: Week;
  finished: number;
  readonly cycleTimes: number[];
  readonly times: Map<string, number[]>;
  readonly within: Map<string, number>;
  /** At its end, or as of the answer; where there are no columns only of the last two weeks. */
  inProgress: number;
  maybe: MaybeFinished;
}

/** An issue finished in the week itself: with what it is called, or with its place among those of a scan. */
interface FinishedIssue {
  readonly key: string;
  readonly called: Pick<Contributor, 'summary' | 'link'> | number;
}

/** What is known up to now. */
interface Gathered {
  readonly weeks: Nine<GatheredWeek>;
  /** Issues finished in the week itself. */
  readonly measured: (FinishedIssue & { readonly cycleMs: number })[];
  /** The others of them. */
  readonly withoutCycleTime: (FinishedIssue & LeftOut)[];
  readonly statuses: ObservedStatus[];
  readonly doubts: { readonly unclear: LeftOut[]; readonly doneSinceUnknown: LeftOut[] };
  readonly withoutCategory: Set<string>;
  counted: number;
  cutHistories: number;
}

function gather(weeks: Nine<Week>): Gathered {
  return {
    weeks: mapNine(
      weeks,
      (week): GatheredWeek => ({
        week,
        finished: 0,
        cycleTimes: [],
        times: new Map(),
        within: new Map(),
        inProgress: 0,
        maybe: maybeFinished([]),
      }),
    ),
    measured: [],
    withoutCycleTime: [],
    statuses: [],
    doubts: { unclear: [], doneSinceUnknown: [] },
    withoutCategory: new Set(),
    counted: 0,
    cutHistories: 0,
  };
}

/** Where there are columns, one pass for all nine weeks. */
async function scanWeeks(
  weeks: Nine<Week>,
  issues: AskedIssues,
  { scan }: Pick<ReportingApi, 'scan'>,
): Promise<ScannedIssues<WeeksFound> | null> {
  const bounds = [...allWeeks(weeks).map(({ start }) => start), weeks.week.end];
  return (await scan?.(outcomesRequest(issues), weeksScan, (plan) => ({ ...plan, bounds }))) ?? null;
}

/** So many finished issues, or times of theirs, are added at one go. */
const ADDED_AT_ONCE = 8192;

async function addScanned(
  gathered: Gathered,
  { found, statusIds, keys }: ScannedIssues<WeeksFound>,
): Promise<void> {
  const weeks = allWeeks(gathered.weeks);
  for (const [i, one] of weeks.entries()) one.inProgress += found.inProgress[i] ?? 0;
  for (const [slot, id] of statusIds.entries()) {
    for (const [i, { within }] of weeks.entries()) {
      const ms = found.within[slot * weeks.length + i] ?? 0;
      if (ms > 0) within.set(id, ms);
    }
  }
  const pace = createYieldIfDue();
  const own: number[] = [];
  for (let i = 0; i < found.weeks.length; i += 1) {
    const rest = i % ADDED_AT_ONCE === 0 ? pace() : null;
    if (rest !== null) await rest;
    const week = found.weeks[i] ?? 0;
    const one = weeks[week];
    const cycleMs = found.cycleMs[i] ?? Number.NaN;
    if (one === undefined) continue;
    one.finished += 1;
    if (!Number.isNaN(cycleMs)) one.cycleTimes.push(cycleMs);
    if (week === weeks.length - 1) own.push(i);
  }
  for (let i = 0; i < found.timeOf.length; i += 1) {
    const rest = i % ADDED_AT_ONCE === 0 ? pace() : null;
    if (rest !== null) await rest;
    const one = weeks[found.weeks[found.timeOf[i] ?? 0] ?? 0];
    const id = statusIds[found.timeIn[i] ?? 0] ?? '';
    if (one !== undefined) addTime(one, id, found.timeMs[i] ?? 0);
  }
  const places = own.map((i) => found.places[i] ?? 0);
  for (const [i, key] of keys(places).entries()) {
    const cycleMs = found.cycleMs[own[i] ?? 0] ?? Number.NaN;
    const place = places[i] ?? 0;
    if (!Number.isNaN(cycleMs)) gathered.measured.push({ key, cycleMs, called: place });
    else gathered.withoutCycleTime.push({ key, reason: neverInProgress, called: place });
  }
  gathered.counted += found.lived;
}

function addTime({ times }: GatheredWeek, status: string, ms: number): void {
  const some = times.get(status);
  if (some === undefined) times.set(status, [ms]);
  else some.push(ms);
}

function addLives(gathered: Gathered, outcomes: readonly IssueOutcome[]): void {
  const weeks = allWeeks(gathered.weeks);
  const { week } = gathered.weeks.week;
  const { unclear, doneSinceUnknown } = doubtsOf(mayBeFinishedIn(week, outcomes));
  // One by one: a slice of a service elsewhere is everything, and a call takes only so many arguments.
  for (const one of unclear) gathered.doubts.unclear.push(one);
  for (const one of doneSinceUnknown) gathered.doubts.doneSinceUnknown.push(one);
  for (const outcome of outcomes) {
    if (!livedIn(outcome, { start: weeks[0]?.week.start ?? week.start, end: week.end })) continue;
    gathered.counted += 1;
    if (!outcome.facts.history.complete) gathered.cutHistories += 1;
    for (const title of outcome.withoutCategory) gathered.withoutCategory.add(title);
  }
  for (const one of weeks) {
    const finished = finishedIn(one.week, outcomes);
    one.finished += finished.length;
    for (const { finish, times } of finished) {
      if (finish !== null && 'ms' in finish.cycle) one.cycleTimes.push(finish.cycle.ms);
      for (const [status, ms] of times ?? []) addTime(one, status, ms);
    }
    one.maybe = maybeFinished(mayBeFinishedIn(one.week, outcomes), one.maybe);
  }
  for (const { facts, summary, finish } of finishedIn(week, outcomes)) {
    if (finish === null) continue;
    const one = { key: facts.key, called: { summary, link: facts.link } };
    if ('ms' in finish.cycle) gathered.measured.push({ ...one, cycleMs: finish.cycle.ms });
    else gathered.withoutCycleTime.push({ ...one, reason: finish.cycle.reason });
  }
}

/** Adds the time that issues spent within each week, and those in progress at the end of the last two. */
async function addWithin(
  { weeks }: Gathered,
  { slice, provenance }: { readonly slice: IssueSlice; readonly provenance: Provenance },
  asked: AskedIssues,
  known: readonly Status[],
): Promise<void> {
  for (const one of [weeks.weekBefore, weeks.week]) {
    await yieldToOthers();
    const moment = lastMoment(one.week, provenance);
    one.inProgress += (await issuesInProgress(moment, asked, known, slice)).found.length;
  }
  for (const { week, within } of allWeeks(weeks)) {
    // Reports that follow one another are one piece of work to everybody else.
    await yieldToOthers();
    for (const [status, ms] of await timeWithin(week, asked, slice)) {
      within.set(status, (within.get(status) ?? 0) + ms);
    }
  }
}

/** Open, or finished, in a span, as far as is known; an issue may have been where it is unknown. */
function livedIn(
  { facts, finish, open }: IssueOutcome,
  { start, end }: { readonly start: Instant; readonly end: Instant },
): boolean {
  if (facts.created >= end) return false;
  if (open || finish === null) return true;
  if (finish.unknown !== null) return finish.unknown.until >= start;
  return finish.at !== null && finish.at >= start;
}

/** What issues are called; those of a scan are looked at for it. */
async function describe(
  issues: readonly FinishedIssue[],
  asked: AskedIssues,
  scanned: Pick<ScannedIssues<unknown>, 'slices'> | null,
): Promise<readonly Pick<Contributor, 'summary' | 'link'>[]> {
  const places = issues.flatMap(({ called }) => (typeof called === 'number' ? [called] : []));
  const byKey = new Map<string, Pick<Contributor, 'summary' | 'link'>>();
  for await (const slice of scanned?.slices(places) ?? []) {
    const table = await slice.report(outcomesRequest(asked));
    for (const { key, link, cells } of table.issues) {
      byKey.set(key, { summary: String(cellOf(cells, 'summary')?.value ?? ''), link });
    }
  }
  return issues.map(
    ({ key, called }) =>
      (typeof called === 'number' ? byKey.get(key) : called) ?? { summary: '', link: null },
  );
}
