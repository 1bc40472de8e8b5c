import { millisecondsInDay, millisecondsInHour } from 'date-fns/constants';
import { escapeMrkdwn } from '../../block-kit/mrkdwn.ts';
import { shorten } from '../../block-kit/shorten.ts';
import { badRequest, badRequestAs } from '../../model/error.ts';
import type { Status } from '../../model/issue.ts';
import type { Threshold, WatchInput } from '../../model/watch.ts';
import { unitLengths } from '../../output/duration-text.ts';
import { onlyMeant, unknownWord } from '../../questions/parse/names-meant.ts';
import type { ParserContext } from '../../questions/parse/parser-context.ts';
import { calendarIdOf } from '../../questions/parse/read-calendar.ts';
import { filterOrDefault } from '../../questions/parse/read-filter.ts';
import { takeTails } from '../../questions/parse/take-tails.ts';
import { plainText, unquoted, type Word, wordsOf } from '../../questions/parse/typed-words.ts';
import { type Calendar, calendarOf } from '../../time/calendar.ts';

/** What stands behind `/tis watch` for a new one. */
export const watchUsage =
  'STATUS longer than 3 working days|2 days|6 hours|usual [in FILTER] [tell assignee|me] [in CALENDAR]';

/** A wish, and sentences (mrkdwn) about what was taken for granted. */
export interface ReadWatch {
  readonly wish: WatchInput;
  readonly remarks: readonly string[];
}

/** More of what issues are called nobody reads. */
export const LONGEST_TITLE = 100;
/** A time is at most so many words. */
const LONGEST_TIME = 3;

/** Reads a watch as it is typed. What is wrong is a `bad-request` that names the word and what is allowed. */
export async function readWatchWords(
  typed: string,
  asking: ParserContext,
  statuses: readonly Status[],
): Promise<ReadWatch> {
  const words = wordsOf(typed);
  const at = words.findIndex(({ plain }, i) => is(plain, 'longer') && is(words[i + 1]?.plain, 'than'));
  if (at < 0 && words.some(({ plain }, i) => is(plain, 'longer') && is(words[i + 1]?.plain, 'then'))) {
    throw badRequest("'longer then' is not what I read. Try: longer than.");
  }
  if (at < 0) {
    throw badRequestAs(
      'missing-value',
      `'longer than' is missing, which says how long is too long. Try: ${watchUsage}.`,
    );
  }
  const { tells, rest } = takeRecipients(words.slice(at + 2));
  const { rest: timeAndFilter, tails } = await takeTails(rest, ['calendar'], asking);
  // The one may stand before the other.
  const again = tells === null ? takeRecipients(timeAndFilter) : { tells, rest: timeAndFilter };
  const calendarId = tails.calendar ?? asking.hours.calendar;
  const definition = asking.calendars.find((one) => calendarIdOf(one) === calendarId);
  if (definition === undefined) {
    throw badRequest(`The calendar '${calendarId}' is not known any more. Try: another one, in CALENDAR.`);
  }
  const status = readStatus(unquoted(plainText(words.slice(0, at))), statuses);
  const { threshold, remark, filter } = splitTime(again.rest, calendarOf(definition));
  const chosen = await filterOrDefault(filter, asking);
  return {
    wish: {
      selection: chosen.selection,
      title: shorten(chosen.title, LONGEST_TITLE),
      status,
      threshold,
      calendar: calendarId,
      timeZone: asking.hours.timeZone,
      tells: again.tells ?? 'assignee',
    },
    remarks: [remark, chosen.remark].filter((one) => one !== null),
  };
}

/** Takes the time off the front; behind it, and behind an `in`, stands the filter. */
function splitTime(words: readonly Word[], calendar: Parameters<typeof readThreshold>[1]) {
  for (let length = Math.min(LONGEST_TIME, words.length); length > 0; length -= 1) {
    const read = readThreshold(plainText(words.slice(0, length)), calendar);
    if (read === null) continue;
    const behind = words.slice(length);
    return { ...read, filter: is(behind[0]?.plain, 'in') ? behind.slice(1) : behind };
  }
  const typed = plainText(words.slice(0, LONGEST_TIME));
  throw badRequest(`'${typed}' behind 'longer than' is no time I know. Try: ${allowedThresholds}.`);
}

/** Takes who is told off the end. */
function takeRecipients(words: readonly Word[]): {
  readonly tells: WatchInput['tells'] | null;
  readonly rest: readonly Word[];
} {
  const [verb, whom] = words.slice(-2).map(({ plain }) => plain.toLowerCase());
  if (verb !== 'tell') return { tells: null, rest: words };
  const rest = words.slice(0, -2);
  switch (whom) {
    case 'me':
      return { tells: 'owner', rest };
    case 'assignee':
      return { tells: 'assignee', rest };
    default:
      throw badRequest(`'tell ${whom ?? ''}' is not allowed. Try: tell assignee, tell me.`);
  }
}

