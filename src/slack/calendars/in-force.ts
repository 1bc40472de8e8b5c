import { dateMark, escapeMrkdwn } from '../../block-kit/mrkdwn.ts';
import type { CalendarDefinition } from '../../model/settings.ts';
import type { Hours } from '../../questions/parse/parser-context.ts';
import { calendarIdOf } from '../../questions/parse/read-calendar.ts';
import { normalHours } from '../../time/calendar.ts';
import type { Place } from '../command.ts';
import { hoursHere, isDirect } from '../hours-here.ts';
import type { PeopleParts, SlackParts } from '../parts.ts';

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
