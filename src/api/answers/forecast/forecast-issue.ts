import { joinNumbers } from '../../../engine/measure/scan-rows.ts';
import type { Selection } from '../../../model/request.ts';
import { firstWhere } from '../../../time/bisect.ts';
import { mergeScopes } from '../../outcomes/read-table.ts';
import { asLiteral } from '../../reporting/query-text.ts';
import { withKnownCategories } from '../document.ts';
import { type WorkDays, workDaysOf } from '../figures/work-days.ts';
import type { IssueSummary } from '../issue/issue-answer.ts';
import { summarizeIssue } from '../issue/issue-summary.ts';
import { dateOdds, datePercentiles } from './draw-trials.ts';
import type { Forecast, ForecastQuestion } from './forecast-answer.ts';
import { type ForecastContext, HORIZON_DAYS } from './forecast-issues.ts';

/** Issues finished in so many days before the forecast are compared. */
const PAST_DAYS = 90;
/** Fewer issues that were as old do not show how long the rest takes. */
const MIN_COMPARED = 10;

/**
 * When one open issue is finished: how much longer issues of its project took that were as old at least, and were in its status
 * as well where there are enough of them. The times are working time of the question's calendar, its dates days of its zone.
 */
export async function forecastIssue(
  question: ForecastQuestion,
  key: string,
  context: ForecastContext,
): Promise<Forecast> {
  const { calendar, timeZone } = question;
  const { principal, asOf, parts } = context;
  const workDays = await workDaysOf(question, context);
  const issue = await summarizeIssue(parts.reporting, principal, key, { calendar, asOf });
  const reason = notForecast(issue);
  const compared = reason === null ? await comparable(issue, question, workDays, context) : null;
  const rests = compared?.restMs ?? new Float64Array();
  const isEnough = rests.length >= MIN_COMPARED;
  const days = isEnough ? daysOf(rests, workDays, asOf) : null;
  const { contents: own = null, ...provenance } = issue.provenance;
  const contents = compared === null ? own : mergeScopes(own, compared.contents ?? null);
  return {
    forecastOf: 'issue',
    remaining: 1,
    isOpenCount: false,
    until: null,
    issue: {
      key: issue.key,
      summary: issue.summary,
      link: issue.link,
      status: issue.current,
      ageMs: issue.tookMs,
      finishedAt: issue.finish?.finishedAt ?? null,
    },
    sprint: null,
    percentiles: days === null ? [] : datePercentiles(days, workDays),
    odds: days === null ? [] : dateOdds(days, workDays),
    weeks: [],
    arrived: null,
    scopeGrows: false,
    change: null,
    compared: compared === null ? null : rests.length,
    comparedInStatus: compared?.isInStatus ?? false,
    refused:
      reason !== null
        ? { reason, needed: null, found: null, tryOn: null }
        : isEnough
          ? null
          : { reason: 'too-few-issues', needed: MIN_COMPARED, found: rests.length, tryOn: null },
    trials: null,
    seed: null,
    doneSinceUnknown: [],
    unclear: [],
    statusesWithoutCategory: issue.statusesWithoutCategory,
    projects: compared === null ? [] : [issue.project],
    provenance: {
      ...withKnownCategories(provenance, issue),
      ...(contents === null ? {} : { contents }),
      reportType: 'forecast',
      timeZone,
    },
  };
}

/** Why nothing can be said of an issue whatever others took; null where something can. */
function notForecast({ current, startedAt, statusesWithoutCategory }: IssueSummary) {
  if (current?.category === 'Done') return 'done';
  if (current === null || statusesWithoutCategory.length > 0) return 'age-unknown';
  if (startedAt !== null) return null;
  return current.category === 'To Do' ? 'not-started' : 'age-unknown';
}

/** The time that others still needed (working ms) from the age of the issue on. */
interface Comparable {
  readonly restMs: Float64Array;
  readonly isInStatus: boolean;
  readonly contents: Forecast['provenance']['contents'] | null;
}

async function comparable(
  { project, current, tookMs }: IssueSummary,
  { calendar, timeZone }: ForecastQuestion,
  { start }: WorkDays,
  { principal, asOf, parts: { reporting } }: ForecastContext,
): Promise<Comparable> {
  const restsOf = async (selection: Selection, isInStatus: boolean): Promise<Comparable> => {
    const { spans, provenance } = await reporting.finishedSpans({
      principal,
      selection,
      asOf,
      calendar,
      timeZone,
      bounds: [start(-PAST_DAYS), asOf],
    });
    const took = joinNumbers(spans.flatMap(({ cycleTimes }) => cycleTimes));
    const restMs = took.filter((ms) => ms >= tookMs).map((ms) => ms - tookMs);
    return { restMs, isInStatus, contents: provenance.contents ?? null };
  };
  const ofProject = await restsOf({ by: 'project', project }, false);
  if (ofProject.restMs.length < MIN_COMPARED || current === null) return ofProject;
  const jql = `project = ${asLiteral(project)} AND status WAS ${asLiteral(current.id)}`;
  const inStatus = await restsOf({ by: 'jql', jql }, true);
  return inStatus.restMs.length < MIN_COMPARED ? ofProject : inStatus;
}

/** By day of the future, how many of some rests of working time end on it; later ones are in the last element. */
function daysOf(restMs: Float64Array, { calendar, start }: WorkDays, asOf: number): Int32Array {
  const days = new Int32Array(HORIZON_DAYS + 1);
  for (const ms of restMs) {
    const day = firstWhere(
      -1,
      HORIZON_DAYS,
      (day) => day === HORIZON_DAYS || calendar.between(asOf, start(day + 1)) >= ms,
    );
    days[day] = (days[day] ?? 0) + 1;
  }
  return days;
}
