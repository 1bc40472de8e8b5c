import { periodAt } from '../../calendar/periods.ts';
import { firstInstantFrom } from '../../calendar/zone.ts';
import { DAY_MS } from '../../formats/duration-text.ts';
import { badRequest } from '../../model/error.ts';
import type { WeeklyQuestion } from '../../model/question.ts';
import type { Word } from '../exports/typed-words.ts';
import type { Asking, QuestionReader } from './asking.ts';
import { filterOrUsual } from './filter-or-usual.ts';
import { takeTails } from './take-tails.ts';

/** What names a week, for who typed something else. */
export const allowedWeeks = 'last week, this week, or an ISO week such as 2026-W46';

/** Reads `[FILTER] [this week|last week|2026-W46] [in CALENDAR]`, the ends in any order. */
export const readWeekly: QuestionReader = async (words, asking) => {
  const before = takeWeek(words, asking);
  const { rest, tails } = await takeTails(before.rest, ['calendar'], asking);
  const { week, rest: filter } = before.week === null ? takeWeek(rest, asking) : { ...before, rest };
  const { selection, remark } = await filterOrUsual(filter, asking);
  const { hours } = asking;
  const question: WeeklyQuestion = {
    kind: 'weekly',
    selection,
    week: week ?? 'last',
    calendar: tails.calendar ?? hours.calendar,
    timeZone: hours.timeZone,
  };
  await asking.check(question);
  return { question, remark };
};

function takeWeek(
  words: readonly Word[],
  asking: Pick<Asking, 'now' | 'hours'>,
): { readonly week: WeeklyQuestion['week'] | null; readonly rest: readonly Word[] } {
  const [before, last] = [words.at(-2)?.plain.toLowerCase(), words.at(-1)?.plain.toLowerCase()];
  if (last === 'week' && (before === 'this' || before === 'last'))
    return { week: before, rest: words.slice(0, -2) };
  const [, year, number] = /^(\d{4})-?w(\d{1,2})$/.exec(last ?? '') ?? [];
  if (last === undefined || year === undefined) return { week: null, rest: words };
  return { week: startOf(last, Number(year), Number(number), asking), rest: words.slice(0, -1) };
}

/** The first instant of an ISO week on the clocks of here. */
function startOf(typed: string, year: number, number: number, { now, hours }: Pick<Asking, 'now' | 'hours'>) {
  // The fourth of January lies in the first week; noon there is in it in every zone.
  const inWeek = firstInstantFrom(
    Date.UTC(year, 0, 4) + (number - 1) * 7 * DAY_MS + DAY_MS / 2,
    hours.timeZone,
  );
  const { id, start } = periodAt(inWeek, 'Week', hours.timeZone);
  if (id !== `${year}-W${String(number).padStart(2, '0')}`) {
    throw badRequest(`'${typed.toUpperCase()}' is no week of that year; allowed: ${allowedWeeks}.`);
  }
  if (start > now) {
    throw badRequest(`The week '${typed.toUpperCase()}' has not begun; allowed: ${allowedWeeks}.`);
  }
  return start;
}
