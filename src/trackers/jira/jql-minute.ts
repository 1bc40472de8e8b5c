import { millisecondsInDay, millisecondsInMinute } from 'date-fns/constants';
import type { Instant } from '../../model/issue.ts';
import { offsetsIn } from './wall-clock.ts';

/**
 * The latest minute of a zone's wall clock that no way of reading it takes for an instant later than this one, as JQL
 * spells it: an hour that comes twice is passed over while it comes first. Null: the zone is not known, and a day
 * before is early enough for all of them.
 */
export function jqlMinute(instant: Instant, timeZone: string | null): string {
  if (timeZone === null) return spelled(instant - millisecondsInDay);
  const offsetAt = offsetsIn(timeZone);
  let wall = floorToMinute(instant + offsetAt(instant));
  while (readings(wall, offsetAt).some((reading) => reading > instant)) wall -= millisecondsInMinute;
  return spelled(wall);
}

/** Every instant at which the clock shows this; of a time the clocks skip, both that may be meant. */
function readings(wall: number, offsetAt: (instant: Instant) => number): Instant[] {
  // No zone is more than a day off, and none changes twice within two days.
  const instants = [offsetAt(wall - millisecondsInDay), offsetAt(wall + millisecondsInDay)].map(
    (offset) => wall - offset,
  );
  const shown = instants.filter((one) => one + offsetAt(one) === wall);
  return shown.length > 0 ? shown : instants;
}

function floorToMinute(wall: number): number {
  return Math.floor(wall / millisecondsInMinute) * millisecondsInMinute;
}

function spelled(wall: number): string {
  return new Date(wall).toISOString().slice(0, 16).replace('T', ' ');
}
