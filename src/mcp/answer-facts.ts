import { millisecondsInHour } from 'date-fns/constants';
import { z } from 'zod';
import { factMembers, provenanceFacts } from '../api/answers/document.ts';
import { dataEndsBefore } from '../api/outcomes/read-table.ts';
import type { ReportInput } from '../api/parameters/report.ts';
import type { LeftOut, Unknowns } from '../model/answer.ts';
import type { Instant } from '../model/issue.ts';
import type { Provenance } from '../model/table.ts';
import { assumedText } from '../output/assumed-categories.ts';
import { isoInstant } from '../output/encode.ts';
import type { ValueWords } from '../output/figure-words.ts';
import { durationWords, settled } from '../output/readable-text.ts';
import { incompleteText, NEVER_TEXT } from '../output/table-records.ts';
import { dayLengthMs } from '../time/calendar.ts';
import { dateText, isoText } from '../time/date-text.ts';

/** A duration: whole milliseconds of counted time, and the same to read. */
export const duration = z.object({ ms: z.int(), text: z.string() });
/** A duration that can be null: never, or unknown where the answer says so. It is not 0. */
const durationOrNull = duration.nullable().meta({ id: 'Duration' });

/** The measure of a table and its completeness. */
export const facts = z.object({
  dayMs: z.number().meta({ description: 'How long a day (d) is in the texts of durations.' }),
  ...factMembers,
  trim: z
    .object({ from: isoInstant.nullable(), until: isoInstant.nullable() })
    .meta({ description: 'The part of the histories that counts; null: open.' }),
  reportType: z.string(),
});

/** The wording of an answer: a day is a working day of the calendar, as in Slack, unless the input names 24 hours. */
export function wordingOf(
  { calendar, timeZone }: Pick<Provenance, 'calendar' | 'timeZone'>,
  { dayLength }: Pick<ReportInput, 'dayLength'>,
): ValueWords {
  return { timeZone, dayMs: dayLengthMs(calendar, dayLength) };
}

/** The facts behind a table, for programs. */
export function tableFacts(provenance: Provenance, { dayMs }: ValueWords): z.output<typeof facts> {
  const { trim, reportType } = provenance;
  const known = { ...provenanceFacts(provenance, null), trim: { from: trim.from, until: trim.to } };
  return facts.parse({ dayMs, ...known, reportType });
}

