import { createYieldIfDue } from '../../../concurrency/cooperative-yield.ts';
import { about, badRequest, nullOn } from '../../../model/error.ts';
import { foldedName } from '../../../model/issues/ids-and-names.ts';
import { projectKeyOf } from '../../../model/issues/issue-fields.ts';
import type { Selection } from '../../../model/request.ts';
import { readIsoDay } from '../../../time/date-text.ts';
import { dayAt } from '../../../time/wall-clock.ts';
import { doubtsOf, mayBeFinishedIn } from '../../outcomes/issue-outcomes.ts';
import type { OpenIssues } from '../../outcomes/outcomes-api.ts';
import { isComplete, mergeScopes } from '../../outcomes/read-table.ts';
import { asLiteral } from '../../reporting/query-text.ts';
import { readOpen } from '../figures/aging-figures.ts';
import { type WorkDays, workDaysOf } from '../figures/work-days.ts';
import type { AnswerContext, AnswerParts } from '../question-kind.ts';
import {
  countOdds,
  countPercentiles,
  dateOdds,
  datePercentiles,
  drawCounts,
  drawDays,
  percentBy,
  TRIALS,
  type TrialInput,
  WEEK_DAYS,
} from './draw-trials.ts';
import type { Forecast, ForecastQuestion } from './forecast-answer.ts';
import {
  growsIn,
  MIN_WEEKS,
  type PastWeeks,
  pastWeeks,
  RECENT_WEEKS,
  throughputChange,
  weekWeights,
} from './past-weeks.ts';

/** Five years: later days are no forecast. */
export const HORIZON_DAYS = 261 * WEEK_DAYS;

/** The context of a forecast. */
export type ForecastContext = AnswerContext<Pick<AnswerParts, 'reporting' | 'calendars'>>;

/** When a number of issues is finished, or how many are until a day, from what their team finished in its past weeks. */
export async function forecastIssues(
  question: ForecastQuestion,
  context: ForecastContext,
): Promise<Forecast> {
  const { selection, calendar, timeZone, issues = null, until = null } = question;
  const workDays = await workDaysOf(question, context);
  const lastDay = until === null ? null : lastDayOf(until, workDays);
  const isNamed = selection.by === 'keys' || question.sprint !== undefined;
  const open = isNamed || (issues === null && until === null) ? await readOpen(question, context) : null;
  const projects = isNamed && open !== null ? projectsOf(open) : [];
  const past = await pastWeeks(
    { selection: ofProjects(projects) ?? selection, calendar, timeZone },
    workDays,
    context,
  );
  const remaining = until === null ? (issues ?? (open === null ? 0 : countOpen(open))) : null;
  const seed = question.seed ?? seedOf(question, workDays.iso(0));
  const weeks = past.weeks.map(({ finished }) => finished);
  const refused = remaining === 0 ? nothingOpen : tooFewWeeks(weeks, workDays);
  const pace = createYieldIfDue();
  const drawn = async (input: TrialInput): Promise<DrawnFigures> => {
    if (lastDay === null) {
      const days = await drawDays(input, remaining ?? 0, pace);
      return { days, percentiles: datePercentiles(days, workDays), odds: () => dateOdds(days, workDays) };
    }
    const counts = await drawCounts(input, lastDay, pace);
    return { days: null, percentiles: countPercentiles(counts), odds: () => countOdds(counts) };
  };
  const figures = refused === null ? await drawn(trialsOf(past, workDays, seed)) : null;
  const change = refused === null ? throughputChange(weeks) : null;
  const { found, arrived } = past;
  const recent = {
    weeks: past.weeks.slice(-RECENT_WEEKS),
    days: past.days.subarray(-RECENT_WEEKS * WEEK_DAYS),
  };
  const finished = weeks.reduce((sum, one) => sum + one, 0);
  const whole = { start: past.weeks[0]?.start ?? 0, end: past.weeks.at(-1)?.end ?? 0 };
  const doubts = doubtsOf(mayBeFinishedIn(whole, found.doubtful));
  return {
    forecastOf: lastDay === null ? 'date' : 'count',
    remaining,
    isOpenCount: until === null && issues === null,
    until: lastDay === null ? null : workDays.iso(lastDay),
    issue: null,
    sprint: await sprintOf(question, figures?.days ?? null, workDays, context),
    percentiles: figures?.percentiles ?? [],
    odds: figures?.odds() ?? [],
    weeks: past.weeks,
    arrived,
    scopeGrows: growsIn({ arrived, finished }),
    change:
      change === null
        ? null
        : { ...change, percentiles: (await drawn(trialsOf(recent, workDays, seed))).percentiles },
    compared: null,
    comparedInStatus: false,
    refused,
    trials: TRIALS,
    seed,
    ...doubts,
    unclear: [...doubts.unclear, ...(open?.unclear ?? [])],
    statusesWithoutCategory: [...new Set([...found.withoutCategory, ...(open?.withoutCategory ?? [])])],
    projects,
    provenance: provenanceOf(past, open, timeZone),
  };
}

