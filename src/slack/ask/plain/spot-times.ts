import { isoDay, months } from '../../../time/date-text.ts';
import { indexOfName } from '../../../time/day-words.ts';
import { isDayName, readPastSpan } from '../../../time/past-spans.ts';
import { calendarName } from '../../../time/working-days.ts';
import { zoneWords } from '../../../time/zones.ts';
import { codeText } from '../../blocks/mrkdwn.ts';
import { readStatistic } from '../grammar/parse-options.ts';
import type { ParserContext } from '../grammar/parser-context.ts';
import { calendarIdOf, readCalendar } from '../grammar/read-calendar.ts';
import { readRange } from '../grammar/read-range.ts';
import type { Slot } from './slots.ts';
import { folded, type Span, type Token, textOf, typedText } from './tokens.ts';

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
