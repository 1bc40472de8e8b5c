import type { ActionsBlock, Button, KnownBlock } from '@slack/types';
import type { Message } from '../../block-kit/message.ts';
import { escapeMrkdwn, section } from '../../block-kit/mrkdwn.ts';
import { shorten } from '../../block-kit/shorten.ts';
import type { Digest } from '../../model/digest.ts';
import type { Instant } from '../../model/issue.ts';
import type { CalendarDefinition } from '../../model/settings.ts';
import { kindOf } from '../../questions/index.ts';
import { button } from '../messages/button.ts';
import { digestWordsOf, stateWords } from './digest-words-of.ts';

/** Two blocks each; more in one message are hard to read. */
const IN_A_MESSAGE = 10;
const MOST_MESSAGES = 4;
/** More are counted only. */
export const MOST_LISTED = IN_A_MESSAGE * MOST_MESSAGES;
const TITLE_LENGTH = 100;

/**
 * A digest to be listed: `owner` is its owner's name, `own` whether the reader may change it, `isYours` whether they
 * are that owner, `known` whether they may
 * know what it asks, `next` when it comes next.
 */
export interface ListedDigest {
  readonly digest: Digest;
  readonly owner: string;
  readonly own: boolean;
  readonly isYours: boolean;
  readonly known: boolean;
  readonly next: Instant | null;
}

/** Digests with what can be done about each, in as many messages as they need. Expects the lead to be escaped. */
export function digestListMessages(
  lead: string,
  listed: readonly ListedDigest[],
  calendars: readonly CalendarDefinition[],
): readonly Message[] {
  const shown = listed.slice(0, MOST_LISTED);
  const rest = listed.length - shown.length;
  const parts = Array.from({ length: Math.ceil(shown.length / IN_A_MESSAGE) }, (_, i) =>
    shown.slice(i * IN_A_MESSAGE, (i + 1) * IN_A_MESSAGE),
  );
  const more = rest > 0 ? `… and ${rest} more.` : null;
  return parts.map((part, i) => {
    const lines = part.map((one) => digestText(one, calendars));
    const head = i === 0 ? [lead] : [];
    const foot = more !== null && i === parts.length - 1 ? [more] : [];
    return {
      text: [...head, ...lines, ...foot].join('\n'),
      blocks: [
        ...head.map(section),
        ...part.flatMap((one, at) => [section(lines[at] ?? ''), ...buttonsFor(one)]),
        ...foot.map(section),
      ],
    };
  });
}

function digestText(
  { digest, owner, own, isYours, known, next }: ListedDigest,
  calendars: readonly CalendarDefinition[],
): string {
  const name = escapeMrkdwn(shorten(owner, TITLE_LENGTH));
  const title = `*${escapeMrkdwn(shorten(digest.title, TITLE_LENGTH))}*`;
  const asked = own ? `: ${escapeMrkdwn(shorten(kindOf(digest.question).title(digest.question), 300))}` : '';
  return [
    known ? `${title}${asked}` : '*A digest* of what you may not see, or of which nobody can tell',
    digestWordsOf(digest, calendars, isYours),
    `${stateWords(digest, { next, withWhy: own })}${own ? '' : ` · of ${name}`}`,
  ].join('\n');
}

function buttonsFor({ digest: { id, paused, title }, own }: ListedDigest): KnownBlock[] {
  if (!own) return [];
  const row: ActionsBlock = {
    type: 'actions',
    elements: [
      button('Preview', 'digest-preview', id),
      paused ? button('Resume', 'digest-resume', id) : button('Pause', 'digest-pause', id),
      button('Edit', 'digest-edit', id),
      button('Hand over', 'digest-hand-over', id),
      deleting(id, title),
    ],
  };
  return [row];
}

function deleting(id: string, title: string): Button {
  const plain = (text: string) => ({ type: 'plain_text', text }) as const;
  return {
    ...button('Delete', 'digest-delete', id),
    confirm: {
      title: plain('Delete this digest?'),
      text: plain(`${shorten(title, TITLE_LENGTH)} will not be told any more.`),
      confirm: plain('Delete'),
      deny: plain('Keep it'),
      style: 'danger',
    },
  };
}