/** The figures of some trials; `days` where they are about dates. */
interface DrawnFigures extends Pick<Forecast, 'percentiles'> {
  readonly days: Int32Array | null;
  readonly odds: () => Forecast['odds'];
}

const nothingOpen = { reason: 'nothing-open', needed: null, found: null, tryOn: null } as const;

/** The refusal where too few weeks have finished issues; null where there are enough. */
function tooFewWeeks(weeks: readonly number[], { iso }: WorkDays): Forecast['refused'] {
  const found = weeks.filter((finished) => finished > 0).length;
  if (found >= MIN_WEEKS) return null;
  return { reason: 'too-few-weeks', needed: MIN_WEEKS, found, tryOn: iso((MIN_WEEKS - found) * WEEK_DAYS) };
}

/** The number of the last day that counts. */
function lastDayOf(until: string, { iso, numberOf }: WorkDays): number {
  const day = readIsoDay(until);
  if (day === null) throw badRequest(about('until', `'${until}' is not a date. Try: yyyy-MM-dd.`));
  const last = numberOf(day);
  if (last < 0)
    throw badRequest(
      about('until', `'${until}' is before ${iso(0)}, the day of the forecast. Try: a later day.`),
    );
  if (last >= HORIZON_DAYS)
    throw badRequest(
      about('until', `'${until}' is more than five years away. Try: ${iso(HORIZON_DAYS - 1)} or earlier.`),
    );
  return last;
}

function countOpen({ groups, unknown }: OpenIssues): number {
  return groups.reduce((sum, { ages }) => sum + ages.length, unknown.length);
}

/** The projects of some open issues: a sprint, or a list of issues, has no past of its own. */
function projectsOf({ groups, unknown }: OpenIssues): readonly string[] {
  const all = new Set([
    ...groups.map(({ project }) => project),
    ...unknown.map((key) => projectKeyOf({ key }).toUpperCase()),
  ]);
  return [...all].sort();
}

/** All issues of some projects; null of none. */
function ofProjects([project, ...others]: readonly string[]): Selection | null {
  if (project === undefined) return null;
  if (others.length === 0) return { by: 'project', project };
  return { by: 'jql', jql: `project in (${[project, ...others].map(asLiteral).join(', ')})` };
}

function trialsOf(
  { weeks, days }: Pick<PastWeeks, 'weeks' | 'days'>,
  workDays: WorkDays,
  seed: number,
): TrialInput {
  return {
    past: days,
    weights: weekWeights(weeks.length),
    future: Uint8Array.from({ length: HORIZON_DAYS }, (_, day) => Number(workDays.isWorking(day))),
    firstDayShare: workDays.shareLeft,
    seed,
    trials: TRIALS,
  };
}

/** A whole number of 48 bits from a question and the day of its answer, so that it is the same all day (FNV-1a, twice). */
function seedOf(
  { selection, sprint, issues, until, calendar, timeZone }: ForecastQuestion,
  day: string,
): number {
  const text = JSON.stringify([selection, sprint, issues, until, calendar, timeZone, day]);
  const hash = (start: number) => {
    let value = start;
    for (let i = 0; i < text.length; i += 1) value = Math.imul(value ^ text.charCodeAt(i), 0x0100_0193);
    return value >>> 0;
  };
  return (hash(0x811c_9dc5) & 0xffff) * 0x1_0000_0000 + hash(0x9e37_79b9);
}

/** The sprint of a question, and the chance to finish its open issues by its planned end. */
async function sprintOf(
  { sprint: wanted, timeZone }: ForecastQuestion,
  days: Int32Array | null,
  { iso, numberOf }: WorkDays,
  { principal, parts: { reporting } }: ForecastContext,
): Promise<Forecast['sprint']> {
  if (wanted === undefined) return null;
  const all = await reporting.sprints(principal).catch(nullOn('unsupported-by-service'));
  const latest = (all ?? []).toSorted((a, b) => (b.start ?? 0) - (a.start ?? 0));
  const found =
    latest.find(({ id }) => id === wanted) ??
    latest.find(({ name }) => foldedName(name) === foldedName(wanted));
  const { name = wanted, end = null } = found ?? {};
  const last = end === null ? null : numberOf(dayAt(end, timeZone));
  if (last === null) return { name, end: null, percent: null };
  return { name, end: iso(last), percent: days === null || last < 0 ? null : percentBy(days, last) };
}

/** That of the past; what open issues lack counts as well. */
function provenanceOf(
  { found }: Pick<PastWeeks, 'found'>,
  open: OpenIssues | null,
  timeZone: string,
): Forecast['provenance'] {
  const { contents = null, ...provenance } = found.provenance;
  const all = open === null ? contents : mergeScopes(contents, open.contents);
  const cutHistories = Math.max(found.cutHistories, open?.cutHistories ?? 0);
  return {
    ...provenance,
    ...(all === null ? {} : { contents: all }),
    reportType: 'forecast',
    timeZone,
    issues: found.lived,
    cutHistories,
    complete: isComplete(found) && (open === null || isComplete(open)),
  };
}
