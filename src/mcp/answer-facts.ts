import { millisecondsInHour } from 'date-fns/constants';
import { z } from 'zod';
import { dataEndsBefore } from '../api/answers/figures/read-table.ts';
import type { AskedReport } from '../api/parameters/report.ts';
import type { DurationFigures, LeftOut, Unknowns } from '../model/answer.ts';
import type { Instant } from '../model/issue.ts';
import type { Provenance } from '../model/table.ts';
import { assumedText } from '../output/assumed-categories.ts';
import { durationWords } from '../output/readable-text.ts';
import { incompleteText } from '../output/table-records.ts';
import { dayLengthMs } from '../time/calendar.ts';
import { dateText, isoText } from '../time/date-text.ts';

/** A duration: whole milliseconds of counted time, and the same to read. */
export const duration = z.object({ ms: z.int(), text: z.string() });
/** The same; null means never, or unknown where that is said. It is not 0. */
export const durationOrNull = duration.nullable().meta({ id: 'Duration' });

/** Statistics of durations. */
export const statistics = z
  .object({
    count: z.int().meta({ description: 'Number of durations.' }),
    average: durationOrNull,
    median: durationOrNull,
    p85: durationOrNull,
    standardDeviation: durationOrNull.meta({ description: 'Of the population.' }),
  })
  .meta({ id: 'Statistics' });

const instant = z.iso.datetime();

/** What is to be known before the figures of an answer are trusted. */
export const facts = z.object({
  unit: z.literal('milliseconds').meta({ description: 'Of every ms.' }),
  dayMs: z.number().meta({ description: 'How long a day (d) is in the texts of durations.' }),
  timeZone: z.string().meta({ description: 'Of the dates in the question and in the text.' }),
  calendar: z
    .object({ id: z.int().nullable(), name: z.string(), timeZone: z.string(), is7x24Calendar: z.boolean() })
    .meta({ description: 'The working calendar; is7x24Calendar: 24/7.' }),
  asOf: instant.meta({ description: 'The figures are as of this time.' }),
  dataAsOf: instant.nullable().meta({
    description: 'Time of the last sync; null if computed live.',
  }),
  trim: z
    .object({ from: instant.nullable(), until: instant.nullable() })
    .meta({ description: 'The part of the histories that counts; null: open.' }),
  complete: z.boolean().meta({ description: 'Whether every history is whole and no issue is left out.' }),
  issueCount: z.int().meta({ description: 'Issues counted in this answer.' }),
  cutHistories: z.int().meta({ description: 'How many of them have a cut history.' }),
  undecided: z.int().meta({ description: 'Issues left out: it is unknown whether they match the filter.' }),
  unaskedIssues: z.int().meta({ description: 'Issues left out: your permission could not be checked.' }),
  query: z.string().nullable().meta({ description: 'The JQL that chose the issues; null: keys did.' }),
  notes: z.array(z.string()).meta({ description: 'Remarks.' }),
});

/** How durations and dates become text. */
export interface Wording {
  readonly dayMs: number;
  readonly timeZone: string;
}

/** The wording of an answer: a day is a working day of the calendar, as in Slack, unless 24 hours were asked for. */
export function wordingOf(
  { calendar, timeZone }: Pick<Provenance, 'calendar' | 'timeZone'>,
  { dayLength }: Pick<AskedReport, 'dayLength'>,
): Wording {
  return { timeZone, dayMs: dayLengthMs(calendar, dayLength) };
}

/** The facts behind an answer, for programs. */
export function factsOf(provenance: Provenance, { dayMs, timeZone }: Wording): z.output<typeof facts> {
  const { calendar, asOf, dataAsOf, trim, complete, issues, cutHistories, undecided, query } = provenance;
  return {
    ...{
      unit: 'milliseconds',
      dayMs,
      timeZone,
      complete,
      issueCount: issues,
      cutHistories,
      undecided,
      query,
    },
    calendar: {
      ...{ id: calendar.id, name: calendar.name, timeZone: calendar.timeZone },
      is7x24Calendar: calendar.continuous,
    },
    asOf: isoText(asOf),
    dataAsOf: isoOrNull(dataAsOf),
    trim: { from: isoOrNull(trim.from), until: isoOrNull(trim.to) },
    unaskedIssues: provenance.unasked ?? 0,
    notes: notesOf(provenance, { dayMs, timeZone }),
  };
}

