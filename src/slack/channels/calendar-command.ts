import { millisecondsInMinute } from 'date-fns/constants';
import { codeText } from '../../block-kit/code-text.ts';
import { lineBlocks } from '../../block-kit/line-blocks.ts';
import type { Message } from '../../block-kit/message.ts';
import { dateMark, escapeMrkdwn } from '../../block-kit/mrkdwn.ts';
import { shorten } from '../../block-kit/shorten.ts';
import { AppError, badRequest } from '../../model/error.ts';
import type { Instant } from '../../model/issue.ts';
import { type CalendarDefinition, type Holiday, type WorkingTime, weekdays } from '../../model/settings.ts';
import { unknownWord } from '../../questions/parse/names-meant.ts';
import type { Hours } from '../../questions/parse/parser-context.ts';
import { calendarIdOf, readCalendar } from '../../questions/parse/read-calendar.ts';
import { unquoted } from '../../questions/parse/typed-words.ts';
import { normalHours } from '../../time/calendar.ts';
import { fullDayText } from '../../time/day-text.ts';
import { weekdays as names, nextYearly } from '../../time/day-words.ts';
import { readIsoDay } from '../../time/iso-dates.ts';
import { dayAt } from '../../time/wall-clock.ts';
import type { Place, SlashCommand, SlashInvocation } from '../app/handler-types.ts';
import { hoursHere, isDirect, readZone } from '../app/hours-here.ts';
import { notice } from '../app/message-texts.ts';
import type { PeopleParts, SlackParts } from '../app/parts.ts';
import { refusal } from '../app/show-failure.ts';
import { resolvePrincipal } from '../people/principals.ts';

/** `/tis calendar`: the hours that count, and those of a channel. */
export const tisCalendar: SlashCommand<
  Pick<SlackParts, 'accounts' | 'channels' | 'now' | 'people' | 'settings' | 'timeZone'>
> = {
  root: '/tis',
  word: 'calendar',
  usage: '/tis calendar [use NAME | zone ZONE]',
  summary: 'the working calendars there are; choose the one and the zone of this channel',
  examples: [
    '/tis calendar use normalHours',
    '/tis calendar zone Europe/Berlin',
    '/tis calendar use default',
  ],
  details:
    'What is chosen counts for every answer in the channel that names no calendar; in your conversation with the app it is for you alone. `default` takes a choice back.',
  async answer(asked, parts) {
    const account = asked.principal.account;
    const calendars = await parts.settings.calendars(await resolvePrincipal(account, parts));
    if (asked.text !== '') {
      const refused = await change(asked, calendars, parts);
      if (refused !== null) return [refused];
    }
    const { calendar, text } = await inForce(asked.place, account, calendars, parts);
    if (asked.text !== '') return [notice(`Done. ${text}`)];
    return [calendarList(calendars, { now: parts.now(), calendar, inForce: text })];
  },
};

/** Null when it is done; else what was wrong. */
async function change(
  { text, place, principal, words }: SlashInvocation,
  calendars: Parameters<typeof useCalendar>[3],
  parts: Pick<SlackParts, 'channels'>,
) {
  const [what = '', ...others] = words;
  const typed = unquoted(text.slice(what.length).trim());
  try {
    if (others.length > 0 && what.toLowerCase() === 'use') {
      await useCalendar(typed, place, principal.account, calendars, parts);
    } else if (others.length > 0 && what.toLowerCase() === 'zone') {
      await useZone(typed, place, principal.account, parts);
    } else {
      throw badRequest(
        `I do not know what '${text.slice(0, 60)}' means here. Try: nothing, use NAME, or zone ZONE.`,
      );
    }
    return null;
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'bad-request') throw error;
    return refusal(error.details, 'Try `/tis calendar`, or `/tis calendar zone Europe/Berlin`.');
  }
}

const HOLIDAYS = 3;
const NAME_LENGTH = 60;
const HOURS_LENGTH = 200;

/** The calendars there are, and what counts here. `inForce` are whole sentences (mrkdwn), with what can be done. */
export function calendarList(
  calendars: readonly CalendarDefinition[],
  { now, calendar, inForce }: { readonly now: Instant; readonly calendar: string; readonly inForce: string },
): Message {
  const lines = calendars.map((one) => () => {
    const isHere = calendarIdOf(one) === calendar;
    const ahead = holidaysAhead(one.holidays, dayAt(now, one.timeZone), HOLIDAYS).map(
      ({ day, name }) => `${fullDayText(day)} (${escapeMrkdwn(shorten(name, NAME_LENGTH))})`,
    );
    const zone = one.id === null ? '' : `, ${escapeMrkdwn(one.timeZone)}`;
    return [
      `*${escapeMrkdwn(shorten(one.name, NAME_LENGTH))}*${isHere ? ' (used here)' : ''}: ${shorten(hoursText(one), HOURS_LENGTH)}${zone}`,
      ...(ahead.length === 0 ? [] : [`      holidays ahead: ${ahead.join(', ')}`]),
    ].join('\n');
  });
  const other = calendars.find((one) => calendarIdOf(one) !== calendar);
  const use = other === undefined ? [] : [`Change it with ${codeText(`/tis calendar use ${other.name}`)}.`];
  return lineBlocks([[inForce, ...use].join(' '), ...lines]);
}

