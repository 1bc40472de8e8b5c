import { millisecondsInDay, millisecondsInHour } from 'date-fns/constants';
import type { FieldValue, Instant } from '../../model/issue.ts';
import { isoWeekday } from './office-hours.ts';

/** Two weeks of the web team's work; each begins the moment the one before ends. */
export interface Sprint extends FieldValue {
  readonly start: Instant;
  readonly end: Instant;
}

const LENGTH = 14 * millisecondsInDay;
/** Half past eight UTC: mid-morning in Berlin all year round. */
const HOUR_OF_PLANNING = 8.5 * millisecondsInHour;

/** Every sprint from the one running at `from` to the one after that running at `until`. */
export function planSprints(from: Instant, until: Instant): Sprint[] {
  const monday = from - (isoWeekday(from) - 1) * millisecondsInDay - 7 * millisecondsInDay;
  const sprints: Sprint[] = [];
  for (let start = monday + HOUR_OF_PLANNING; start < until + LENGTH; start += LENGTH) {
    const number = sprints.length + 1;
    sprints.push({ id: String(number), name: `WEB Sprint ${number}`, start, end: start + LENGTH });
  }
  return sprints;
}

/** The sprint as content of a field. */
export function sprintValue({ id, name }: Sprint): FieldValue {
  return { id, name };
}
