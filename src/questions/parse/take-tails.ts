import { badRequest } from '../../model/error.ts';
import type { DurationUnit, MovingRange, ReportQuestion } from '../../model/question.ts';
import type { Statistic, TimePeriod } from '../../model/request.ts';
import type { ParserContext } from './parser-context.ts';
import { readCalendar, readCalendarPart } from './read-calendar.ts';
import { readGrouping, readStatistic } from './read-grouping.ts';
import { readRange } from './read-range.ts';
import { oneOf, plainText, readIssueKeys, type Word } from './typed-words.ts';

/** What can come after a filter, in any order; absent is what was not typed. */
export interface Tails {
  readonly range?: MovingRange & { readonly words: string };
  readonly statistic?: Statistic | 'list';
  /** A calendar's id, or `normalHours`. */
  readonly calendar?: string;
  readonly unit?: DurationUnit;
  readonly reportType?: string;
  /** With the report type that has periods. */
  readonly timePeriod?: TimePeriod;
  readonly groupBy?: readonly string[];
  /** Issues that are not started count as well; only aging takes it. */
  readonly backlog?: true;
}

/** What can be after a report. */
export const tailKinds = [
  'range',
  'statistic',
  'calendar',
  'unit',
  'reportType',
  'groupBy',
] as const satisfies (keyof Tails)[];
/** One of them. */
type TailKind = keyof Tails;

/** No tail has more words. */
const LONGEST = 14;

/** After these a query goes on, so that nothing of ours can begin there. */
const goesOn = /(?:[=~<>!(,]|^(?:and|or|not|in|is|was|on|to|from|by|before|after|during|order))$/i;

/** A mention or a link, whose angle bracket compares nothing. */
const mark = /^<.+>$/;

/** Takes what can be understood off the end of some words, and hands back what is left. */
export async function takeTails(
  words: readonly Word[],
  kinds: readonly TailKind[],
  asking: ParserContext,
): Promise<{ readonly rest: readonly Word[]; readonly tails: Tails }> {
  let rest = words;
  let tails: Tails = {};
  for (;;) {
    const taken = await lastTail(rest, kinds, asking);
    if (taken === null) return { rest, tails };
    const [twice] = kinds.filter((kind) => kind in taken.tail && kind in tails);
    if (twice !== undefined) {
      throw badRequest(`"${plainText(rest.slice(taken.start))}" is there twice, in other words. Try: once.`);
    }
    tails = { ...tails, ...taken.tail };
    rest = rest.slice(0, taken.start);
  }
}

/** The longest end that is one thing we know; null where there is none. */
export async function lastTail(
  words: readonly Word[],
  kinds: readonly TailKind[],
  asking: ParserContext,
): Promise<{ readonly start: number; readonly tail: Tails } | null> {
  for (let start = Math.max(0, words.length - LONGEST); start < words.length; start += 1) {
    if (isOpen(words[start - 1]?.plain ?? '')) continue;
    const tail =
      (await tailOf(words.slice(start), kinds, asking)) ?? (await calendarPart(words, start, kinds, asking));
    if (tail !== null) return { start, tail };
  }
  return null;
}

/** The unit of a question, where one was typed. */
export function unitOf({ unit }: Pick<Tails, 'unit'>): Pick<ReportQuestion, 'unit'> {
  return unit === undefined ? {} : { unit };
}

function isOpen(word: string): boolean {
  return goesOn.test(word) && !mark.test(word);
}

/** A part of a calendar's name, where it can be no part of a filter's name or query. */
async function calendarPart(
  words: readonly Word[],
  start: number,
  kinds: readonly TailKind[],
  { calendars, isProject }: ParserContext,
): Promise<Tails | null> {
  const [preposition, ...others] = words.slice(start).map(({ plain }) => plain);
  if (!kinds.includes('calendar') || oneOf(['in'], preposition) === undefined) return null;
  const calendar = readCalendarPart(others.join(' '), calendars);
  if (calendar === null || (await isProject(others.join(' ')))) return null;
  const first = words[0]?.plain ?? '';
  const isPlain =
    start === 0 ||
    oneOf(['project'], first) !== undefined ||
    readIssueKeys([first]).others.length === 0 ||
    (await isProject(first));
  return isPlain ? { calendar } : null;
}

async function tailOf(
  words: readonly Word[],
  kinds: readonly TailKind[],
  asking: ParserContext,
): Promise<Tails | null> {
  const plain = words.map((word) => word.plain);
  const [first, ...others] = plain;
  const after = others.join(' ');
  if (kinds.includes('statistic')) {
    const statistic = readStatistic(plain);
    if (statistic !== null) return { statistic };
  }
  if (kinds.includes('range')) {
    const range = readRange(plain, asking);
    if (range !== null) return { range: { ...range, words: plain.join(' ') } };
  }
  if (kinds.includes('backlog') && /^with backlog$/i.test(plain.join(' '))) return { backlog: true };
  const preposition = after === '' ? undefined : oneOf(['in', 'by'], first);
  if (preposition === 'in' && kinds.includes('unit')) {
    const unit = oneOf(['hours', 'days'], after);
    if (unit !== undefined) return { unit };
  }
  if (preposition === 'in' && kinds.includes('calendar')) {
    const calendar = readCalendar(after, asking.calendars);
    return calendar === null ? null : { calendar };
  }
  if (preposition !== 'by') return null;
  const grouping = await readGrouping(after, asking);
  if (grouping?.kind === 'report' && kinds.includes('reportType')) {
    const { kind: _, ...report } = grouping;
    return report;
  }
  if (grouping?.kind === 'group' && kinds.includes('groupBy')) return { groupBy: grouping.groupBy };
  return null;
}
