import { z } from 'zod';
import type { Delivery } from '../../model/export.ts';

const note = z.object({
  channel: z.string().min(1),
  /** The message that tells how far it is, and later what came of it. */
  messageTs: z.string().min(1),
  /** Empty outside of threads. */
  threadTs: z.string(),
  user: z.string(),
  userName: z.string(),
  /** The upload that was begun; empty before. */
  fileId: z.string().default(''),
  /** `once`: the file is there, but was seen nowhere when somebody looked. */
  missed: z.enum(['', 'once']).default(''),
  /** `yes`: the message was gone, and the end was told in a new one. */
  retold: z.enum(['', 'yes']).default(''),
  /** `yes`: why the file is not for the channel was told to who asked for it. */
  explained: z.enum(['', 'yes']).default(''),
});

/** What this door remembers of an export while it is made. */
export type DeliveryNote = Readonly<z.output<typeof note>>;

/** The note of a delivery; null where it is none of this door's. */
export function readNote(delivery: Delivery | null): DeliveryNote | null {
  const parsed = note.safeParse(delivery?.door === 'slack' ? delivery.note : null);
  return parsed.success ? parsed.data : null;
}
