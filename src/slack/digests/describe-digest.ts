import { z } from 'zod';
import type { DigestsApi } from '../../api/digests/digests-api.ts';
import { escapeMrkdwn } from '../../block-kit/mrkdwn.ts';
import type { Digest, DigestInput } from '../../model/digest.ts';
import type { Instant } from '../../model/issue.ts';
import type { CalendarDefinition } from '../../model/settings.ts';
import { calendarIdOf } from '../../questions/parse/read-calendar.ts';
import { scheduleWords } from '../../time/cron-words.ts';
import { timesIn } from '../app/message-texts.ts';

/**
 * When, where and how a digest is told, escaped: `every Monday at 09:00 (Europe/Berlin) in <#C1>`. `isYours` where its
 * owner reads it.
 */
export function digestWordsOf(
  { schedule, place, workingDays, file }: Pick<DigestInput, 'schedule' | 'place' | 'workingDays' | 'file'>,
  calendars: readonly CalendarDefinition[],
  isYours: boolean,
): string {
  const calendar = calendars.find((one) => calendarIdOf(one) === workingDays)?.name ?? workingDays;
  return [
    `${escapeMrkdwn(scheduleWords(schedule.cron))} (${escapeMrkdwn(schedule.timeZone)})`,
    place.kind === 'channel'
      ? `in <#${escapeMrkdwn(place.channel)}>`
      : `to ${isYours ? 'you' : 'its owner'} alone`,
    ...(calendar === null ? [] : [`on working days of ${escapeMrkdwn(calendar)}`]),
    ...(file === null ? [] : [`with a file (${file.toUpperCase()})`]),
  ].join(' ');
}

/** When it comes next: on a working day, where it is due on a day off. */
export async function nextPostText(
  { schedule, workingDays, nextDue }: Digest,
  digests: Pick<DigestsApi, 'nextPosts'>,
): Promise<Instant | null> {
  if (nextDue === null) return null;
  const [next] = await digests.nextPosts({ schedule, workingDays }, nextDue - 1, 1);
  return next ?? null;
}

/** Instants at which a digest is told, on its own clocks: `Mon 23 Nov 09:00, Mon 30 Nov 09:00 (Europe/Berlin)`. */
export function postTimes(times: readonly Instant[], timeZone: string, near: Instant): string {
  return `${times.map(timesIn(timeZone, near)).join(', ')} (${escapeMrkdwn(timeZone)})`;
}

/**
 * When it comes next, and what became of it the last time, escaped. Why it failed is for who may know what it asks.
 */
export function stateWords(
  { paused, nextDue, lastRun, createdAt, schedule: { timeZone } }: Digest,
  { next = nextDue, withWhy = true }: { readonly next?: Instant | null; readonly withWhy?: boolean } = {},
): string {
  const told = (at: Instant) => postTimes([at], timeZone, lastRun?.due ?? createdAt);
  const comes = paused ? 'paused' : next === null ? 'never due again' : `next ${told(next)}`;
  if (lastRun === null) return `${comes} · not told yet`;
  const became = {
    claimed: 'under way',
    sent: 'told',
    silent: 'nothing to say',
    skipped: 'left out',
    failed: 'failed',
  }[lastRun.state];
  const why = lastRun.message === null || !withWhy ? '' : `: ${escapeMrkdwn(lastRun.message.slice(0, 300))}`;
  return `${comes} · last ${told(lastRun.due)}: ${became}${why}`;
}

/** As a button's value, and as the mark of its messages. */
export function writePeriod({ id, due }: PeriodName): string {
  return `${id} ${due}`;
}

/** From a button's value; only we write those. */
export function readPeriod(value: string): PeriodName {
  const [id, due] = periodName.parse(value.split(' '));
  return { id, due };
}

/** A period of a digest, as a button carries it. */
interface PeriodName {
  readonly id: string;
  readonly due: Instant;
}

const periodName = z.tuple([z.string(), z.coerce.number()]);
