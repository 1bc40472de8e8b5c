import { millisecondsInDay, millisecondsInHour } from 'date-fns/constants';
import { queryOf } from '../../../api/parameters/rolling-range.ts';
import { badRequest, badRequestAs } from '../../../model/error.ts';
import type { Status } from '../../../model/issue.ts';
import type { Selection } from '../../../model/request.ts';
import type { Threshold, WatchInput } from '../../../model/watch.ts';
import { shorten, unitLengths } from '../../../output/readable-text.ts';
import { type Calendar, calendarOf } from '../../../time/calendar.ts';
import { escapeMrkdwn } from '../../blocks/mrkdwn.ts';
import { onlyMeant, unknownWord } from './names-meant.ts';
import { parseOptions } from './parse-options.ts';
import type { ParserContext } from './parser-context.ts';
import { calendarIdOf } from './read-calendar.ts';
import { filterOrDefault } from './read-filter.ts';
import { plainText, unquoted, type Word, wordsOf } from './typed-words.ts';

/** The words after `/tis watch` for a new watch. */
export const watchUsage =
  'STATUS longer than 3 working days|2 days|6 hours|usual [in FILTER]|FILTER target [alert assignee|me] [in CALENDAR]';

/** A watch as it was typed or filled in, and sentences (mrkdwn) about what was taken for granted. */
interface ReadWatch {
  readonly input: WatchInput;
  readonly remarks: readonly string[];
  /** Without named issues: the threshold as it was typed, and the filter of the default projects. */
  readonly unnamed: { readonly threshold: string; readonly filter: string } | null;
}

/** A watch for which no issues were named: it is about the default projects. */
export type UnnamedWatch = ReadWatch & { readonly unnamed: object };

/** True if no issues were named for a watch. */
export function isUnnamed(read: ReadWatch): read is UnnamedWatch {
  return read.unnamed !== null;
}

/** Longer titles no one reads. */
const MAX_TITLE = 100;

/** Reads a watch as it is typed. What is wrong is a `bad-request` that names the word and what is allowed. */
export async function readWatchWords(
  typed: string,
  context: ParserContext,
  statuses: readonly Status[],
): Promise<ReadWatch> {
  const words = wordsOf(typed);
  const at = words.findIndex(
    ({ plain }, i) => /^longer$/i.test(plain) && /^th[ae]n$/i.test(words[i + 1]?.plain ?? ''),
  );
  if (at < 0 && !words.some(isTarget))
    throw badRequestAs('missing-value', "'longer than' is missing between a status and a time.");
  const { recipient, left } = takeRecipient(at < 0 ? words : words.slice(at + 2));
  const { left: timeAndFilter, tails } = await parseOptions(left, ['calendar'], context);
  // The one may come before the other.
  const again = recipient === null ? takeRecipient(timeAndFilter) : { recipient, left: timeAndFilter };
  const named = {
    status: at < 0 ? '' : unquoted(plainText(words.slice(0, at))),
    calendar: tails.calendar ?? context.hours.calendar,
    tells: again.recipient ?? 'assignee',
    timeAndFilter: at < 0 ? targetFirst(again.left) : again.left,
  };
  return resolveWatch(named, context, statuses);
}

const isTarget = ({ plain }: Word) => /^targets?$/i.test(plain);

/** `WEB target` is the same as `target in WEB`. */
function targetFirst(words: readonly Word[]): readonly Word[] {
  const last = words.at(-1);
  return last !== undefined && isTarget(last) ? [last, ...words.slice(0, -1)] : words;
}

/** A watch by the names of what it needs, and the words of its time and of its filter. */
interface NamedWatch extends Pick<WatchInput, 'calendar' | 'tells'> {
  readonly status: string;
  readonly timeAndFilter: readonly Word[];
}

/** Finds what a watch names. What is wrong is a `bad-request`. */
export async function resolveWatch(
  { status, calendar: id, tells, timeAndFilter }: NamedWatch,
  context: ParserContext,
  statuses: readonly Status[],
): Promise<ReadWatch> {
  const definition = context.calendars.find((one) => calendarIdOf(one) === id);
  if (definition === undefined)
    throw badRequestAs('unknown-name', `The calendar "${id}" is gone. Try: another one.`);
  // A target needs no status. Of anything else, a wrong status is the first problem.
  const needsStatus = timeAndFilter[0] === undefined || !isTarget(timeAndFilter[0]);
  const found = needsStatus ? readStatus(status, statuses) : null;
  const { threshold, remark, typed, filter } = takeThreshold(timeAndFilter, calendarOf(definition));
  const { selection, title, remark: aboutFilter } = await filterOrDefault(filter, context);
  return {
    input: {
      selection,
      title: shorten(title, MAX_TITLE),
      status: found,
      threshold,
      calendar: id,
      timeZone: context.hours.timeZone,
      tells,
    },
    remarks: [found === null && status !== '' ? noStatus : null, remark, aboutFilter].filter(
      (one) => one !== null,
    ),
    unnamed: filter.length > 0 ? null : { threshold: typed, filter: filterText(selection) },
  };
}