/** These facts to read, a line each. */
export function factLines(provenance: Provenance, wording: ValueWords): readonly string[] {
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

/** A sentence that says that all histories are whole, or why they are not. */
export function completenessText(provenance: Provenance): string {
  if (provenance.complete) return 'Histories: complete.';
  const partly = incompleteText(provenance) || 'for some issues a fact is unknown';
  return `Histories: NOT COMPLETE: ${partly}. Figures can be too low.`;
}

function notesOf(provenance: Provenance, wording: ValueWords): string[] {
  const end = dataEndsBefore(null, provenance);
  const assumed = assumedText(provenance);
  return [
    ...(end === null ? [] : [`The data ends on ${zonedText(end, wording)}: later changes are missing.`]),
    ...(provenance.notes ?? []),
    ...(assumed === null ? [] : [assumed]),
  ];
}

/** A duration for programs; a change for the shorter is negative. */
export function durationOf(ms: number | null, { dayMs }: ValueWords): z.output<typeof durationOrNull> {
  if (ms === null) return null;
  const whole = Math.round(ms);
  return { ms: whole, text: `${whole < 0 ? '-' : ''}${durationWords(Math.abs(whole), dayMs)}` };
}

/** A duration to read; null is none. */
export function durationWord(ms: number | null, wording: ValueWords): string | null {
  return durationOf(ms, wording)?.text ?? null;
}

/** An instant in the zone of the answer, with its offset. */
export function zonedText(at: Instant, { timeZone }: Pick<ValueWords, 'timeZone'>): string {
  return dateText(at, 'yyyy-MM-dd HH:mm XXX', timeZone);
}

/** An instant for programs; null stays. */
export function isoOrNull(at: Instant | null): string | null {
  return at === null ? null : isoText(at);
}

/** The part of a list that an answer shows, to read (`range`, `more`), and the index of the next part (null: the end). */
export function partText(start: number, shown: number, total: number) {
  const end = start + shown;
  const next = shown > 0 && end < total ? end : null;
  return {
    next,
    range: shown === 0 ? 'none' : `${start + 1} to ${end}`,
    more: next === null ? '' : ` More: call again with startIndex ${next}.`,
  };
}

/** The longest list, in entries, that only names issues. */
const MAX_LEFT_OUT = 20;
const MAX_NAMED = 5;

/** The number of entries left out of lists that are cut for an assistant. */
export const more = z
  .record(z.string(), z.int())
  .meta({ description: 'How many more entries a cut list has.' });

const cutLists = ['doneSinceUnknown', 'unclear', 'withoutCycleTime', 'ageUnknown'];

/**
 * An answer with its lists of left out issues cut, and how many more entries each of them has; a list of a side has the
 * side's number before its name.
 */
export function withoutTails<Answer extends object>(
  answer: Answer,
): Answer & { readonly more: Readonly<Record<string, number>> } {
  const more: Record<string, number> = {};
  const cut = (name: string, value: unknown, path: string): unknown => {
    if (!Array.isArray(value)) return value;
    if (name === 'sides') return value.map((side, index) => cutMembers(side, `${path}${index}.`));
    if (!cutLists.includes(name) || value.length <= MAX_LEFT_OUT) return value;
    more[`${path}${name}`] = value.length - MAX_LEFT_OUT;
    return value.slice(0, MAX_LEFT_OUT);
  };
  const cutMembers = <Members extends object>(members: Members, path: string): Members =>
    Object.fromEntries(
      Object.entries(members).map(([name, value]) => [name, cut(name, value, path)]),
    ) as Members;
  return { ...cutMembers(answer, ''), more };
}

/** Unknown facts to read, a line each. */
export function unknownLines({
  doneSinceUnknown: sinceUnknown,
  unclear,
  statusesWithoutCategory: withoutCategory,
}: Unknowns): readonly string[] {
  return [
    ...leftOutLines('done, but since when is unknown', sinceUnknown),
    ...leftOutLines('unknown whether they are open or done', unclear),
    ...(withoutCategory.length === 0 ? [] : [`Statuses without a category: ${withoutCategory.join(', ')}.`]),
  ];
}

/** Issues left out and why, in one line; no line without such issues. */
export function leftOutLines(why: string, issues: readonly LeftOut[]): readonly string[] {
  if (issues.length === 0) return [];
  const named = issues.slice(0, MAX_NAMED).map(({ key, reason }) => `${key}: ${reason}`);
  const more = issues.length - named.length;
  return [
    `Left out (${why}): ${issues.length} (${named.join('; ')}${more > 0 ? `; and ${more} more` : ''}).`,
  ];
}

/** Longer answers crowd out what else an assistant has to think of. */
const MAX_CHARACTERS = 25_000;

/** A table to read; a cell that is null is a "never". */
export interface TextTable {
  readonly title?: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | number | null)[])[];
}

/** A text, and how many rows of its tables had no room in it. */
/**
 * Sentences, tables in Markdown, and what is to be known before the figures are trusted. Rows that are too many are
 * left out, the last first, and it is said how many.
 */
export function answerText(
  head: readonly string[],
  tables: readonly TextTable[],
  footer: readonly string[],
): { readonly text: string; readonly left: number } {
  const around = [...head, ...footer].map(line);
  let room = MAX_CHARACTERS - around.join('\n').length - 300 * (tables.length + 1);
  let left = 0;
  const parts = tables.flatMap((table) => {
    if (table.rows.length === 0) return [];
    const lines = [row(table.columns), row(table.columns.map(() => '---'))];
    room -= lines.join('\n').length;
    for (const cells of table.rows) {
      const text = row(cells);
      room -= text.length + 1;
      if (room < 0) break;
      lines.push(text);
    }
    const more = table.rows.length - (lines.length - 2);
    left += more;
    const cut = `${more} more rows are left out of this text because it is limited to ${MAX_CHARACTERS.toLocaleString('en-US')} characters. The structured content has them.`;
    return [
      [
        ...(table.title === undefined ? [] : [`${line(table.title)}:`, '']),
        ...lines,
        ...(more === 0 ? [] : ['', cut]),
      ].join('\n'),
    ];
  });
  const sections = [around.slice(0, head.length).join('\n'), ...parts, around.slice(head.length).join('\n')];
  return { text: sections.filter((section) => section !== '').join('\n\n'), left };
}

function row(cells: readonly (string | number | null)[]): string {
  return `| ${cells.map((cell) => line(cell === null ? NEVER_TEXT : String(cell)).replaceAll('|', '\\|')).join(' | ')} |`;
}

/** One line, whatever the tracker's texts hold. */
function line(text: string): string {
  const flat = settled(text).replaceAll(/\s+/g, ' ').trim();
  return flat.length > 400 ? `${flat.slice(0, 400).toWellFormed()}…` : flat;
}
