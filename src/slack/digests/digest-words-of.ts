import type { Digest, DigestWish } from '../../model/digest.ts';
import type { CalendarDefinition } from '../../model/settings.ts';
import { dateMark, escapeMrkdwn } from '../messages/mrkdwn.ts';
import { calendarIdOf } from '../questions/read-calendar.ts';
import { scheduleWords } from './schedule-words.ts';

/** When, where and how a digest is told, escaped: `every Monday at 09:00 (Europe/Berlin) in <#C1>`. */
export function wishWordsOf(
  { schedule, place, workingDays, file }: Pick<DigestWish, 'schedule' | 'place' | 'workingDays' | 'file'>,
  calendars: readonly CalendarDefinition[],
): string {
  const calendar = calendars.find((one) => calendarIdOf(one) === workingDays)?.name ?? workingDays;
  return [
    `${escapeMrkdwn(scheduleWords(schedule.cron))} (${escapeMrkdwn(schedule.timeZone)})`,
    place.kind === 'channel' ? `in <#${escapeMrkdwn(place.channel)}>` : 'to its owner alone',
    ...(calendar === null ? [] : [`on working days of ${escapeMrkdwn(calendar)}`]),
    ...(file === null ? [] : [`with a file (${file.toUpperCase()})`]),
  ].join(' ');
}

/** When it comes next, and what became of it the last time, escaped. */
export function stateWords({ paused, nextDue, lastRun }: Digest): string {
  const next = paused ? 'paused' : nextDue === null ? 'never due again' : `next ${dateMark(nextDue)}`;
  if (lastRun === null) return `${next} · not told yet`;
  const became = {
    claimed: 'under way',
    sent: 'told',
    silent: 'nothing to say',
    skipped: 'left out',
    failed: 'failed',
  }[lastRun.state];
  const why = lastRun.message === null ? '' : `: ${escapeMrkdwn(lastRun.message.slice(0, 300))}`;
  return `${next} · last ${dateMark(lastRun.due)}: ${became}${why}`;
}
