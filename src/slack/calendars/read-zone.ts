import { type AppError, badRequest } from '../../model/error.ts';
import { nearestOf } from '../../questions/parse/names-meant.ts';
import { findZone, zoneNames } from '../../time/zones.ts';

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
