import { millisecondsInDay } from 'date-fns/constants';
import type { Instant } from '../model/issue.ts';
import type { CalendarDefinition } from '../model/settings.ts';
import { businessDay } from './business-day.ts';
import type { Calendar } from './calendar.ts';
import { indexWork } from './index-work.ts';
import type { LookUp } from './look-up.ts';
import { CYCLE_MS, EARLIEST, foldCycles, LATEST } from './same-cycle.ts';
import { shiftsBetween } from './shifts-between.ts';

const YEAR_MS = 366 * millisecondsInDay;

/**
 * A definition → arithmetic on working time: compiled for the years that are asked about, and for more when others are.
 * A question costs two look-ups, however long its span.
 */
export function compileCalendar(definition: CalendarDefinition): Calendar {
  const { id, name, timeZone, holidays } = definition;
  const { wholeWeek, ...day } = businessDay(definition.workingTimes);
  const continuous = wholeWeek && holidays.length === 0;
  const between = continuous ? (from: Instant, until: Instant) => until - from : counter(definition);
  return {
    id,
    name,
    timeZone,
    ...day,
    continuous,
    between: (from, until) => (from < until ? between(from, until) : 0),
  };
}

function counter(definition: CalendarDefinition): (from: Instant, until: Instant) => number {
  // From the epoch to the epoch: nothing yet.
  let [start, end] = [0, 0];
  let lookUp: LookUp = () => 0;
  const cover = (from: Instant, until: Instant): void => {
    if (from >= start && until <= end) return;
    const fresh = start === end;
    // Some years more than asked for, so that a history that grows is not compiled for each of its days.
    const more = Math.max(YEAR_MS, (end - start) / 4);
    const low = fresh || from < start ? from - more : start;
    const high = fresh || until > end ? until + more : end;
    start = Math.max(EARLIEST, Math.floor(low / millisecondsInDay) * millisecondsInDay);
    end = Math.min(LATEST, Math.ceil(high / millisecondsInDay) * millisecondsInDay);
    lookUp = indexWork(shiftsBetween(definition, start, end), start, end);
  };
  return (from, until) => {
    if (from < EARLIEST || until > LATEST) {
      cover(EARLIEST, LATEST);
      return farAway(lookUp, until) - farAway(lookUp, from);
    }
    cover(from, until);
    return lookUp(until) - lookUp(from);
  };
}

/** Goes on before and after the centuries a look-up covers, with as many of its first or last four as it takes. */
function farAway(lookUp: LookUp, instant: Instant): number {
  const { at, cycles } = foldCycles(instant);
  const edge = cycles < 0 ? EARLIEST : LATEST - CYCLE_MS;
  return lookUp(at) + cycles * (lookUp(edge + CYCLE_MS) - lookUp(edge));
}
