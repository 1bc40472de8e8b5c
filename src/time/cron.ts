import { Cron, CronPattern } from 'croner';
import { millisecondsInDay } from 'date-fns/constants';
import type { Schedule } from '../model/digest.ts';
import type { Instant } from '../model/issue.ts';
import { firstWhere } from './bisect.ts';
import { firstInstantFrom, wallOf } from './wall-clock.ts';
import { isTimeZone, offsetAt } from './zones.ts';

const MAX_CRON = 200;

/** The fields of a cron expression in order, each with the values allowed beside a star, lists, ranges and steps. */
const fields = [
  ['minute', '0 to 59'],
  ['hour', '0 to 23'],
  ['day of the month', '1 to 31, or L for the last day'],
  ['month', '1 to 12, or JAN to DEC'],
  ['day of the week', '0 to 7 where 0 and 7 are Sunday, or SUN to SAT'],
] as const;

/**
 * The first instants after one at which a schedule fires; fewer than `count` only where there are no more within some
 * centuries. A schedule that `scheduleProblem` refuses is an error.
 *
 * Hours that are named mean times of day: each fires once on its day. One that the clocks skip fires at the first
 * instant after the gap (once, however many are skipped), one that they show twice at the first of the two. Where the
 * hour is a star the schedule is a rhythm, as in every quarter of an hour: it fires whenever the clock shows a time
 * that fits, so in an hour that comes twice as often as in any two hours, and for an hour that is skipped not at all.
 * Day of the month and day of the week, when both are named, fit when either does, as in every cron.
 */
export function fireTimes(schedule: Schedule, after: Instant, count: number): readonly Instant[] {
  const { cron, timeZone } = schedule;
  const nextWall = wallClock(cron);
  const next = isRhythm(cron)
    ? (from: Instant) => nextOfRhythm(nextWall, from, timeZone)
    : (from: Instant) => nextTimeOfDay(nextWall, from, timeZone);
  const times: Instant[] = [];
  let at = next(after);
  while (at !== null && times.length < count) {
    times.push(at);
    at = next(at);
  }
  return times;
}

/** Why a schedule cannot be kept, as a sentence with what is allowed; null when it can. */
export function scheduleProblem({ cron, timeZone }: Schedule): string | null {
  if (!isTimeZone(timeZone)) {
    return `timeZone '${timeZone}' is not an IANA time zone. Try: names such as Europe/Berlin.`;
  }
  if (cron.length > MAX_CRON) {
    return `cron has ${cron.length} characters. Try: ${MAX_CRON}.`;
  }
  const parts = cron.trim().split(/\s+/);
  if (parts.length !== fields.length) {
    const names = fields.map(([name]) => name).join(', ');
    return `cron '${cron}' does not have five fields. Try: ${names}, such as 0 9 * * 1-5 for nine o'clock from Monday to Friday.`;
  }
  for (const [index, [name, allowed]] of fields.entries()) {
    const part = parts[index] ?? '';
    const alone = fields.map((_, other) => (other === index ? part : '*')).join(' ');
    if (!canBeRead(alone)) {
      return `the ${name} '${part}' of cron '${cron}' cannot be read. Try: ${allowed}, with a star, lists, ranges and steps, such as 1,3 or 1-5 or */2.`;
    }
  }
  return wallClock(cron)(0) === null
    ? `cron '${cron}' never fires: no month has that day. Try: an existing day.`
    : null;
}

/** The next wall time after one that fits, both in ms as if they were UTC; null when there is none. */
type WallClock = (wall: number) => number | null;

/** Croner reads the expression and steps through UTC, where no clock ever changes: its own rules for changes differ from ours. */
function wallClock(cron: string): WallClock {
  const steps = new Cron(cron, { mode: '5-part', utcOffset: 0, paused: true });
  return (wall) => steps.nextRun(new Date(wall))?.getTime() ?? null;
}

function isRhythm(cron: string): boolean {
  return new CronPattern(cron, undefined, { mode: '5-part' }).hour.every((fits) => fits === 1);
}

function canBeRead(cron: string): boolean {
  try {
    new CronPattern(cron, undefined, { mode: '5-part' });
    return true;
  } catch {
    return false;
  }
}

function nextTimeOfDay(nextWall: WallClock, after: Instant, timeZone: string): Instant | null {
  let wall = nextWall(wallOf(after, timeZone));
  while (wall !== null) {
    const at = firstInstantFrom(wall, timeZone);
    // In the second of two equal hours the wall shows times that fired in the first.
    if (at > after) return at;
    wall = nextWall(wall);
  }
  return null;
}

function nextOfRhythm(nextWall: WallClock, after: Instant, timeZone: string): Instant | null {
  let from = after;
  let wall = nextWall(wallOf(from, timeZone));
  while (wall !== null) {
    const at = wall - offsetAt(from, timeZone);
    const change = firstChange(from, at, timeZone);
    if (change === null) return at;
    // The wall jumped before it showed the time, and goes on from what it showed then.
    from = change;
    wall = nextWall(wallOf(from, timeZone) - 1);
  }
  return null;
}

/** The first instant within (from, until] at which the clocks are changed; null when they are not. */
function firstChange(from: Instant, until: Instant, timeZone: string): Instant | null {
  const offset = offsetAt(from, timeZone);
  for (let low = from; low < until; low += millisecondsInDay) {
    const high = Math.min(low + millisecondsInDay, until);
    if (offsetAt(high, timeZone) !== offset) {
      return firstWhere(low, high, (at) => offsetAt(at, timeZone) !== offset);
    }
  }
  return null;
}
