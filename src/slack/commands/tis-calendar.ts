import { AppError, badRequest } from '../../model/error.ts';
import { unquoted } from '../../questions/parse/typed-words.ts';
import { calendarList } from '../calendars/calendar-list.ts';
import { useCalendar, useZone } from '../calendars/change-hours.ts';
import { inForce } from '../calendars/in-force.ts';
import type { Asked, SlashCommand } from '../command.ts';
import { notice } from '../messages/notice.ts';
import { refusal } from '../messages/refusal.ts';
import type { SlackParts } from '../parts.ts';
import { resolvePrincipal } from '../people/resolve-principal.ts';

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
  { text, place, principal, words }: Asked,
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