const noStatus = 'A target is for the whole time from start to done, so it is watched in every status.';

function filterText(selection: Selection): string {
  return selection.by === 'project' ? `project ${selection.project}` : `jql ${queryOf(selection)}`;
}

/** Takes the person who is alerted off the end; `tell` is the older word for `alert`. */
function takeRecipient(words: readonly Word[]): {
  readonly recipient: WatchInput['tells'] | null;
  readonly left: readonly Word[];
} {
  const [verb = '', person = ''] = words.slice(-2).map(({ plain }) => plain.toLowerCase());
  if (!/^(alert|tell)$/.test(verb)) return { recipient: null, left: words };
  const recipient = person === 'me' ? 'owner' : person === 'assignee' ? 'assignee' : null;
  if (recipient !== null) return { recipient, left: words.slice(0, -2) };
  throw badRequestAs(
    'unknown-name',
    `I don't understand "${verb} ${person}". Try: alert assignee, alert me.`,
  );
}

/** The status of a name or of the one name that holds it, whatever its case; any other, and one of the category Done, is a `bad-request`. */
function readStatus(typed: string, statuses: readonly Status[]): NonNullable<WatchInput['status']> {
  const wanted = typed.trim().toLowerCase();
  const known = namesOf(statuses);
  if (wanted === '')
    throw badRequestAs('missing-value', `Which status? Try: ${known.join(', ')}.`, { kind: 'status' });
  const named = statuses.filter((one) => one.name.toLowerCase() === wanted);
  const [found] = named.toSorted((a, b) => Number(a.deleted) - Number(b.deleted));
  if (found === undefined) {
    const meant = onlyMeant(wanted, known);
    if (meant === null) throw unknownWord('status', typed.trim(), known);
    return readStatus(meant, statuses);
  }
  if (named.some(({ category }) => category !== 'Done')) return { id: found.id, name: found.name };
  throw badRequest(`Work in "${found.name}" is already done. Choose another status: ${known.join(', ')}.`);
}

/** Names of the statuses in which an issue can be overdue, each once, in order. */
export function namesOf(statuses: readonly Status[]): readonly string[] {
  const open = statuses.filter(({ category, deleted }) => category !== 'Done' && !deleted);
  return [...new Set(open.map(({ name }) => name))].sort((a, b) => a.localeCompare(b, 'en'));
}

const allowed = '3 working days, 2 days, 6 hours, usual, or target';
const MAX_WORDS = 3;

/** The time that is too long, and a sentence (mrkdwn) about its meaning where that is not plain. */
interface ReadThreshold {
  readonly threshold: Threshold;
  readonly remark: string | null;
}

/** Takes how long is too long off the front; after it, and after an `in`, comes the filter. */
function takeThreshold(
  words: readonly Word[],
  calendar: Calendar,
): ReadThreshold & { readonly typed: string; readonly filter: readonly Word[] } {
  for (let length = Math.min(MAX_WORDS, words.length); length > 0; length -= 1) {
    const typed = plainText(words.slice(0, length));
    const read = readThreshold(typed, calendar);
    if (read === null) continue;
    const after = words.slice(length);
    return { ...read, typed, filter: after[0]?.plain.toLowerCase() === 'in' ? after.slice(1) : after };
  }
  const typed = plainText(words).replace(/ in .*$/i, '');
  throw badRequestAs('unknown-name', `I can't read "${typed}" as a time. Try: ${allowed}.`);
}

/** Null where the words are no such time. */
function readThreshold(typed: string, calendar: Calendar): ReadThreshold | null {
  const text = typed.trim().toLowerCase().replace(/\s+/g, ' ');
  if (/^(?:(?:the |our )?(?:own )?(?:usual|85th percentile|p85)|is usual)$/.test(text)) {
    return { threshold: { by: 'usual' }, remark: null };
  }
  if (/^targets?$/.test(text)) return { threshold: { by: 'target' }, remark: null };
  const [, number = '', working, unit = ''] =
    /^(\d{1,4}(?:\.\d{1,2})?) ?(working )?(days?|d|hours?|h|minutes?|min)$/.exec(text) ?? [];
  if (unit === '') return null;
  const count = Number(number);
  if (count === 0) throw badRequest(`"${typed}" is too short. Try: ${allowed}.`);
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
      'With 24/7 hours a working day is 24 hours, Monday to Friday, holidays included. To count working hours, add `in CALENDAR`.';
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
