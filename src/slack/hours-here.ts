import type { Hours } from '../questions/parse/parser-context.ts';
import type { Place } from './command.ts';
import type { SlackParts } from './parts.ts';

/**
 * The hours of a place: in a channel those chosen for it, else the default calendar in the tracker server's zone; in
 * somebody's conversation with the app those they chose, on the clocks of their Slack.
 */
export async function hoursHere(
  { channel }: Pick<Place, 'channel'>,
  account: string,
  parts: Pick<SlackParts, 'channels' | 'accounts' | 'settings' | 'timeZone'>,
): Promise<Hours> {
  const usual = () => parts.settings.defaultCalendar();
  if (!isDirect(channel)) {
    const { calendar, timeZone } = await parts.channels.channel(channel);
    return { calendar: calendar ?? (await usual()), timeZone: timeZone ?? parts.timeZone };
  }
  const { calendar } = await parts.channels.preferences(account);
  const profile = await parts.accounts.profileOf(account).catch(() => null);
  return { calendar: calendar ?? (await usual()), timeZone: profile?.timeZone ?? parts.timeZone };
}

/** Whether nobody but one person and the app reads there; an account names the conversation with who has it. */
export function isDirect(channel: string): boolean {
  return /^[DUW]/.test(channel);
}
