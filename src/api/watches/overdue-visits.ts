import type { Logger } from 'pino';
import type { AgingIssue } from '../../model/answer.ts';
import type { Instant } from '../../model/issue.ts';
import type { Principal } from '../../model/principal.ts';
import { ask } from '../../model/request.ts';
import type { CalendarFacts } from '../../model/table.ts';
import type { Threshold, WatchInput } from '../../model/watch.ts';
import type { WatchStore } from '../../store/job-stores.ts';
import { calendarOf } from '../../time/calendar.ts';
import { weekdayHours } from '../../time/working-days.ts';
import type { AnswersApi, Part } from '../answers.ts';
import type { DelegationApi } from '../delegation.ts';
import type { ReportingApi } from '../reporting.ts';
import type { SettingsApi } from '../settings/settings-api.ts';
import type { Overdue } from '../watches.ts';

/** What watches are stored and looked after with. */
export interface WatchesParts {
  readonly store: WatchStore;
  readonly answers: Pick<AnswersApi, 'answer'>;
  readonly reporting: Pick<ReportingApi, 'report' | 'statuses'>;
  readonly delegations: Pick<DelegationApi, 'chainOf' | 'delegations'>;
  readonly settings: Pick<SettingsApi, 'calendars'>;
  readonly now: () => Instant;
  readonly newId: () => string;
  readonly log: Logger;
}

/** What a watch sees. */
export interface WatchFindings {
  /** Issues in its status, of which it is known since when. */
  readonly visits: readonly AgingIssue[];
  /** Those that sit too long, furthest beyond first. */
  readonly overdue: readonly Overdue[];
  /** Of how many open issues it is not known since when they are where they are. */
  readonly sinceUnknown: number;
  readonly calendar: CalendarFacts;
  readonly asOf: Instant;
  /** When the data was last taken from the tracker; null when it is computed on the spot. */
  readonly dataAsOf: Instant | null;
}

const everyone: Part = { start: 0, size: Number.POSITIVE_INFINITY };

/** Looks with the rights of the principal. Issues whose cut history does not show since when are never too long. */
export async function overdueVisits(
  { selection, status, threshold, calendar, timeZone }: WatchInput,
  principal: Principal,
  { answers }: Pick<WatchesParts, 'answers'>,
): Promise<WatchFindings> {
  const question = { kind: 'aging', selection, calendar, timeZone } as const;
  const { told, asOf } = await answers.answer(principal, question, null, everyone);
  if (told.kind !== 'aging') throw new Error(`A question about ages was answered with ${told.kind}`);
  const { issues, unknown, provenance } = told.aging;
  const measured = measuredIn(threshold, timeZone, asOf);
  const visits = issues.filter((issue) => isStatus(issue.status, status)).map(measured.again);
  const overdue = visits
    .flatMap((issue): Overdue[] => {
      const thresholdMs = thresholdOf(threshold, issue);
      return thresholdMs === null || issue.ageMs <= thresholdMs ? [] : [{ issue, thresholdMs }];
    })
    .toSorted((a, b) => beyond(b) - beyond(a));
  return {
    visits,
    overdue,
    sinceUnknown: unknown.length,
    calendar: measured.calendar ?? provenance.calendar,
    asOf,
    dataAsOf: provenance.dataAsOf,
  };
}

/** A threshold in weekdays is held against ages in weekdays. */
function measuredIn(threshold: Threshold, timeZone: string, asOf: Instant) {
  if (threshold.by === 'usual' || threshold.weekdays === undefined) {
    return { calendar: null, again: (issue: AgingIssue) => issue };
  }
  const { between, ...calendar } = calendarOf(weekdayHours(timeZone));
  return { calendar, again: (issue: AgingIssue) => ({ ...issue, ageMs: between(issue.since, asOf) }) };
}

/** By id, for a status may be called something else by now; by name, for projects may have one each of the same name. */
function isStatus({ id, title }: AgingIssue['status'], { id: wanted, name }: WatchInput['status']): boolean {
  return id === wanted || title.toLowerCase() === name.toLowerCase();
}

function thresholdOf(threshold: Threshold, { usual }: AgingIssue): number | null {
  return threshold.by === 'time' ? threshold.ms : (usual?.p85 ?? null);
}

function beyond({ issue, thresholdMs }: Overdue): number {
  return issue.ageMs - thresholdMs;
}

/** Why nothing can sit too long in a status, in a sentence; null: something can. */
export async function whyNoStatus(
  { id, name }: WatchInput['status'],
  principal: Principal,
  { reporting }: Pick<WatchesParts, 'reporting'>,
): Promise<string | null> {
  const all = await reporting.statuses(principal);
  // A tracker of which nothing has been read yet has no statuses.
  if (all.length === 0) return null;
  const meant = all.filter((one) => one.id === id || one.name.toLowerCase() === name.toLowerCase());
  if (meant.length === 0) return `There is no status '${name}' any more that you can see.`;
  if (meant.every(({ deleted }) => deleted)) return `The status '${name}' was deleted in the tracker.`;
  if (meant.some(({ category, deleted }) => category !== 'Done' && !deleted)) return null;
  return `The status '${name}' is of the category Done; allowed: statuses in which work still waits.`;
}

/** Whether any issue of a selection that the principal may see was ever in the status. */
export async function wasEverMet(
  { selection, status, timeZone }: Pick<WatchInput, 'selection' | 'status' | 'timeZone'>,
  principal: Principal,
  { reporting }: Pick<WatchesParts, 'reporting'>,
): Promise<boolean> {
  const { statuses } = await reporting.report(
    ask({
      principal,
      reportType: 'statusCount',
      selection,
      timeZone,
      statistic: { type: 'sum', denominator: 'nonNull', deviation: 'population', percentile: 85 },
    }),
  );
  const name = status.name.toLowerCase();
  return statuses.included.some((met) => met.id === status.id || met.name.toLowerCase() === name);
}
