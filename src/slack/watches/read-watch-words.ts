import { shorten } from '../../block-kit/shorten.ts';
import { badRequest, badRequestAs } from '../../model/error.ts';
import type { Status } from '../../model/issue.ts';
import type { WatchInput } from '../../model/watch.ts';
import type { ParserContext } from '../../questions/parse/parser-context.ts';
import { calendarIdOf } from '../../questions/parse/read-calendar.ts';
import { filterOrDefault } from '../../questions/parse/read-filter.ts';
import { takeTails } from '../../questions/parse/take-tails.ts';
import { plainText, unquoted, type Word, wordsOf } from '../../questions/parse/typed-words.ts';
import { calendarOf } from '../../time/calendar.ts';
import { readStatus } from './read-status.ts';
import { allowedThresholds, readThreshold } from './read-threshold.ts';

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
  const { tells, rest } = takeTells(words.slice(at + 2));
  const { rest: timeAndFilter, tails } = await takeTails(rest, ['calendar'], asking);
  // The one may stand before the other.
  const again = tells === null ? takeTells(timeAndFilter) : { tells, rest: timeAndFilter };
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
function takeTells(words: readonly Word[]): {
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
