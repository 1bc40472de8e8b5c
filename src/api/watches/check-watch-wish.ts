import { millisecondsInDay } from 'date-fns/constants';
import { badRequest } from '../../model/error.ts';
import type { Asker } from '../../model/request.ts';
import type { WatchWish } from '../../model/watch.ts';
import { isTimeZone } from '../../time/zones.ts';
import { calendarNamed } from '../digests/calendar-named.ts';
import type { WatchesParts } from './watches-parts.ts';
import { whyNoStatus } from './why-no-status.ts';

/** Two years; nobody waits longer to hear of something. */
const LONGEST_MS = 2 * 366 * millisecondsInDay;
const LONGEST_TITLE = 200;

/** Fails with a `bad-request` that names everything that is wrong with a wish. */
export async function checkWatchWish(
  { title, status, threshold, calendar, timeZone }: WatchWish,
  asker: Asker,
  parts: Pick<WatchesParts, 'reporting' | 'settings'>,
): Promise<void> {
  const problems: string[] = [];
  if (title.length > LONGEST_TITLE) {
    problems.push(`title has ${title.length} characters; allowed: ${LONGEST_TITLE}.`);
  }
  const noStatus = await whyNoStatus(status, asker, parts);
  if (noStatus !== null) problems.push(noStatus);
  if (threshold.by === 'time' && !(threshold.ms > 0 && threshold.ms <= LONGEST_MS)) {
    problems.push(`'${threshold.words}' is not allowed; allowed: more than nothing, and at most two years.`);
  }
  if ((await calendarNamed(calendar, parts.settings)) === null) {
    problems.push(`calendar '${calendar}' is not known; allowed: the id of a calendar, or normalHours.`);
  }
  if (!isTimeZone(timeZone)) {
    problems.push(`timeZone '${timeZone}' is not an IANA time zone; allowed: names such as Europe/Berlin.`);
  }
  if (problems.length > 0) throw badRequest(...problems);
}
