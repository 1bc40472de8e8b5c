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

/** What follows `/tis watch` for a new one. */
export const watchUsage =
  'STATUS longer than 3 working days|2 days|6 hours|usual [in FILTER] [alert assignee|me] [in CALENDAR]';

/** A watch as it was typed or filled in, and sentences (mrkdwn) about what was taken for granted. */
export interface ReadWatch {
  readonly input: WatchInput;
  readonly remarks: readonly string[];
}

/** Longer titles no one reads. */
const LONGEST_TITLE = 100;
/** A time is at most so many words. */
const LONGEST_TIME = 3;

/** Reads a watch as it is typed. What is wrong is a `bad-request` that names the word and what is allowed. */
export async function readWatchWords(
  typed: string,
  asking: ParserContext,
  statuses: readonly Status[],
): Promise<ReadWatch> {
  const words = wordsOf(typed);
  const at = words.findIndex(
    ({ plain }, i) => is(plain, 'longer') && /^th[ae]n$/i.test(words[i + 1]?.plain ?? ''),
  );
  if (at < 0) throw badRequestAs('missing-value', `'longer than' is missing. Try: ${watchUsage}.`);
  const { tells, rest } = takeRecipient(words.slice(at + 2));
  const { rest: timeAndFilter, tails } = await takeTails(rest, ['calendar'], asking);
  // The one may come before the other.
  const again = tells === null ? takeRecipient(timeAndFilter) : { tells, rest: timeAndFilter };
  const status = unquoted(plainText(words.slice(0, at)));
  const calendar = tails.calendar ?? asking.hours.calendar;
  const named = { status, calendar, tells: again.tells ?? 'assignee', timeAndFilter: again.rest } as const;
  return resolveWatch(named, asking, statuses);
}

/** A watch by the names of what it needs, and the words of its time and of its filter. */
interface NamedWatch extends Pick<WatchInput, 'calendar' | 'tells'> {
  readonly status: string;
  readonly timeAndFilter: readonly Word[];
}

/** Finds what a watch names. What is wrong is a `bad-request`. */
export async function resolveWatch(
  { status, calendar: id, tells, timeAndFilter }: NamedWatch,
  asking: ParserContext,
  statuses: readonly Status[],
): Promise<ReadWatch> {
  const definition = asking.calendars.find((one) => calendarIdOf(one) === id);
  if (definition === undefined)
    throw badRequestAs('unknown-name', `The calendar '${id}' is gone. Try: another one.`);
  const found = readStatus(status, statuses);
  const { threshold, remark, filter } = splitTime(timeAndFilter, calendarOf(definition));
  const { selection, title, remark: aboutFilter } = await filterOrDefault(filter, asking);
  return {
    input: {
      ...{ selection, title: shorten(title, LONGEST_TITLE), status: found },
      ...{ threshold, calendar: id, timeZone: asking.hours.timeZone, tells },
    },
    remarks: [remark, aboutFilter].filter((one) => one !== null),
  };
}

/** Takes the time off the front; after it, and after an `in`, comes the filter. */
function splitTime(words: readonly Word[], calendar: Calendar) {
  for (let length = Math.min(LONGEST_TIME, words.length); length > 0; length -= 1) {
    const read = readThreshold(plainText(words.slice(0, length)), calendar);
    if (read === null) continue;
    const after = words.slice(length);
    return { ...read, filter: is(after[0]?.plain, 'in') ? after.slice(1) : after };
  }
  const typed = plainText(words).replace(/ in .*$/i, '');
  throw badRequestAs('unknown-name', `The time '${typed}' is not known. Try: ${allowedThresholds}.`);
}

/** Takes the person who is alerted off the end; `tell` was the word for it once. */
function takeRecipient(words: readonly Word[]): {
  readonly tells: WatchInput['tells'] | null;
  readonly rest: readonly Word[];
} {
  const [verb = '', person = ''] = words.slice(-2).map(({ plain }) => plain.toLowerCase());
  if (!/^(alert|tell)$/.test(verb)) return { tells: null, rest: words };
  const tells = person === 'me' ? 'owner' : person === 'assignee' ? 'assignee' : null;
  if (tells !== null) return { tells, rest: words.slice(0, -2) };
  throw badRequestAs('unknown-name', `'${verb} ${person}' is not known. Try: alert assignee, alert me.`);
}

function is(word: string | undefined, wanted: string): boolean {
  return word?.toLowerCase() === wanted;
}

/** What `readThreshold` takes. */
const allowedThresholds = '3 working days, 2 days, 6 hours, or usual';

/** A threshold, and a sentence about what it means where that is not plain; null: it is. */
interface ReadThreshold {
  readonly threshold: Threshold;
  readonly remark: string | null;
}

/** Reads how long is too long in a calendar; null: the words are no such time. */
function readThreshold(typed: string, calendar: Calendar): ReadThreshold | null {
  const text = typed.trim().toLowerCase().replace(/\s+/g, ' ');
  if (/^(?:(?:the |our )?(?:own )?(?:usual|85th percentile|p85)|is usual)$/.test(text)) {
    return { threshold: { by: 'usual' }, remark: null };
  }
  const [, number = '', working, unit = ''] =
    /^(\d{1,4}(?:\.\d{1,2})?) ?(working )?(days?|d|hours?|h|minutes?|min)$/.exec(text) ?? [];
  if (unit === '') return null;
  const count = Number(number);
  if (count === 0) throw badRequest(`'${typed}' is too short. Try: ${allowedThresholds}.`);
  const time = (ms: number, words: string) => ({ by: 'time', ms: Math.round(ms), words }) as const;
  if (!unit.startsWith('d')) {
    const one = unit.startsWith('h') ? 'hour' : 'minute';
    return { threshold: time(count * unitLengths[`${one}s`], inWords(count, one)), remark: null };
  }
  if (calendar.continuous && working === undefined) {
    return { threshold: time(count * millisecondsInDay, inWords(count, 'day')), remark: null };
  }
  const words = inWords(count, 'working day');
  if (calendar.continuous) {
    const remark =
      'In 24/7 hours a working day is 24 hours from Monday to Friday, holidays too. For the hours of a calendar add `in CALENDAR`.';
    return { threshold: { ...time(count * millisecondsInDay, words), weekdays: true }, remark };
  }
  const { name, equalDays, dailyMs } = calendar;
  if (equalDays) return { threshold: time(count * dailyMs, words), remark: null };
  const hours = inWords(Math.round((10 * count * dailyMs) / millisecondsInHour) / 10, 'hour');
  return {
    threshold: time(count * dailyMs, `${words} (${hours})`),
    remark: `Working days of ${escapeMrkdwn(name)} differ in length, so ${words} count as ${hours}.`,
  };
}

function inWords(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

/** The status of a name or of the one name that holds it, whatever its case; any other, and one of the category Done, is a `bad-request`. */
function readStatus(typed: string, statuses: readonly Status[]): WatchInput['status'] {
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
  throw badRequest(`In the status '${found.name}' work is done. Try: ${namesOf(statuses).join(', ')}.`);
}

/** Names of the statuses in which an issue can be overdue, each once, in order. */
export function namesOf(statuses: readonly Status[]): readonly string[] {
  const open = statuses.filter(({ category, deleted }) => category !== 'Done' && !deleted);
  return [...new Set(open.map(({ name }) => name))].sort((a, b) => a.localeCompare(b, 'en'));
}
