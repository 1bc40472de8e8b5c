import type { Message, MessageBlock } from '../../block-kit/message.ts';
import { dateMark, section } from '../../block-kit/mrkdwn.ts';
import type { Delegation } from '../../model/delegation.ts';
import type { Instant } from '../../model/issue.ts';
import { someLines } from '../app/message-texts.ts';
import { runButton } from '../app/show-failure.ts';
import { coverClause, periodText, workText } from '../delegates/cover-words.ts';
import type { Cover } from './home-content.ts';

/** The title of the part. */
export const coverTitle = 'Out-of-office cover';

/** Who covers for someone and the people they cover for, today and in the next two weeks. */
export function coverBlocks(cover: Cover | Message | null, at: Instant): readonly MessageBlock[] {
  if (cover === null) return [];
  if ('text' in cover) return [section(`*${coverTitle}*`), ...cover.blocks.slice(0, 3)];
  const { self: reader, delegations, hasGaps, ...names } = cover;
  const words = { ...names, reader, now: at, time: dateMark };
  const line = (one: Delegation) =>
    `${coverClause(one, words)}${workText(one.categoryIds, words)} ${periodText(one, at, words)}.`;
  const lines = [
    ...someLines(
      delegations.filter(({ delegates }) => delegates.includes(reader)),
      line,
    ),
    ...someLines(
      delegations.filter(({ delegator }) => delegator === reader),
      line,
    ),
    ...(hasGaps ? [':warning: Part of this time has no cover: *This week* shows when.'] : []),
  ];
  const shown = lines.length > 0 ? lines : ['No one covers for you, and you cover for no one.'];
  return [
    {
      ...section([`*${coverTitle}*`, ...shown].join('\n')),
      accessory: runButton('/delegates week', 'This week'),
    },
  ];
}
