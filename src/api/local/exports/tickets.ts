import { millisecondsInMinute } from 'date-fns/constants';
import { AppError } from '../../../model/error.ts';
import type { Instant } from '../../../model/issue.ts';
import { createSeal } from '../../create-seal.ts';

/** How long a link may be used. */
const LIFETIME_MS = 15 * millisecondsInMinute;

/** Opaque texts that name an export for a few minutes, and the token (its id) that they were asked for with, if any. */
export interface Tickets {
  seal(id: string, token: string | null): Promise<string>;
  /** What is in a ticket; `not-found` for one that is false or old. */
  read(ticket: string): Promise<{ readonly id: string; readonly token: string | null }>;
}

/** Tickets, sealed under a key of their own. */
export function createTickets(key: () => Promise<Uint8Array>, now: () => Instant): Tickets {
  const purpose = 'dwell export ticket';
  const { seal, read } = createSeal({ purpose, lifetimeMs: LIFETIME_MS, key, now, invalid: invalidLink });
  return {
    seal: (id, token) => seal(id, token === null ? {} : { token }),
    async read(ticket) {
      const { sub, token } = await read(ticket);
      return { id: sub, token: typeof token === 'string' ? token : null };
    },
  };
}

/** The link does not lead to a file. */
export function invalidLink(): AppError {
  return new AppError(
    'not-found',
    'The link is not valid, or not any more; links work for 15 minutes. Please ask for the status of the export, which has a new one.',
  );
}
