import { AppError } from '../../../model/error.ts';
import type { Instant } from '../../../model/issue.ts';
import { createSeal } from '../../create-seal.ts';

/** How long a link may be used. */
const LIFETIME_MS = 15 * 60_000;

/** Opaque texts that name an export for a few minutes. */
export interface Tickets {
  seal(id: string): Promise<string>;
  /** The id in a ticket; `not-found` for one that is false or old. */
  read(ticket: string): Promise<string>;
}

/** Tickets, sealed under a key of their own. */
export function createTickets(key: () => Promise<Uint8Array>, now: () => Instant): Tickets {
  const purpose = 'dwell export ticket';
  const { seal, read } = createSeal({ purpose, lifetimeMs: LIFETIME_MS, key, now, invalid: invalidLink });
  return {
    seal: (id) => seal(id),
    read: async (ticket) => (await read(ticket)).sub,
  };
}

/** The link does not lead to a file. */
export function invalidLink(): AppError {
  return new AppError(
    'not-found',
    'The link is not valid, or not any more; links work for 15 minutes. Please ask for the status of the export, which has a new one.',
  );
}
