import { isoDay, months } from '../../../time/date-text.ts';
import { indexOfName } from '../../../time/day-words.ts';
import { countOf, isDayName, readPastSpan } from '../../../time/past-spans.ts';
import { calendarName } from '../../../time/working-days.ts';
import { zoneWords } from '../../../time/zones.ts';
import { codeText } from '../../blocks/mrkdwn.ts';
import { readStatistic } from '../grammar/parse-options.ts';
import type { ParserContext } from '../grammar/parser-context.ts';
import { calendarIdOf, readCalendar } from '../grammar/read-calendar.ts';
import { readRange } from '../grammar/read-range.ts';
import { folded, type Slot, type Span, type Token, textOf, typedText } from './sentence.ts';
import { statusMeant } from './spot-values.ts';
import { fieldWords } from './vocabulary.ts';

/** The context of a condition: the wall day of today, the statuses, and the word behind the text. */
interface ConditionFacts {
  readonly after: string;
  readonly today: number;
  readonly statuses: readonly string[];
}

/** No condition has more words. */
export const MAX_CONDITION = 12;

/** Conditions that are said in several words, as the whole of some text in lower case without apostrophes. */
export function spotCondition(text: string, { today, statuses, after }: ConditionFacts): Slot | null {
  return (
    spotAge(text) ??
    (after === 'ago' ? null : spotLongStay(text)) ??
    spotNoMove(text, today) ??
    spotChange(text, statuses)
  );
}

const lengths =
  '(\\d{1,4}|an?|one|two|three|four|five|six|seven|ten) ?(?:calendar )?(days?|d|weeks?|w|hours?|h|months?)';
const longer = '(?:more than|longer than|over|at least|>)';
const longAgo = new RegExp(
  `^(finished|closed|done|completed|resolved|created|opened|filed|raised|reported|updated|touched) ${longer} ?${lengths} ago$`,
);
const old = new RegExp(`^(?:older than|open (?:for )?${longer}) ?${lengths}$`);

/** `finished more than 30 days ago`, `older than 2 weeks`, `open for more than a month`: it happened before that. */
function spotAge(text: string): Slot | null {
  const [, verb = 'created', count, unit = ''] =
    longAgo.exec(text) ?? old.exec(text)?.toSpliced(1, 0, 'created') ?? [];
  if (count === undefined) return null;
  const isFinish = /^(?:finished|closed|done|completed)$/.test(verb);
  const isUpdate = /^(?:updated|touched)$/.test(verb);
  const field = isFinish ? 'finished' : verb === 'resolved' ? verb : isUpdate ? 'updated' : 'created';
  return { kind: 'clause', jql: `${field} < -${agoOf(count, unit)}`, state: isUpdate || field === 'created' };
}

const longStay = new RegExp(
  `^(?:(?:for|since|been|already) )*(?:${longer}|exceeding) ?${lengths}(?: (?:already|now|or more))?$`,
);

/** `for more than 10 days`: the status has not changed for so long. */
function spotLongStay(text: string): Slot | null {
  const [, count, unit = ''] = longStay.exec(text) ?? [];
  return count === undefined ? null : stateClause(unmovedSince(`-${agoOf(count, unit)}`));
}

/** Issues whose status has not changed since a time, for which they have to be that old. */
export function unmovedSince(since: string): string {
  return `NOT status CHANGED AFTER ${since} AND created < ${since}`;
}

function agoOf(count: string, unit: string): string {
  const number = countOf(count);
  return /^m/.test(unit) ? `${30 * number}d` : `${number}${unit.charAt(0)}`;
}

function stateClause(jql: string): Slot {
  return { kind: 'clause', jql, state: true };
}

/** `hasnt moved since wednesday`, `not updated for 5 days`. */
function spotNoMove(text: string, today: number): Slot | null {
  const [, verb = '', how = '', when = ''] =
    /^(?:that )?(?:has ?nt|have ?nt|did ?nt|not|no|without|with no|never)(?: been| any| a)? ?(move[ds]?|moving|movement|change[ds]?|changing|progress(?:ed)?|activity|touched|updated?|updates|transition(?:ed)?|status changes?)(?: status)? (since|for|in)(?: the| at least| over| more than)?(?: last)? (.+)$/.exec(
      text.replace(/^unchanged/, 'not changed').replace(/^untouched/, 'not touched'),
    ) ?? [];
  if (when === '') return null;
  const [, count, unit = ''] = new RegExp(`^${lengths}$`).exec(when) ?? [];
  const first = how === 'since' ? (readPastSpan(when, today)?.first ?? null) : null;
  if (count === undefined && first === null) return null;
  const since = count === undefined ? `"${isoDay(first ?? today)}"` : `-${agoOf(count, unit)}`;
  const isUpdate = /^(?:touched|update|activity)/.test(verb);
  return stateClause(isUpdate ? `updated < ${since}` : unmovedSince(since));
}

