import { badRequestAs } from '../../model/error.ts';
import { findZone, zoneNames } from '../../time/zones.ts';
import { didYouMean, nearestOf } from './names-meant.ts';

/** An IANA zone in its own spelling; a city will do where one zone is named after it. Else `bad-request`. */
export function readZone(typed: string): string {
  const found = findZone(typed);
  if (found !== null) return found;
  const cities = new Map(zoneNames().map((zone) => [zone.slice(zone.lastIndexOf('/') + 1), zone]));
  const near = nearestOf(typed, zoneNames()) ?? cities.get(nearestOf(typed, [...cities.keys()]) ?? '');
  const meant = near === undefined ? [] : [near];
  throw badRequestAs(
    'invalid-value',
    [
      `I couldn't find the time zone "${typed}".`,
      ...(near === undefined ? ['Try: names such as Europe/Berlin.'] : didYouMean(meant)),
    ],
    { value: typed, meant },
  );
}
