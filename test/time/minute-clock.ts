import { millisecondsInMinute } from 'date-fns/constants';
import { type CalendarDefinition, weekdays } from '../../src/model/settings.ts';

const DAY_MINUTES = 1440;

/** Which minutes some days have on a wall clock, told by Intl one after the other. */
export interface MinuteClock {
  /** The first minute, counted from 1970. */
  readonly first: number;
  /** What the wall showed at each minute, in minutes as if it were UTC. */
  readonly walls: Int32Array;
  /** Where the wall first showed what. */
  readonly places: ReadonlyMap<number, number>;
}

export function readMinuteClock(timeZone: string, from: number, days: number): MinuteClock {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
  const first = Math.floor(from / millisecondsInMinute);
  const walls = Int32Array.from(
    { length: days * DAY_MINUTES },
    (_, i) =>
      Date.parse(`${format.format((first + i) * millisecondsInMinute).replace(' ', 'T')}Z`) /
      millisecondsInMinute,
  );
  const places = new Map<number, number>();
  for (const [i, wall] of walls.entries()) if (!places.has(wall)) places.set(wall, i);
  return { first, walls, places };
}

/**
 * The plain way to find working time: paint every minute of every shift on the wall, then translate each edge of what
 * is painted by looking for it minute by minute. 1 is work; the days at both ends of the clock are not reliable.
 */
export function workingMinutes(
  { workingTimes, holidays }: CalendarDefinition,
  clock: MinuteClock,
): Uint8Array {
  const { walls } = clock;
  const firstDay = Math.floor((walls[0] ?? 0) / DAY_MINUTES) - 2;
  const days = walls.length / DAY_MINUTES + 6;
  const painted = new Uint8Array(days * DAY_MINUTES);
  const [earliest = 0, latest = 0] = [walls[0], walls.at(-1)];
  const shown = new Set(walls.map((wall) => Math.floor(wall / DAY_MINUTES)));
  for (let day = 0; day < days; day += 1) {
    const date = new Date((firstDay + day) * DAY_MINUTES * millisecondsInMinute);
    const text = date.toISOString().slice(0, 10);
    const minute = (firstDay + day) * DAY_MINUTES;
    // A date that never was has no shift.
    if (minute > earliest && minute < latest && !shown.has(firstDay + day)) continue;
    if (holidays.some((one) => one.date === text || (one.recurring && one.date.slice(5) === text.slice(5))))
      continue;
    for (const { weekday, start, end } of workingTimes) {
      if (weekdays.indexOf(weekday) !== (date.getUTCDay() + 6) % 7) continue;
      const minutes =
        (end > start ? end - start : end - start + DAY_MINUTES * millisecondsInMinute) / millisecondsInMinute;
      const begin = day * DAY_MINUTES + start / millisecondsInMinute;
      painted.fill(1, begin, begin + minutes);
    }
  }
  const working = new Uint8Array(walls.length);
  let begun = 0;
  for (let i = 1; i <= painted.length; i += 1) {
    if (painted[i] === 1 && painted[i - 1] !== 1) begun = i;
    if (painted[i] !== 1 && painted[i - 1] === 1) {
      const [start, end] = [begun, i].map((edge) => placeOf(firstDay * DAY_MINUTES + edge, clock));
      working.fill(1, start, Math.max(start ?? 0, end ?? 0));
    }
  }
  return working;
}

/** The first minute with this on the wall; where the clock jumps over it, as long after the jump as it was skipped. */
function placeOf(wall: number, { walls, places }: MinuteClock): number {
  const place = places.get(wall);
  if (place !== undefined) return place;
  if (wall < (walls[0] ?? 0)) return 0;
  const behind = walls.findIndex((shown) => shown > wall);
  return behind === -1 ? walls.length : behind + wall - (walls[behind - 1] ?? 0) - 1;
}