function is(word: string | undefined, wanted: string): boolean {
  return word?.toLowerCase() === wanted;
}

/** What `readThreshold` takes, for who typed something else. */
export const allowedThresholds = '3 working days, 2 days, 6 hours, or usual';

/** A threshold, and a sentence about what it means where that is not plain; null: it is. */
interface ReadThreshold {
  readonly threshold: Threshold;
  readonly remark: string | null;
}

/** Reads how long is too long in a calendar; null: these words are no such time. */
export function readThreshold(typed: string, calendar: Calendar): ReadThreshold | null {
  const text = typed.trim().toLowerCase().replace(/\s+/g, ' ');
  if (/^(?:(?:the |our )?(?:own )?(?:usual|85th percentile|p85)|is usual)$/.test(text)) {
    return { threshold: { by: 'usual' }, remark: null };
  }
  const [, number = '', working, unit = ''] =
    /^(\d{1,4}(?:\.\d{1,2})?) ?(working )?(days?|d|hours?|h|minutes?|min)$/.exec(text) ?? [];
  if (unit === '') return null;
  const count = Number(number);
  if (count === 0) throw badRequest(`'${typed}' is no time. Try: ${allowedThresholds}.`);
  if (!unit.startsWith('d')) return shortTime(count, unit.startsWith('h') ? 'hour' : 'minute');
  if (calendar.continuous) return roundTheClock(count, working !== undefined);
  return workingDays(count, calendar);
}

/** Where every hour counts, working days are those on which people are told. */
function roundTheClock(count: number, isWorking: boolean): ReadThreshold {
  const time = { by: 'time', ms: count * millisecondsInDay } as const;
  if (!isWorking) return { threshold: { ...time, words: countWords(count, 'day') }, remark: null };
  return {
    threshold: { ...time, words: countWords(count, 'working day'), weekdays: true },
    remark:
      'Here every hour counts, so a working day is 24 hours from Monday to Friday, holidays too; for the working hours of a calendar name it: `in CALENDAR`.',
  };
}

function workingDays(count: number, { name, equalDays, dailyMs }: Calendar): ReadThreshold {
  const words = countWords(count, 'working day');
  const time = { by: 'time', ms: Math.round(count * dailyMs) } as const;
  if (equalDays) return { threshold: { ...time, words }, remark: null };
  const hours = countWords(Math.round((10 * time.ms) / millisecondsInHour) / 10, 'hour');
  return {
    threshold: { ...time, words: `${words} (${hours})` },
    remark: `The working days of ${escapeMrkdwn(name)} are not equally long; ${words} count as ${hours}, by their mean.`,
  };
}

function shortTime(count: number, unit: 'hour' | 'minute'): ReadThreshold {
  const ms = Math.round(count * unitLengths[unit === 'hour' ? 'hours' : 'minutes']);
  return { threshold: { by: 'time', ms, words: countWords(count, unit) }, remark: null };
}

function countWords(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

/** The status of a name or of the one name that holds it, whatever its case; what is none, or of the category Done, is a `bad-request`. */
export function readStatus(typed: string, statuses: readonly Status[]): WatchInput['status'] {
  const wanted = typed.trim().toLowerCase();
  if (wanted === '')
    throw badRequestAs('missing-value', `Which status? Try: ${namesOf(statuses).join(', ')}.`);
  const named = statuses.filter((one) => one.name.toLowerCase() === wanted);
  const [found] = named.toSorted((a, b) => Number(a.deleted) - Number(b.deleted));
  if (found === undefined) {
    const meant = onlyMeant(wanted, namesOf(statuses));
    if (meant === null) throw unknownWord('status', typed.trim(), namesOf(statuses));
    return readStatus(meant, statuses);
  }
  if (named.some(({ category }) => category !== 'Done')) return { id: found.id, name: found.name };
  throw badRequest(
    `The status '${found.name}' is of the category Done, where nothing waits any more. Try: ${namesOf(statuses).join(', ')}.`,
  );
}

/** Names of the statuses in which something can sit, each once, in order. */
export function namesOf(statuses: readonly Status[]): readonly string[] {
  const open = statuses.filter(({ category, deleted }) => category !== 'Done' && !deleted);
  return [...new Set(open.map(({ name }) => name))].sort((a, b) => a.localeCompare(b, 'en'));
}
