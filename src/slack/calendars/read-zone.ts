import { type AppError, badRequest } from '../../model/error.ts';
import { isTimeZone } from '../../time/zone.ts';
import { nearestOf } from '../nearest-of.ts';

/** An IANA zone in its own spelling; a city will do where one zone is named after it. Else `bad-request`. */
export function readZone(typed: string): string {
  const wanted = typed.trim().toLowerCase().replaceAll(' ', '_');
  const zones = Intl.supportedValuesOf('timeZone');
  const named = zones.find((zone) => zone.toLowerCase() === wanted);
  if (named !== undefined) return named;
  const cities = zones.filter((zone) => zone.toLowerCase().endsWith(`/${wanted}`));
  const [only, ...others] = cities;
  if (only !== undefined && others.length === 0) return only;
  // Older names of zones are not listed.
  if (isTimeZone(wanted))
    return new Intl.DateTimeFormat('en-US', { timeZone: wanted }).resolvedOptions().timeZone;
  throw unknownZone(typed, zones);
}

function unknownZone(typed: string, zones: readonly string[]): AppError {
  const cities = new Map(zones.map((zone) => [zone.slice(zone.lastIndexOf('/') + 1), zone]));
  const near = nearestOf(typed, zones) ?? cities.get(nearestOf(typed, [...cities.keys()]) ?? '');
  return badRequest(
    `The time zone '${typed}' is not known; allowed: names such as Europe/Berlin.`,
    ...(near === undefined ? [] : [`Did you mean ${near}?`]),
  );
}
