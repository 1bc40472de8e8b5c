import { millisecondsInHour } from 'date-fns/constants';
import type {
  Compared,
  DurationFigures,
  LeftOut,
  Unknowns,
  Week,
  WeeklyAggregates,
  WeeklyStatus,
} from '../../model/answer.ts';
import type { Provenance } from '../../model/table.ts';
import { durationText, type ViewFormat } from '../../output/readable-text.ts';
import { NEVER } from '../../output/table-records.ts';
import { isoText } from '../../time/date-text.ts';
import { notesJson, unaskedJson } from './outer-json.ts';

/** How durations are told. `dayMs` is the length of a day. */
export interface WeeklyFrame {
  readonly viewFormat: ViewFormat;
  readonly dayMs: number;
  readonly version: string;
}

/** The aggregates of a week on the wire. */
export function weeklyJson(weekly: WeeklyAggregates, frame: WeeklyFrame) {
  const duration = (ms: number | null) => durationJson(ms, frame);
  const statistics = (one: DurationFigures) => statisticsJson(one, frame);
  return {
    ...provenanceJson(weekly.provenance, frame),
    week: weekJson(weekly.week),
    finished: { ...weekly.finished, ...reasonJson(weekly.finishedUnknown) },
    cycleTime: comparedJson(weekly.cycleTime, statistics),
    statuses: weekly.statuses.map(({ finished, within, ...status }) => ({
      ...statusJson(status),
      finished: comparedJson(finished, statistics),
      within: comparedJson(within, duration),
    })),
    weeks: weekly.weeks.map(({ week, finished, finishedUnknown, cycleTime, within }) => ({
      ...weekJson(week),
      finished,
      ...reasonJson(finishedUnknown),
      cycleTime: statistics(cycleTime),
      within: Object.entries(within).map(([id, ms]) => ({ id, ...duration(ms) })),
    })),
    against: weekly.against,
    movers: weekly.contributors.map(({ key, summary, link, cycleMs, shiftMs }) => ({
      issueKey: key,
      summary,
      link,
      cycleTime: duration(cycleMs),
      shift: duration(shiftMs),
    })),
    withoutCycleTime: weekly.withoutCycleTime.map(leftOutJson),
    ...doubtsJson(weekly.doubts),
  };
}

/** Where figures that are no table come from, and how they are shown. */
export function provenanceJson(provenance: Provenance, { version, viewFormat }: WeeklyFrame) {
  const { timeZone, calendar, asOf, askedAt, dataAsOf, complete, issues, cutHistories, undecided, query } =
    provenance;
  return {
    timeZone,
    version,
    viewFormat,
    calendar: {
      id: calendar.id,
      name: calendar.name,
      timeZone: calendar.timeZone,
      dailyWorkingHours: calendar.dailyMs / millisecondsInHour,
      is7x24Calendar: calendar.continuous,
    },
    asOf: isoText(asOf),
    askedAt: isoText(askedAt),
    dataAsOf: dataAsOf === null ? null : isoText(dataAsOf),
    complete,
    issueCount: issues,
    cutHistories,
    undecided,
    ...unaskedJson(provenance),
    ...notesJson(provenance),
    query,
  };
}

/** Why a figure beside it is null. */
function reasonJson(reason: string | null) {
  return reason === null ? {} : { reason };
}

/** What could not be counted. */
export function doubtsJson({ sinceUnknown, unclear, withoutCategory }: Unknowns) {
  return {
    doneSinceUnknown: sinceUnknown.map(leftOutJson),
    unclear: unclear.map(leftOutJson),
    statusesWithoutCategory: withoutCategory,
  };
}

/** The status that figures are of. */
export function statusJson({ id, title, category }: Pick<WeeklyStatus, 'id' | 'title' | 'category'>) {
  return { id, name: title, statusCategory: { name: category } };
}

function leftOutJson({ key, reason }: LeftOut) {
  return { issueKey: key, reason };
}

function weekJson({ id, start, end, whole }: Week) {
  return { id, start: isoText(start), end: isoText(end), whole };
}

function comparedJson<Figure, Json>(
  { week, weekBefore, eightWeeks }: Compared<Figure>,
  json: (figure: Figure) => Json,
) {
  return { week: json(week), weekBefore: json(weekBefore), eightWeeks: json(eightWeeks) };
}

export function statisticsJson(
  { count, average, median, p85, deviation }: DurationFigures,
  frame: WeeklyFrame,
) {
  return {
    count,
    average: durationJson(average, frame),
    median: durationJson(median, frame),
    percentile85: durationJson(p85, frame),
    standardDeviation: durationJson(deviation, frame),
  };
}

/** As cells of reports have it: text in the asked unit, beside it whole working milliseconds as text. */
export function durationJson(ms: number | null, { viewFormat, dayMs }: WeeklyFrame) {
  if (ms === null) return { value: NEVER };
  const raw = Math.round(Math.abs(ms));
  const sign = ms < 0 && raw > 0 ? '-' : '';
  return { value: `${sign}${durationText(raw, viewFormat, dayMs)}`, raw: `${sign}${raw}` };
}
