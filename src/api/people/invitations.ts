import { millisecondsInMinute } from 'date-fns/constants';
import { z } from 'zod';
import { AppError } from '../../model/error.ts';
import type { Instant } from '../../model/issue.ts';
import { createSeal } from '../create-seal.ts';
import type { Invitation } from '../people.ts';

/** How long an invitation holds. */
const LIFETIME_MS = 15 * millisecondsInMinute;

/** An invitation, and of which revision of the account's link it was made. */
export interface SealedInvitation {
  readonly invitation: Invitation;
  readonly revision: number;
}

/** Opaque texts that name an account for a few minutes. */
interface Invitations {
  seal(sealed: SealedInvitation): Promise<string>;
  /** What was sealed; `not-found` for a text that is false or old. */
  read(ticket: string): Promise<SealedInvitation>;
}

const claims = z.object({ sub: z.string(), name: z.string(), revision: z.int() });

/** Invitations, sealed under a key of their own. */
export function createInvitations(key: () => Promise<Uint8Array>, now: () => Instant): Invitations {
  const { seal, read } = createSeal({
    purpose: 'dwell invitation',
    lifetimeMs: LIFETIME_MS,
    key,
    now,
    invalid: invalidInvitation,
  });
  return {
    seal: ({ invitation: { account, name }, revision }) => seal(account, { name, revision }),
    async read(ticket) {
      const { sub: account, name, revision } = claims.parse(await read(ticket));
      return { invitation: { account, name }, revision };
    },
  };
}

/** An invitation that is false, old, or made before something else was said of the account. */
export function invalidInvitation(): AppError {
  return new AppError(
    'not-found',
    'The invitation is not valid, or not any more; invitations hold for 15 minutes and for one link. Please ask for a new one.',
  );
}
