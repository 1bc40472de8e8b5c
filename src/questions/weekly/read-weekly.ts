import { shorten } from '../../block-kit/mrkdwn.ts';
import { badRequest } from '../../model/error.ts';
import { isoWeek, periodAt } from '../../time/periods.ts';
import { filterKinds, type ParserContext, type QuestionReader } from '../parse/parser-context.ts';
import { filterOrDefault } from '../parse/read-filter.ts';
import { takeTails, unitOf } from '../parse/take-tails.ts';
import { oneOf, plainText, type Word } from '../parse/typed-words.ts';
import type { WeeklyQuestion } from './nine-weeks.ts';

/** A year with a week 53 comes at least every seven years. */
const YEARS_BACK = 7;
const LONGEST = 60;

/** What names a week. */
const weekNames = 'last week, this week, or an ISO week such as 2026-W46 or W46';

/** What people may take for a week at the end of a line. */
const likeWeek = /(?:^|\s)((?:\S+\s+)?(?:\d+\s+)?weeks?(?:\s+\d+)?|(?:\d{4}-?)?w\d+)$/i;

/** Reads `[FILTER] [this week|last week|2026-W46|W46] [in CALENDAR]`, the ends in any order. */
export const readWeekly: QuestionReader = async (words, asking) => {
  const before = takeWeek(words, asking);
  const { rest, tails } = await takeTails(before.rest, ['calendar', 'unit'], asking);
  const { week, rest: filter } = before.week === null ? takeWeek(rest, asking) : { ...before, rest };
  if (week === null) await refuseWeek(filter, asking);
  const { selection, remark } = await filterOrDefault(filter, asking);
  const { hours } = asking;
  const question: WeeklyQuestion = {
    kind: 'weekly',
    selection,
    week: week ?? 'last',
    calendar: tails.calendar ?? hours.calendar,
    timeZone: hours.timeZone,
    ...unitOf(tails),
  };
  await asking.check(question);
  return { question, remark };
};

function takeWeek(
  words: readonly Word[],
  asking: Pick<ParserContext, 'now' | 'hours'>,
): { readonly week: WeeklyQuestion['week'] | null; readonly rest: readonly Word[] } {
  const [before, last] = [words.at(-2)?.plain.toLowerCase(), words.at(-1)?.plain.toLowerCase()];
  if (last === 'week' && (before === 'this' || before === 'last'))
    return { week: before, rest: words.slice(0, -2) };
  const [, year, number] = /^(\d{4})-?w(\d{1,2})$/.exec(last ?? '') ?? [];
  if (last === undefined || year === undefined) return takeNumber(words, asking);
  return { week: startOf(last, Number(year), Number(number), asking), rest: words.slice(0, -1) };
}

/** `W46` and `week 46`: the last week of that number that has begun. */
function takeNumber(
  words: readonly Word[],
  asking: Pick<ParserContext, 'now' | 'hours'>,
): { readonly week: number | null; readonly rest: readonly Word[] } {
  const text = words.slice(-2).map(({ plain }) => plain.toLowerCase());
  const [, short, long] = /(?:(?:^|\s)w(\d{1,2})|^week (\d{1,2}))$/.exec(text.join(' ')) ?? [];
  const number = short ?? long;
  if (number === undefined) return { week: null, rest: words };
  const start = lastStartOf(Number(number), asking);
  if (start === null) throw badRequest(`No year has a week ${number}. Try: ${weekNames}.`);
  return { week: start, rest: words.slice(0, short === undefined ? -2 : -1) };
}

/** Null: no year has such a week. */
function lastStartOf(number: number, asking: Pick<ParserContext, 'now' | 'hours'>): number | null {
  const year = Number(periodAt(asking.now, 'Week', asking.hours.timeZone).id.slice(0, 4));
  for (let back = 0; back <= YEARS_BACK; back += 1) {
    const week = isoWeek(year - back, number, asking.hours.timeZone);
    if (week !== null && week.start <= asking.now) return week.start;
  }
  return null;
}

/** Refuses what looks like a week but names none, where it cannot be part of a name or a query. */
async function refuseWeek(
  words: readonly Word[],
  { isProject }: Pick<ParserContext, 'isProject'>,
): Promise<void> {
  const [first = ''] = words.map(({ plain }) => plain);
  const kind = oneOf(filterKinds, first);
  if (
    (kind !== undefined && kind !== 'project') ||
    (await isProject(plainText(words.slice(kind === undefined ? 0 : 1))))
  )
    return;
  const [, typed] = likeWeek.exec(plainText(words)) ?? [];
  if (typed === undefined) return;
  const [, project, meant] = /^(\S+) (weeks?)$/.exec(typed) ?? [];
  const isOwn = project !== undefined && (await isProject(project));
  throw badRequest(
    `"${shorten(isOwn ? (meant ?? typed) : typed, LONGEST)}" doesn't name a week. Try: ${weekNames}.`,
  );
}

/** The first instant of an ISO week in the zone of the question. */
function startOf(
  typed: string,
  year: number,
  number: number,
  { now, hours }: Pick<ParserContext, 'now' | 'hours'>,
) {
  const week = isoWeek(year, number, hours.timeZone);
  if (week === null) {
    throw badRequest(`There is no "${typed.toUpperCase()}" in that year. Try: ${weekNames}.`);
  }
  if (week.start > now) {
    throw badRequest(`The week "${typed.toUpperCase()}" hasn't begun. Try: ${weekNames}.`);
  }
  return week.start;
}
