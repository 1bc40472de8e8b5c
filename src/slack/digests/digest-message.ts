import type { DueDigest } from '../../api/digests/digests-api.ts';
import type { Message } from '../../block-kit/message.ts';
import { context, dateMark, escapeMrkdwn, utcText } from '../../block-kit/mrkdwn.ts';
import { shorten } from '../../block-kit/shorten.ts';
import { someOf } from '../../block-kit/some-of.ts';
import type { Instant } from '../../model/issue.ts';

const TITLE_LENGTH = 100;
const MISSED_SHOWN = 3;

/** What stands above the answer of a digest: its title, which period it is of, and what went wrong before. */
type DigestHead = Pick<DueDigest, 'lateMs' | 'missed'> & {
  readonly title: string;
  readonly due: Instant;
};

/** The answer as a message of the digest. */
export function digestMessage(head: DigestHead, answer: Message): Message {
  return {
    text: `${headText(head, utcText)}. ${answer.text}`,
    blocks: [context(headText(head, dateMark)), ...answer.blocks],
  };
}

function headText({ title, due, lateMs, missed }: DigestHead, date: (at: Instant) => string): string {
  const name = escapeMrkdwn(shorten(title, TITLE_LENGTH));
  const period =
    lateMs === null ? `as of ${date(due)}` : `late: it was due ${date(due)}, and speaks of that time`;
  const gap = missed.length === 0 ? [] : [`not posted before it: ${someOf(missed.map(date), MISSED_SHOWN)}`];
  return [`Digest ${date === dateMark ? `*${name}*` : name}`, period, ...gap].join(' · ');
}
