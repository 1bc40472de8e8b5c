import { badRequest } from '../../model/error.ts';
import type { CalendarDefinition } from '../../model/settings.ts';
import { unknownWord } from '../../questions/parse/names-meant.ts';
import { readCalendar } from '../../questions/parse/read-calendar.ts';
import type { Place } from '../command.ts';
import { isDirect } from '../hours-here.ts';
import type { SlackParts } from '../parts.ts';
import { readZone } from './read-zone.ts';

/** Takes back what was chosen. */
const USUAL = 'default';

/** Chooses the calendar of a channel; in somebody's conversation with the app their own. A wrong name is `bad-request`. */
export async function useCalendar(
  typed: string,
  place: Place,
  account: string,
  calendars: readonly CalendarDefinition[],
  { channels }: Pick<SlackParts, 'channels'>,
): Promise<void> {
  const named = readCalendar(typed, calendars);
  if (named === null && typed.toLowerCase() !== USUAL) {
    throw unknownWord('The calendar', typed, [...calendars.map(({ name }) => name), USUAL]);
  }
  if (isDirect(place.channel)) await channels.changePreferences(account, { calendar: named });
  else await channels.changeChannel(place.channel, { calendar: named }, account);
}

/** Chooses on whose clocks a channel's days and weeks are; a wrong name is `bad-request`. */
export async function useZone(
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