/** The working hours of a week: `Mon–Thu 09:00–17:00, Fri 09:00–15:00`. */
export function hoursText({ id, workingTimes }: Pick<CalendarDefinition, 'id' | 'workingTimes'>): string {
  if (id === null) return 'every hour of every day';
  const days = weekdays.map((weekday) => shiftsText(workingTimes.filter((one) => one.weekday === weekday)));
  const runs: { readonly first: number; readonly last: number; readonly shifts: string }[] = [];
  for (const [day, shifts] of days.entries()) {
    const open = runs.at(-1);
    if (open?.shifts === shifts) runs[runs.length - 1] = { ...open, last: day };
    else runs.push({ first: day, last: day, shifts });
  }
  const worked = runs.filter(({ shifts }) => shifts !== '');
  return worked.map(({ first, last, shifts }) => `${daysText(first, last)} ${shifts}`).join(', ');
}

function daysText(first: number, last: number): string {
  const short = (day: number) => names[day]?.slice(0, 3) ?? '';
  return first === last ? short(first) : `${short(first)}–${short(last)}`;
}

function shiftsText(shifts: readonly WorkingTime[]): string {
  return shifts
    .toSorted((a, b) => a.start - b.start)
    .map(({ start, end }) => `${timeText(start)}–${timeText(end)}`)
    .join(' and ');
}

/** Of the wall clock, to the minute: `24:00` is the end of the day. */
function timeText(ms: number): string {
  const minutes = Math.floor(ms / millisecondsInMinute);
  return [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0')).join(':');
}

/** A day without work: a midnight of the wall clock as if it were UTC, and what it is called. */
interface HolidayAhead {
  readonly day: number;
  readonly name: string;
}

/** The next holidays from `today` (a midnight of the wall clock) on, in order. */
export function holidaysAhead(
  holidays: readonly Holiday[],
  today: number,
  count: number,
): readonly HolidayAhead[] {
  return holidays
    .flatMap(({ name, date, recurring }) => {
      const day = recurring ? nextYearly(date, today) : readIsoDay(date);
      return day === null || day < today ? [] : [{ day, name }];
    })
    .toSorted((a, b) => a.day - b.day)
    .slice(0, count);
}

/** Takes back what was chosen. */
const USUAL = 'default';

/** Chooses the calendar of a channel; in somebody's conversation with the app their own. A wrong name is `bad-request`. */
async function useCalendar(
  typed: string,
  place: Place,
  account: string,
  calendars: readonly CalendarDefinition[],
  { channels }: Pick<SlackParts, 'channels'>,
): Promise<void> {
  const named = readCalendar(typed, calendars);
  if (named === null && typed.toLowerCase() !== USUAL) {
    throw unknownWord('calendar', typed, [...calendars.map(({ name }) => name), USUAL]);
  }
  if (isDirect(place.channel)) await channels.changePreferences(account, { calendar: named });
  else await channels.changeChannel(place.channel, { calendar: named }, account);
}

/** Chooses on whose clocks a channel's days and weeks are; a wrong name is `bad-request`. */
async function useZone(
  typed: string,
  { channel }: Place,
  account: string,
  { channels }: Pick<SlackParts, 'channels'>,
): Promise<void> {
  if (isDirect(channel)) {
    throw badRequest(
      'Here the clocks of your own Slack count. Try: calendar zone in a channel, or your zone in the preferences of Slack.',
    );
  }
  const timeZone = typed.toLowerCase() === USUAL ? null : readZone(typed);
  await channels.changeChannel(channel, { timeZone }, account);
}

/** What counts in a place, and the sentences (mrkdwn) that say so and who chose it. */
export async function inForce(
  place: Place,
  account: string,
  calendars: readonly CalendarDefinition[],
  parts: Pick<SlackParts, 'accounts' | 'channels' | 'people' | 'settings' | 'timeZone'>,
): Promise<Hours & { readonly text: string }> {
  const hours = await hoursHere(place, account, parts);
  const counts = `${countingText(hours.calendar, calendars)}, on the clocks of ${escapeMrkdwn(hours.timeZone)}.`;
  if (isDirect(place.channel)) return { ...hours, text: `Here, for you alone, ${counts}` };
  const { changedBy, changedAt } = await parts.channels.channel(place.channel);
  const who =
    changedBy === null || changedAt === null
      ? 'Nobody has chosen anything for this channel yet.'
      : `Last changed by ${await nameOf(changedBy, parts)}, ${dateMark(changedAt)}.`;
  return { ...hours, text: `In this channel ${counts} ${who}` };
}

/** What counts, in the words of Home; the built-in calendar has a name only where one is chosen. */
function countingText(calendar: string, calendars: readonly CalendarDefinition[]): string {
  if (calendar === normalHours.name) return 'every hour counts (24/7)';
  const name = calendars.find((one) => calendarIdOf(one) === calendar)?.name ?? calendar;
  return `the calendar *${escapeMrkdwn(name)}* counts`;
}

/** By name and never as a mention: that would wake them. */
async function nameOf(account: string, { accounts, people }: PeopleParts): Promise<string> {
  const link = await people.linkOf(account);
  const user = link === null ? undefined : (await people.users()).get(link.user);
  if (user !== undefined) return escapeMrkdwn(user.name);
  const profile = await accounts.profileOf(account).catch(() => null);
  return escapeMrkdwn(profile?.name ?? account);
}
