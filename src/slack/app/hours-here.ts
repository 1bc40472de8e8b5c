import { type AppError, badRequest } from '../../model/error.ts';
import { nearestOf } from '../../questions/parse/names-meant.ts';
import type { Hours } from '../../questions/parse/parser-context.ts';
import { findZone, zoneNames } from '../../time/zones.ts';
import type { Place } from './handler-types.ts';
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

/** A zone as people say it: `Berlin time`. */
export function zoneWords(timeZone: string): string {
  const [, city] = /\/([^/]+)$/.exec(timeZone) ?? [];
  return city === undefined ? timeZone : `${city.replaceAll('_', ' ')} time`;
}

/** Whether nobody but one person and the app reads there; an account names the conversation with who has it. */
export function isDirect(channel: string): boolean {
  return /^[DUW]/.test(channel);
}

/** An IANA zone in its own spelling; a city will do where one zone is named after it. Else `bad-request`. */
export function readZone(typed: string): string {
  const found = findZone(typed);
  if (found === null) throw unknownZone(typed, zoneNames());
  return found;
}

function unknownZone(typed: string, zones: readonly string[]): AppError {
  const cities = new Map(zones.map((zone) => [zone.slice(zone.lastIndexOf('/') + 1), zone]));
  const near = nearestOf(typed, zones) ?? cities.get(nearestOf(typed, [...cities.keys()]) ?? '');
  return badRequest(
    `The time zone '${typed}' is not known. Try: names such as Europe/Berlin.`,
    ...(near === undefined ? [] : [`Did you mean ${near}?`]),
  );
}
