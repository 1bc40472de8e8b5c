import { hkdfSync } from 'node:crypto';
import { EncryptJWT, errors, jwtDecrypt } from 'jose';
import { z } from 'zod';
import { AppError } from '../../model/error.ts';
import type { Instant } from '../../model/issue.ts';
import type { Invitation } from '../people.ts';

/** How long an invitation holds. */
const LIFETIME_MS = 15 * 60_000;
const PURPOSE = 'dwell invitation';

/** An invitation, and of which revision of the account's link it was made. */
export interface SealedInvitation {
  readonly invitation: Invitation;
  readonly revision: number;
}

/** Opaque texts that name an account for a few minutes. */
export interface Invitations {
  seal(sealed: SealedInvitation): Promise<string>;
  /** What was sealed; `not-found` for a text that is false or old. */
  read(ticket: string): Promise<SealedInvitation>;
}

const claims = z.object({ sub: z.string(), name: z.string(), revision: z.int() });

/** Invitations as encrypted JWTs (RFC 7516, A256GCM) under a key of their own, drawn from the installation's. */
export function createInvitations(key: () => Promise<Uint8Array>, now: () => Instant): Invitations {
  const ownKey = async () => new Uint8Array(hkdfSync('sha256', await key(), '', PURPOSE, 32));
  return {
    async seal({ invitation: { account, name }, revision }) {
      return new EncryptJWT({ name, revision })
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
        .setSubject(account)
        .setAudience(PURPOSE)
        .setExpirationTime(Math.floor((now() + LIFETIME_MS) / 1000))
        .encrypt(await ownKey());
    },
    async read(ticket) {
      try {
        const { payload } = await jwtDecrypt(ticket, await ownKey(), {
          keyManagementAlgorithms: ['dir'],
          contentEncryptionAlgorithms: ['A256GCM'],
          audience: PURPOSE,
          requiredClaims: ['sub', 'exp', 'name', 'revision'],
          currentDate: new Date(now()),
        });
        const { sub: account, name, revision } = claims.parse(payload);
        return { invitation: { account, name }, revision };
      } catch (error) {
        // The reason stays untold: it may quote the ticket, and nobody honest is helped by it.
        if (error instanceof errors.JOSEError || error instanceof TypeError) throw invalidInvitation();
        throw error;
      }
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
