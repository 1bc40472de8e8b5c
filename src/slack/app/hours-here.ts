import type { Hours } from '../../model/question.ts';
import type { CalendarDefinition } from '../../model/settings.ts';
import { normalHours } from '../../time/calendar.ts';
import { zoneWords } from '../../time/zones.ts';
import { calendarIdOf } from '../ask/grammar/read-calendar.ts';
import type { Message } from '../blocks/message.ts';
import { escapeMrkdwn } from '../blocks/mrkdwn.ts';
import type { Place } from './handler-types.ts';
import { withFootnote } from './message-texts.ts';
import type { SlackParts } from './parts.ts';

type AnyPlace = Pick<Place, 'channel'>;
type HoursParts = Pick<SlackParts, 'channels' | 'accounts' | 'settings' | 'timeZone'>;

/**
 * The hours of a place for a person who asks or schedules there: in a channel those chosen for it, else the default
 * calendar in the zone of the first who does; in their conversation with the app their own.
 */
export async function hoursHere(place: AnyPlace, account: string, parts: HoursParts): Promise<Hours> {
  const { channel } = place;
  const chosen = await chosenFor(place, account, parts);
  const hours = await hoursOf(chosen, parts);
  if (isDirect(channel) || chosen.timeZone !== null) return hours;
  const profile = await parts.accounts.profileOf(account).catch(() => null);
  if (profile === null || profile.timeZone === null) return hours;
  const { timeZone } = await parts.channels.beginTimeZone(channel, profile.timeZone, account);
  return { ...hours, timeZone: timeZone ?? hours.timeZone };
}

/** The same for showing them only. */
export async function hoursShown(place: AnyPlace, account: string, parts: HoursParts): Promise<Hours> {
  return hoursOf(await chosenFor(place, account, parts), parts);
}

/** The hours chosen for a place; null where nothing is chosen. */
interface ChosenHours {
  readonly calendar: string | null;
  readonly timeZone: string | null;
}

async function chosenFor(
  { channel }: AnyPlace,
  account: string,
  { channels, accounts }: HoursParts,
): Promise<ChosenHours> {
  if (!isDirect(channel)) return channels.channel(channel);
  const { calendar } = await channels.preferences(account);
  const { timeZone = null } = (await accounts.profileOf(account).catch(() => null)) ?? {};
  return { calendar, timeZone };
}

async function hoursOf(
  { calendar, timeZone }: ChosenHours,
  { settings, ...parts }: HoursParts,
): Promise<Hours> {
  return {
    calendar: calendar ?? (await settings.defaultCalendar()),
    timeZone: timeZone ?? parts.timeZone,
  };
}

/** The hours of a place in a sentence (mrkdwn): `24/7, Berlin time.` */
export async function hoursInForce(
  place: Place,
  account: string,
  calendars: readonly CalendarDefinition[],
  parts: HoursParts,
): Promise<string> {
  const { calendar, timeZone } = await hoursShown(place, account, parts);
  const chosen = calendars.find((one) => calendarIdOf(one) === calendar);
  const name = calendar === normalHours.name ? '24/7' : `*${escapeMrkdwn(chosen?.name ?? calendar)}*`;
  return `${name}, ${escapeMrkdwn(zoneWords(timeZone))}.`;
}

/** Answers a person in a place; where the place got its time zone from them, the answer says so. */
export async function withZoneNote(
  { channel }: AnyPlace,
  account: string,
  { channels }: Pick<SlackParts, 'channels'>,
  answer: () => Promise<readonly Message[]>,
): Promise<readonly Message[]> {
  if (isDirect(channel) || (await channels.channel(channel)).timeZone !== null) return answer();
  const messages = await answer();
  const { timeZone, timeZoneFrom } = await channels.channel(channel);
  if (timeZone === null || timeZoneFrom !== account) return messages;
  return withFootnote(
    messages,
    `Times in <#${channel}> are ${escapeMrkdwn(zoneWords(timeZone))}, from your Slack profile. Change: \`/tis settings\``,
  );
}

/** True if the channel is a direct conversation; an account names the app's conversation with that person. */
export function isDirect(channel: string): boolean {
  return /^[DUW]/.test(channel);
}