/** `without a component`, `overdue`. */
export function spotEmpty(text: string): Slot | null {
  if (/^(?:overdue|past (?:their |its )?due(?: date)?)$/.test(text)) {
    return stateClause('due < now() AND statusCategory != Done');
  }
  const [, name = ''] =
    /^(?:without|with no|no|missing|lacking)(?: an?| any| the)? (?:fix )?([a-z]+)$/.exec(text) ?? [];
  const field = fieldWords.get(name);
  return field === undefined || field === 'status' || field === 'issuetype'
    ? null
    : { kind: 'clause', jql: `${field} is EMPTY`, state: false };
}

/** `bounce from QA back to In Progress`, `moved to QA`. */
function spotChange(text: string, statuses: readonly string[]): Slot | null {
  const [, into = ''] =
    /^(?:moved?|moving|went|goes|sent|transitioned|pushed|put) (?:(?:issues|tickets|items|cards) )?(?:back )?(?:in)?to (.+)$/.exec(
      text,
    ) ?? [];
  const only = into === '' ? null : statusMeant(into, statuses);
  if (only !== null) return { kind: 'change', from: null, to: only };
  const [, from = '', to = ''] =
    /^(?:bounc\w+|mov\w+|went|go|goes|gone|sent|return\w*|kicked|came|come|comes|thrown|fell|fall|falls|transition\w*|pushed|put|reopened)?(?: back)? ?from (.+?)(?: back)? (?:in)?to (.+)$/.exec(
      text,
    ) ?? [];
  const [one, other] = [from, to].map((name) => statusMeant(name, statuses));
  return one && other ? { kind: 'change', from: one, to: other } : null;
}

/** `in Berlin hours`, `in working hours`, `9 to 5 Berlin time`; what only sounds like a calendar is said. */
export function spotCalendar(
  words: readonly Token[],
  context: ParserContext,
  assumed: string[],
): Slot | null {
  const { calendars, hours } = context;
  const text = textOf(words);
  const unit = /^(?:in|as) (hours|days)$/.exec(text)?.[1];
  if (unit !== undefined) return { kind: 'unit', words: `in ${unit}` };
  const named = (id: string): Slot => {
    const calendar = calendars.find((one) => calendarIdOf(one) === id);
    return {
      kind: 'calendar',
      words: `in ${calendar === undefined ? id : quotedName(calendarName(calendar))}`,
    };
  };
  const [, name = ''] = /^(?:in|on|with|using|during|by) (?:the )?(.+)$/.exec(text) ?? [];
  const exact = name === '' || /^\d+$/.test(name) ? null : readCalendar(name, calendars);
  if (exact !== null) return named(exact);
  if (/^(?:around the clock|24\/7|24x7|in 24\/7|calendar hours|elapsed(?: time)?)$/.test(text))
    return named('normalHours');
  const work = calendars.filter(({ id }) => id !== null);
  const [, place = ''] =
    /^(?:(?:in|on|at|during) )?(?:(?:\d{1,2}(?::\d\d)? ?(?:am|pm)? ?(?:to|-|–) ?\d{1,2}(?::\d\d)? ?(?:am|pm)?) )?(.*?) ?(?:time|office|working hours|business hours|office hours|hours)$/.exec(
      text,
    ) ?? [];
  const isWork =
    /^(?:in |during |on |only )?(?:our |my |the )?(?:working|work|business|office) (?:hours|days|time)(?: only)?$/.test(
      text,
    ) || noWeekends.test(text);
  const of = isWork ? zoneWords(hours.timeZone).replace(/ time$/, '') : place;
  if (of === '') return null;
  const chosen =
    work.find((one) => folded(one.name) === folded(of)) ??
    work.find((one) => folded(zoneWords(one.timeZone).replace(/ time$/, '')) === folded(of)) ??
    (isWork && work.length === 1 ? work[0] : undefined);
  if (chosen === undefined) return null;
  assumed.push(`Time is counted in the working hours of the calendar ${codeText(chosen.name)}.`);
  return named(calendarIdOf(chosen));
}

const noWeekends =
  /^(?:(?:without|excluding|except|minus|ignoring|not counting|not including|no|leaving out|net of) (?:the )?(?:weekends?|week-ends|non-?working (?:days|hours|time))|(?:only )?week ?days(?: only)?|(?:only )?(?:working|business) ?days(?: only)?|weekends? (?:excluded|not (?:counted|included)))$/;

