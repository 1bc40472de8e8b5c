import type { DigestWish, Schedule } from '../../model/digest.ts';
import { digestFiles } from '../../model/digest.ts';
import { badRequest } from '../../model/error.ts';
import type { Instant } from '../../model/issue.ts';
import { whyNoSchedule } from '../../time/cron.ts';
import type { SettingsApi } from '../settings.ts';
import { calendarNamed } from './calendar-named.ts';
import { whyTooOften } from './why-too-often.ts';

const LONGEST_TITLE = 100;

/** Fails with a `bad-request` that names everything that is wrong with a wish. */
export async function checkDigestWish(
  { title, schedule, workingDays, file, place }: DigestWish,
  { settings, now }: { readonly settings: Pick<SettingsApi, 'calendars'>; readonly now: () => Instant },
): Promise<void> {
  const problems: string[] = [];
  if (title.trim() === '' || title.length > LONGEST_TITLE) {
    problems.push(`title '${title}' is not allowed; allowed: 1 to ${LONGEST_TITLE} characters.`);
  }
  problems.push(...whyBadSchedule(schedule, now()));
  if (workingDays !== null && (await calendarNamed(workingDays, settings)) === null) {
    problems.push(`calendar '${workingDays}' is not known; allowed: the id of a calendar, or normalHours.`);
  }
  if (file !== null && !digestFiles.includes(file)) {
    problems.push(`file '${file}' is not known; allowed: ${digestFiles.join(', ')}.`);
  }
  if (place.kind === 'channel' && place.channel === '') {
    problems.push("channel '' is not known; allowed: the id of a channel.");
  }
  if (problems.length > 0) throw badRequest(...problems);
}

/** Why a digest cannot be told at such times, in sentences; none: it can. */
export function whyBadSchedule(schedule: Schedule, after: Instant): readonly string[] {
  const why = whyNoSchedule(schedule) ?? whyTooOften(schedule, after);
  return why === null ? [] : [why];
}
