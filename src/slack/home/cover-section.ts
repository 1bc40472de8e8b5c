import type { Message, MessageBlock } from '../../block-kit/message.ts';
import { dateMark, section } from '../../block-kit/mrkdwn.ts';
import { someOf } from '../../block-kit/some-of.ts';
import type { Delegation } from '../../model/delegation.ts';
import type { Instant } from '../../model/issue.ts';
import { dayWords } from '../../questions/view/day-range.ts';
import { dayAt, wallOf } from '../../time/wall-clock.ts';
import { button, someLines } from '../app/message-texts.ts';
import type { Cover } from './home-content.ts';

/** The title of the part. */
export const coverTitle = 'Out-of-office cover';

/** Who covers for someone and for whom they cover, today and in the next two weeks. */
export function coverBlocks(cover: Cover | Message | null, at: Instant): readonly MessageBlock[] {
  if (cover === null) return [];
  if ('text' in cover) return [section(`*${coverTitle}*`), ...cover.blocks.slice(0, 3)];
  const { self, delegations, hasGaps, person } = cover;
  const [own, others] = [
    delegations.filter(({ delegator }) => delegator === self),
    delegations.filter(({ delegates }) => delegates.includes(self)),
  ];
  const lines = [
    ...someLines(others, (one) => `You cover for ${person(one.delegator)}${whatAndWhen(one, at, cover)}.`),
    ...someLines(own, (one) => {
      const who = someOf(one.delegates.map(person));
      return `${who} ${one.delegates.length === 1 ? 'covers' : 'cover'} for you${whatAndWhen(one, at, cover)}.`;
    }),
    ...(hasGaps ? [':warning: Part of this time no one covers: *This week* shows when.'] : []),
  ];
  const shown = lines.length > 0 ? lines : ['No one covers for you, and you cover for no one.'];
  return [
    {
      ...section([`*${coverTitle}*`, ...shown].join('\n')),
      accessory: button('This week', 'run-line', '/delegates week'),
    },
  ];
}

/** ` (Expense) until Dec 31`: whole days by their names, the last one included. */
function whatAndWhen({ start, end, categoryIds }: Delegation, at: Instant, cover: Cover): string {
  const what = categoryIds.length === 0 ? '' : ` (${someOf(categoryIds.map(cover.category))})`;
  const until = dayMark(end, end - 1, at, cover);
  return start > at ? `${what} ${dayMark(start, start, at, cover)} – ${until}` : `${what} until ${until}`;
}

/** The day where an instant is midnight for this person, with its time elsewhere; Slack shows it in the reader's words. */
function dayMark(at: Instant, day: Instant, near: Instant, { timeZone }: Cover): string {
  if (wallOf(at, timeZone) !== dayAt(at, timeZone)) return dateMark(at);
  return `<!date^${Math.floor(day / 1000)}^{date_short_pretty}|${dayWords(day, { timeZone, near })}>`;
}
