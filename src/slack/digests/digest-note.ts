import { z } from 'zod';
import type { DigestRun } from '../../model/digest.ts';

const note = z.object({
  /** The answer that is posted, so that its buttons can come back to it. */
  answer: z.string().default(''),
  /** What was begun last and is not known to have ended: `message`, or a part of its thread. */
  trying: z.string().default(''),
  /** When that began (ms). */
  triedAt: z.string().default(''),
  /** Where the message stands; empty before. */
  channel: z.string().default(''),
  ts: z.string().default(''),
  /** How many messages of the thread are done, posted or given up. */
  details: z.string().default('0'),
  /** The message of the thread that tells how far the file is; empty before. */
  fileTs: z.string().default(''),
  /** `yes`: nothing is left to do for the file. */
  file: z.enum(['', 'yes']).default(''),
  /** Slack wants to be left alone until then (ms). */
  waitUntil: z.string().default(''),
  /** `yes`: nobody can tell whether the message stands there. */
  unsure: z.enum(['', 'yes']).default(''),
});

/** What this door remembers of a period while it is posted. */
export type DigestNote = Readonly<z.output<typeof note>>;

/** From what was kept; only we write those. */
export function readDigestNote(kept: DigestRun['note']): DigestNote {
  return note.parse(kept);
}
