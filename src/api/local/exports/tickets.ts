import { hkdfSync } from 'node:crypto';
import { EncryptJWT, errors, jwtDecrypt } from 'jose';
import { AppError } from '../../../model/error.ts';
import type { Instant } from '../../../model/issue.ts';

/** How long a link may be used. */
const LIFETIME_MS = 15 * 60_000;
const PURPOSE = 'dwell export ticket';

/** Opaque texts that name an export for a few minutes. */
export interface Tickets {
  seal(id: string): Promise<string>;
  /** The id in a ticket; `not-found` for one that is false or old. */
  read(ticket: string): Promise<string>;
}

/** Tickets as encrypted JWTs (RFC 7516, A256GCM) under a key of their own, drawn from the installation's. */
export function createTickets(key: () => Promise<Uint8Array>, now: () => Instant): Tickets {
  const ownKey = async () => new Uint8Array(hkdfSync('sha256', await key(), '', PURPOSE, 32));
  return {
    async seal(id) {
      return new EncryptJWT()
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
        .setSubject(id)
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
          requiredClaims: ['sub', 'exp'],
          currentDate: new Date(now()),
        });
        return payload.sub ?? '';
      } catch (error) {
        // The reason stays untold: it may quote the ticket, and nobody honest is helped by it.
        if (error instanceof errors.JOSEError || error instanceof TypeError) throw invalidLink();
        throw error;
      }
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
