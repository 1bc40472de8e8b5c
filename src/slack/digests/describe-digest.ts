import type { DigestsApi } from '../../api/digests/digests-api.ts';
import type { Digest, DigestInput } from '../../model/digest.ts';
import type { Instant } from '../../model/issue.ts';
import type { CalendarDefinition } from '../../model/settings.ts';
import { shorten } from '../../output/readable-text.ts';
import { scheduleWords } from '../../time/read-schedule.ts';
import { calendarName } from '../../time/working-days.ts';
import { zoneWords } from '../../time/zones.ts';
import { moreMenu } from '../app/row-menu.ts';
import { calendarIdOf } from '../ask/grammar/read-calendar.ts';
import type { Message } from '../blocks/message.ts';
import { actions, button, context, dateMark, escapeMrkdwn, section } from '../blocks/mrkdwn.ts';

const TITLE_LENGTH = 100;
const REASON_LENGTH = 300;

/** The title of a digest in bold, shortened and escaped. */
export function titleWords({ title }: Pick<DigestInput, 'title'>): string {
  return `*${escapeMrkdwn(shorten(title, TITLE_LENGTH))}*`;
}

/**
 * When and where a digest is posted, escaped, with the word before the place: `in <#C1> every Monday at 9:00 AM (Berlin
 * time)`.
 */
export function digestWords(
  { schedule, place, workingDays, file, owner }: DigestInput & Pick<Digest, 'owner'>,
  calendars: readonly CalendarDefinition[],
): string {
  const found = calendars.find((one) => calendarIdOf(one) === workingDays);
  const calendar = found === undefined ? workingDays : calendarName(found);
  const where =
    place.kind === 'channel' ? `in <#${escapeMrkdwn(place.channel)}>` : `to <@${escapeMrkdwn(owner)}>`;
  return [
    `${where} ${escapeMrkdwn(scheduleWords(schedule.cron))} (${escapeMrkdwn(zoneWords(schedule.timeZone))})`,
    ...(calendar === null ? [] : [`on working days of ${escapeMrkdwn(calendar)}`]),
    ...(file === null ? [] : [`with a file (${file.toUpperCase()})`]),
  ].join(', ');
}

/** When it is posted next: on a working day, where it is due on a day off. */
export async function nextPost(
  { schedule, workingDays, nextDue }: Digest,
  digests: Pick<DigestsApi, 'nextPosts'>,
): Promise<Instant | null> {
  if (nextDue === null) return null;
  const [next] = await digests.nextPosts({ schedule, workingDays }, nextDue - 1, 1);
  return next ?? null;
}

const ends = {
  claimed: 'being posted',
  sent: 'posted',
  silent: 'nothing to post',
  skipped: 'skipped',
  failed: 'failed',
} as const;

/** When it is posted next and how the last run ended, escaped; the reason is for people who can see its report. */
export function stateWords({ paused, lastRun }: Digest, next: Instant | null, withWhy: boolean): string {
  const coming = paused ? 'Paused' : next === null ? 'No next run' : `Next: ${dateMark(next)}`;
  if (lastRun === null) return `${coming} · not posted yet`;
  const { due, state, message } = lastRun;
  const why = message === null || !withWhy ? '' : `: ${escapeMrkdwn(message.slice(0, REASON_LENGTH))}`;
  return `${coming} · last: ${dateMark(due)}, ${ends[state]}${why}`;
}

/** A message on what was done with a digest, how it is now, and what can be done with it. The sentences are mrkdwn. */
export async function digestCard(
  digest: Digest,
  lead: string,
  remarks: readonly string[],
  { digests }: { readonly digests: Pick<DigestsApi, 'nextPosts'> },
): Promise<Message> {
  const state = stateWords(digest, await nextPost(digest, digests), true);
  const value = `${digest.id} ${CARD}`;
  return {
    text: [lead, state, ...remarks].join('\n'),
    blocks: [
      section(lead),
      context(state),
      ...remarks.map(context),
      actions(
        button('Preview', 'digest-preview', value),
        button('Edit', 'digest-edit', value),
        digest.paused ? button('Resume', 'digest-resume', value) : button('Pause', 'digest-pause', value),
        moreMenu([
          ['Change owner', 'digest-change-owner', value],
          ['Delete', 'digest-delete', `${value} ask`],
        ]),
      ),
    ],
  };
}

/**
 * The words after the id in a button's value: the button is in the message of one digest, or in a list, and then
 * the start of that list comes after the word.
 */
export const CARD = 'card';
export const LIST = 'list';

/** A period of a digest, as a button's value and as the mark of its messages. */
export function writePeriod(id: Digest['id'], due: Instant): string {
  return `${id} ${due}`;
}