/** The same to read, a line each. */
export function factLines(provenance: Provenance, wording: Wording): readonly string[] {
  const { calendar, asOf, dataAsOf, trim, issues, query } = provenance;
  const at = (instant: Instant) => zonedText(instant, wording);
  const hours = Number((wording.dayMs / millisecondsInHour).toFixed(2));
  const counts = calendar.continuous
    ? '24/7 (all time counts, nights and weekends too)'
    : `${calendar.name} (id ${calendar.id}, only working time counts, ${calendar.timeZone})`;
  const { from, to } = trim;
  const range = `${from === null ? 'creation' : at(from)} to ${to === null ? 'the "as of" time' : at(to)}`;
  return [
    `Durations: d, h, m, s with 1d = ${hours}h${calendar.continuous ? '' : ' of working time'}, cut after two units; exact milliseconds are in the structured content. "-" means never, not 0.`,
    `Calendar: ${counts}.`,
    `Time zone of dates: ${wording.timeZone}. As of: ${at(asOf)}. Data as of: ${dataAsOf === null ? 'the same moment (computed on the spot)' : at(dataAsOf)}.`,
    ...(from === null && to === null ? [] : [`Only this part of the histories counts: ${range}.`]),
    `Issues counted: ${issues}. ${completenessText(provenance)}`,
    ...(query === null ? [] : [`JQL: ${query}`]),
    ...notesOf(provenance, wording).map((note) => `Note: ${note}`),
  ];
}

/** Whether all histories are whole, and else why not, as a sentence. */
export function completenessText(provenance: Provenance): string {
  if (provenance.complete) return 'Histories: complete.';
  const partly = incompleteText(provenance) || 'for some issues a fact is unknown';
  return `Histories: NOT COMPLETE: ${partly}. Figures can be too low.`;
}

function notesOf(provenance: Provenance, wording: Wording): string[] {
  const end = dataEndsBefore(null, provenance);
  const assumed = assumedText(provenance);
  return [
    ...(end === null ? [] : [`The data ends on ${zonedText(end, wording)}: later changes are missing.`]),
    ...(provenance.notes ?? []),
    ...(assumed === null ? [] : [assumed]),
  ];
}

/** A duration for programs; a change for the shorter is negative. */
export function durationOf(ms: number | null, { dayMs }: Wording): z.output<typeof durationOrNull> {
  if (ms === null) return null;
  const whole = Math.round(ms);
  return { ms: whole, text: `${whole < 0 ? '-' : ''}${durationWords(Math.abs(whole), dayMs)}` };
}

/** The figures of some durations for programs. */
export function statisticsOf(
  { count, average, median, p85, deviation }: DurationFigures,
  wording: Wording,
): z.output<typeof statistics> {
  return {
    count,
    average: durationOf(average, wording),
    median: durationOf(median, wording),
    p85: durationOf(p85, wording),
    standardDeviation: durationOf(deviation, wording),
  };
}

/** An instant in the zone of the answer, with its offset. */
export function zonedText(at: Instant, { timeZone }: Pick<Wording, 'timeZone'>): string {
  return dateText(at, 'yyyy-MM-dd HH:mm XXX', timeZone);
}

/** An instant for programs; null stays. */
export function isoOrNull(at: Instant | null): string | null {
  return at === null ? null : isoText(at);
}

/** Issues that a figure leaves out. */
export const leftOut = z
  .object({
    count: z.int(),
    issues: z
      .array(z.object({ key: z.string(), reason: z.string() }))
      .meta({ description: 'The first few.' }),
  })
  .meta({ id: 'LeftOut' });

/** Issues that some figure leaves out. */
export const unknowns = z.object({
  doneSinceUnknown: leftOut.meta({ description: 'They are done, but since when is unknown.' }),
  unclear: leftOut.meta({ description: 'Unknown if open or done.' }),
  statusesWithoutCategory: z.array(z.string()),
});

const MOST_LEFT_OUT = 20;
const MOST_NAMED = 5;

/** The first issues of those that are left out, and how many there are. */
export function leftOutOf(issues: readonly LeftOut[]): z.output<typeof leftOut> {
  return {
    count: issues.length,
    issues: issues.slice(0, MOST_LEFT_OUT).map(({ key, reason }) => ({ key, reason })),
  };
}

/** What is unknown of issues, for programs. */
export function unknownsOf({ sinceUnknown, unclear, withoutCategory }: Unknowns): z.output<typeof unknowns> {
  return {
    doneSinceUnknown: leftOutOf(sinceUnknown),
    unclear: leftOutOf(unclear),
    statusesWithoutCategory: [...withoutCategory],
  };
}

/** The same to read, a line each; none where all is known. */
export function unknownLines({ sinceUnknown, unclear, withoutCategory }: Unknowns): readonly string[] {
  return [
    ...leftOutLines('done, but since when is unknown', sinceUnknown),
    ...leftOutLines('unknown whether they are open or done', unclear),
    ...(withoutCategory.length === 0 ? [] : [`Statuses without a category: ${withoutCategory.join(', ')}.`]),
  ];
}

/** Issues that are left out and why, in a line; none where there are none. */
export function leftOutLines(why: string, issues: readonly LeftOut[]): readonly string[] {
  if (issues.length === 0) return [];
  const named = issues.slice(0, MOST_NAMED).map(({ key, reason }) => `${key}: ${reason}`);
  const more = issues.length - named.length;
  return [
    `Left out (${why}): ${issues.length} (${named.join('; ')}${more > 0 ? `; and ${more} more` : ''}).`,
  ];
}
