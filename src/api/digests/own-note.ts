import { z } from 'zod';
import type { Digest, DigestRun } from '../../model/digest.ts';
import type { Instant } from '../../model/issue.ts';

const count = z.coerce.number().default(0);

const own = z.object({
  /** How often it was tried in vain. */
  tries: count,
  /** How long (ms) Slack had it wait. */
  waited: count,
  /** For whom, and into which channel, its message was begun; empty where it is to its owner alone. */
  forOwner: z.string().optional(),
  forChannel: z.string().optional(),
  /** How often, since when and when last somebody was to be told that it was given up. */
  tellTries: count,
  tellSince: count,
  tellLast: count,
  /** Which account was told. */
  told: z.string().optional(),
});

/** What is remembered of a period beside what its postman remembers. */
export type OwnNote = z.output<typeof own>;

/** From what was kept; only we write those. */
export function readOwnNote(note: DigestRun['note']): OwnNote {
  return own.parse(note);
}

/** A note with changes of ours in it. */
export function withOwn(note: DigestRun['note'], changes: Partial<OwnNote>): DigestRun['note'] {
  const texts = Object.entries(changes).map(([name, value]) => [name, String(value)]);
  return { ...note, ...Object.fromEntries(texts) };
}

/** What the postman wants kept, with what we remember, and for whom and where the message is begun. */
export function withPostmans(
  kept: DigestRun['note'],
  postmans: DigestRun['note'],
  { owner, place }: Pick<Digest, 'owner' | 'place'>,
): DigestRun['note'] {
  const { tries, waited } = readOwnNote(kept);
  const forChannel = place.kind === 'channel' ? place.channel : '';
  return withOwn(postmans, { tries, waited, forOwner: owner, forChannel });
}

/** The digest as it was when the message of a period was begun: that one may stand there. */
export function asBegun(digest: Digest, note: DigestRun['note']): Digest {
  const { forOwner, forChannel } = readOwnNote(note);
  if (forOwner === undefined || forChannel === undefined) return digest;
  if (forChannel !== '') return { ...digest, place: { kind: 'channel', channel: forChannel } };
  return { ...digest, owner: forOwner, place: { kind: 'owner' } };
}

/** Whether it is time to tell somebody once more; `pauseMs` after the last time. */
export function isTimeToTell(note: DigestRun['note'], now: Instant, pauseMs: number): boolean {
  const { tellTries, tellLast } = readOwnNote(note);
  return tellTries === 0 || now < tellLast || now - tellLast >= pauseMs;
}
