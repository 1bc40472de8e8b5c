import { z } from 'zod';
import type { QuestionKind } from '../../api/answers/question-kind.ts';
import { type AskedReport, reportParameters } from '../../api/parameters/report.ts';
import { readWindow } from '../../api/parameters/window.ts';
import { checkDayLength } from '../../api/settings/request-of-saved.ts';
import type { DurationFigures, LeftOut, Unknowns, WeeklyStatus } from '../../model/answer.ts';
import type { MeasuredQuestion } from '../../model/question.ts';
import type { Principal } from '../../model/request.ts';
import type { Provenance } from '../../model/table.ts';
import { withNotes } from '../../output/provenance-sheet.ts';
import { durationText, type ViewFormat, viewFormats } from '../../output/readable-text.ts';
import { NEVER } from '../../output/table-records.ts';
import { dayLengthMs } from '../../time/calendar.ts';
import type { HttpParts } from '../route.ts';
import { madeOf } from '../wire.ts';
import { doubtsOf, outerMembers, query } from './table.ts';

const { calendar, asOf, viewFormat, dayLength } = reportParameters;

/** How figures that are no table are measured and shown. */
export const figureParameters = { calendar, asOf, viewFormat, dayLength };

type AskedFigures = Pick<AskedReport, keyof typeof figureParameters> & {
  /** The principal's own where none is asked for. */
  readonly timeZone?: string | undefined;
};

/** How durations are shown. `dayMs` is the length of a day. */
export interface FigureFrame {
  readonly viewFormat: ViewFormat;
  readonly dayMs: number;
  readonly version: string;
}

/** Answers a question whose figures are no table, and says how they are shown. */
export async function answerFigures<
  Asked extends MeasuredQuestion,
  Value extends { readonly provenance: Provenance },
>(
  kind: QuestionKind<Asked, Value>,
  questionOf: (measured: Pick<MeasuredQuestion, 'calendar' | 'timeZone'>) => Asked,
  asked: AskedFigures,
  principal: Principal,
  { answers, reporting, settings, now, version }: HttpParts,
): Promise<{ readonly value: Value; readonly frame: FigureFrame }> {
  const unchecked = await checkDayLength(asked, principal, settings);
  const timeZone = asked.timeZone ?? (await reporting.timeZoneOf(principal));
  const answer = await answers.ask(
    kind,
    principal,
    questionOf({ calendar: asked.calendar, timeZone }),
    readWindow({ asOf: asked.asOf }, { now: now(), timeZone }).asOf,
  );
  const value = kind.withProvenance(answer.value, (provenance) => withNotes(provenance, unchecked));
  const dayMs = dayLengthMs(value.provenance.calendar, asked.dayLength);
  return { value, frame: { viewFormat: asked.viewFormat, dayMs, version } };
}

/** Where figures that are no table come from, and how they are shown. */
export const figureMembers = {
  ignoredParameters: outerMembers.ignoredParameters,
  timeZone: outerMembers.timeZone,
  version: outerMembers.version,
  viewFormat: z.enum(viewFormats),
  calendar: outerMembers.calendar,
  asOf: outerMembers.asOf,
  askedAt: outerMembers.askedAt,
  dataAsOf: outerMembers.dataAsOf,
  complete: z
    .boolean()
    .describe(
      'Whether every history is complete, no issue was left out, and the category of every status is known.',
    ),
  cutHistories: outerMembers.cutHistories,
  undecided: outerMembers.undecided,
  unaskedIssues: outerMembers.unaskedIssues,
  notes: outerMembers.notes,
  assumedCategories: z
    .array(z.object({ id: z.string(), name: z.string(), statusCategory: z.object({ name: z.string() }) }))
    .optional()
    .describe(
      'Statuses the issues were in whose category is assumed, as the tracker gives none; an admin can set it. Absent where there are none.',
    ),
  query,
};

/** These members of an answer, and how many issues it counted. */
export function figuresFrom(
  { issues, ...provenance }: Provenance,
  { version, viewFormat: unit }: FigureFrame,
) {
  const { timeZone, asOf: at, askedAt, dataAsOf, complete, cutHistories, undecided } = provenance;
  const assumed = provenance.assumedCategories?.map(({ id, name, category }) => ({
    ...{ id, name },
    statusCategory: { name: category },
  }));
  return {
    ...{ timeZone, version, viewFormat: unit, calendar: provenance.calendar },
    ...{ asOf: at, askedAt, dataAsOf, complete, issueCount: issues, cutHistories, undecided },
    ...doubtsOf(provenance),
    ...(assumed === undefined ? {} : { assumedCategories: assumed }),
    query: provenance.query,
  };
}

/** A duration: as text in the unit asked for, and in milliseconds. */
export const duration = z
  .object({
    value: z.string().describe('In the unit of viewFormat; "-" means never.'),
    raw: z.string().optional().describe('Whole working milliseconds; absent for "-".'),
  })
  .meta({
    id: 'WeeklyDuration',
    description: 'A duration as text in the requested unit, and in milliseconds.',
  });

/** A duration in the unit asked for; null is "never". */
export function durationIn({ viewFormat: unit, dayMs }: FigureFrame) {
  return (ms: number | null): z.input<typeof duration> => {
    if (ms === null) return { value: NEVER };
    const raw = Math.round(Math.abs(ms));
    const sign = ms < 0 && raw > 0 ? '-' : '';
    return { value: `${sign}${durationText(raw, unit, dayMs)}`, raw: `${sign}${raw}` };
  };
}

/** Statistics of durations. */
export const durationStatistics = z
  .object({
    count: z.int().describe('Number of issues behind the figures.'),
    average: duration,
    median: duration,
    percentile85: duration,
    standardDeviation: duration.describe('Of the population.'),
  })
  .meta({ id: 'WeeklyStatistics', description: 'Statistics of durations.' });

/** The same in the unit asked for. */
export function statisticsIn(frame: FigureFrame) {
  const inUnit = durationIn(frame);
  return ({ count, average, median, p85, deviation }: DurationFigures) => ({
    count,
    average: inUnit(average),
    median: inUnit(median),
    percentile85: inUnit(p85),
    standardDeviation: inUnit(deviation),
  });
}

/** Issues that a figure leaves out, and why. */
export const leftOut = z.array(
  madeOf(
    ({ key, reason }: LeftOut) => ({ issueKey: key, reason }),
    z.object({ issueKey: z.string(), reason: z.string() }),
  ),
);

/** What could not be counted in a `week` or a `sprint`. */
export const unknownMembers = (span: string) => ({
  doneSinceUnknown: leftOut.describe(
    `Issues that are done and may have been finished in the ${span}; since when is unknown, and why.`,
  ),
  unclear: leftOut.describe('Issues that may or may not be done, and why.'),
  statusesWithoutCategory: z
    .array(z.string())
    .describe('Statuses the issues were in whose category is unknown; `complete` is false then.'),
});

/** These members of an answer. */
export function unknownsOf({ sinceUnknown, unclear, withoutCategory }: Unknowns) {
  return { doneSinceUnknown: sinceUnknown, unclear, statusesWithoutCategory: withoutCategory };
}

/** A status that figures are of. */
export const statusMembers = {
  id: z.string(),
  name: z.string(),
  statusCategory: z.object({ name: z.string() }),
};

/** These members of an answer. */
export function statusOf({ id, title, category }: Pick<WeeklyStatus, 'id' | 'title' | 'category'>) {
  return { id, name: title, statusCategory: { name: category } };
}
