import { z } from 'zod';
import type { Delegation } from '../../model/delegation.ts';

/** What the button to the rest of a list carries: whose delegations they are, and behind which one they begin. */
const laterThan = z.object({ person: z.string(), start: z.number(), id: z.number() });
/** The same as a value. */
export type LaterThan = z.infer<typeof laterThan>;

/** As a button's value. */
export function writeLaterThan({ person, start, id }: LaterThan): string {
  return JSON.stringify({ person, start, id });
}

/** From a button's value; only we write those. */
export function readLaterThan(value: string): LaterThan {
  return laterThan.parse(JSON.parse(value));
}

/** Whether a delegation stands behind that place in the order of start and id, whatever has ended meanwhile. */
export function isLater(delegation: Delegation, { start, id }: LaterThan): boolean {
  return delegation.start > start || (delegation.start === start && delegation.id > id);
}
