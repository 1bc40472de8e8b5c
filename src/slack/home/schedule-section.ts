import type { MessageBlock } from '../../block-kit/message.ts';
import { button, dateMark, escapeMrkdwn, section, shorten } from '../../block-kit/mrkdwn.ts';
import type { Digest } from '../../model/digest.ts';
import { countWords } from '../../questions/view/figure-words.ts';
import { scheduleWords } from '../../time/cron-words.ts';
import { zoneWords } from '../../time/zones.ts';

import { ruleWords } from '../watches/describe-watch.ts';
import { nameText, type Scheduled } from './home-content.ts';

const SHOWN = 5;
const REASON_LENGTH = 200;

/** The title of the part. */
export const scheduleTitle = 'Digests and watches';

/** Someone's digests, failed ones first, and their watches. `timeZone`: theirs; null while it is unknown. */
export function scheduleBlocks(
  { digests, watches }: Scheduled,
  timeZone: string | null,
): readonly MessageBlock[] {
  const failedFirst = digests.toSorted((a, b) => Number(hasFailed(b)) - Number(hasFailed(a)));
  if (digests.length + watches.length === 0)
    return [section(`*${scheduleTitle}*\nNone yet. Choose *Schedule* to have any report posted regularly.`)];
  return [
    ...listBlocks('Digests', '/tis digest', failedFirst, (one) => digestLine(one, timeZone)),
    ...listBlocks('Watches', '/tis watch', watches, (one) => {
      return `${escapeMrkdwn(ruleWords(one))}${one.paused ? ' · paused' : ''}`;
    }),
  ];
}

function listBlocks<One>(
  title: string,
  command: string,
  all: readonly One[],
  line: (one: One) => string,
): readonly MessageBlock[] {
  if (all.length === 0) return [];
  const more = all.length - SHOWN;
  const lines = [
    `*${title}*`,
    ...all.slice(0, SHOWN).map((one) => `• ${line(one)}`),
    ...(more > 0 ? [`… and ${countWords(more)} more`] : []),
  ];
  return [{ ...section(lines.join('\n')), accessory: button('Manage', 'run-line', command) }];
}

function hasFailed({ lastRun }: Digest): boolean {
  return lastRun?.state === 'failed';
}

/** `weekly WEB in #web, every Monday at 09:00 · next Nov 23 at 9:00 AM`. */
function digestLine(digest: Digest, timeZone: string | null): string {
  const { title, schedule, place, paused, nextDue, lastRun } = digest;
  const where = place.kind === 'channel' ? ` in <#${escapeMrkdwn(place.channel)}>` : '';
  const zone = schedule.timeZone === timeZone ? '' : ` (${escapeMrkdwn(zoneWords(schedule.timeZone))})`;
  const next = paused ? 'paused' : nextDue === null ? 'no next run' : `next ${dateMark(nextDue)}`;
  const why = escapeMrkdwn(shorten(lastRun?.message ?? 'no reason given', REASON_LENGTH));
  const line = `*${nameText(title)}*${where}, ${nameText(scheduleWords(schedule.cron))}${zone} · ${next}`;
  return hasFailed(digest) ? `:warning: ${line} · failed: ${why}` : line;
}