function quotedName(name: string): string {
  return /^[\w/-]+(?: [\w/-]+)*$/.test(name) ? name : `"${name}"`;
}

/** True if words are two times that are compared rather than one from the first to the second. */
export function areTwo({ words }: Span): boolean {
  return /^(?!from |between ).+ (?:to|and|with) /.test(textOf(words));
}

/** True if the number after some words is the day of the month that they end with: `nov 20 - nov` before `1`. */
function endsInDay({ words, after }: Span): boolean {
  const last = words.at(-1)?.plain ?? '';
  const isMonth = last.length >= 3 && (last === 'sept' || indexOfName(months, last) >= 0);
  return isMonth && /^(?:[1-9]|[12]\d|3[01])(?:st|nd|rd|th)?$/.test(after);
}

const recently = /^(?:recent(?:ly)?|lately|these days|nowadays|of late)$/;

/** Words for a time that a sentence uses for other things too, unless a word before them says so. */
const alone =
  /^(?:(?:the|this|in|for|of|on) )?(?:now|today|week|month|quarter|year|so far|may|march|spring|fall)$/;
const named =
  /^(?:in|since|during|last|of|until|before|for|early|late|mid|this) (?:may|march|spring|fall|week|month|quarter|year)$/;

/** Words between which a number of days is a limit, and no time of the past. */
const limitsBefore =
  /^(?:than|over|within|under|least|most|took|takes?|taken|need(?:s|ed)?|every|for|below|above|after|before|exceeding|next|in|only|about)$/;
const limitsAfter = /^(?:ago|old|or|late|long|later|each|sprints?)$/;

/** `6 weeks`, which are the last ones where no word beside them makes them a limit. */
export function spotCount({ words, before, after }: Span): Slot | null {
  const text = textOf(words);
  const [, count = '', unit = ''] =
    /^(\d{1,3}|two|three|four|five|six|seven|eight|nine|ten|twelve) (days|weeks|months|quarters)$/.exec(
      text,
    ) ?? [];
  return unit === '' || limitsBefore.test(before) || limitsAfter.test(after)
    ? null
    : { kind: 'range', words: `last ${count} ${unit}` };
}

/** A time of the past. */
export function spotRange(span: Span, today: number, context: ParserContext): Slot | null {
  const { words } = span;
  const text = textOf(words);
  if (endsInDay(span)) return null;
  if (recently.test(text)) return { kind: 'range', words: 'last 30 days' };
  const isMonth = words.length === 1 && /^(?:May|March)$/.test(words[0]?.source ?? '');
  if (words.some((one) => one.isQuoted) || (alone.test(text) && !named.test(text) && !isMonth)) return null;
  if (/^(?:on|the|at|by) \D+$/.test(text) && isDayName(text.replace(/^\w+ /, ''))) {
    return { kind: 'range', words: text.replace(/^\w+ /, '') };
  }
  if (isDayName(text) || /^(?:created|resolved|updated|finished|closed|done|completed|opened)\b/.test(text))
    return null;
  const plain = typedText(words)
    .replaceAll(/['’]s\b/g, '')
    .replace(/^(?:in|during|for|over|within|on|of|from) (?:the )?(?!.* (?:to|until|till|through|-|–) )/i, '')
    .replace(/^the /i, '')
    .replace(/^(?:this|last|past|previous|current) /i, (word) => word.toLowerCase());
  const range = readRange(plain.split(' '), { now: context.now, hours: context.hours, isLoose: true });
  if (range === null || /^\d{1,3}$/.test(plain)) return null;
  if (!/\b(?:summer|spring|autumn|fall|winter)\b/i.test(plain)) return { kind: 'range', words: plain };
  const days = readPastSpan(plain, today);
  if (days?.first == null) return null;
  const first = isoDay(days.first);
  return {
    kind: 'range',
    words: days.last === null ? `since ${first}` : `between ${first} and ${isoDay(days.last)}`,
  };
}

const statistics: ReadonlyMap<string, string> = new Map([
  ['avg', 'average'],
  ['on average', 'average'],
  ['typical', 'median'],
  ['typically', 'median'],
  ['in total', 'sum'],
  ['std dev', 'standard deviation'],
  ['stddev', 'standard deviation'],
]);

/** A statistic. */
export function spotStatistic(words: readonly Token[]): Slot | null {
  const text = textOf(words);
  const plain =
    statistics.get(text) ??
    text
      .replace(/^(\d{1,2})(?:th)? ?(?:pct|percentile|perc)$/, 'p$1')
      .replace(/^(average|median)[sd]$/, '$1')
      .replace(/^the /, '');
  if (plain === 'list') return null;
  return readStatistic(plain.split(' ')) === null ? null : { kind: 'statistic', words: plain };
}
