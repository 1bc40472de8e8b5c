import { hkdfSync } from 'node:crypto';
import { EncryptJWT, errors, type JWTPayload, jwtDecrypt } from 'jose';
import type { Instant } from '../model/issue.ts';

/** What is sealed, for how long (ms), and what an honest person is told of a text that is false or old. */
interface SealParts {
  /** Nobody else's texts are taken for ours: the key is drawn for this purpose alone. */
  readonly purpose: string;
  readonly lifetimeMs: number;
  readonly key: () => Promise<Uint8Array>;
  readonly now: () => Instant;
  readonly invalid: () => Error;
}

/** Opaque texts that name something for a few minutes. */
interface Seal {
  seal(subject: string, claims?: JWTPayload): Promise<string>;
  /** What was sealed; the failure of `invalid` for a text that is false or old. */
  read(text: string): Promise<JWTPayload & { readonly sub: string }>;
}

/** Encrypted JWTs (RFC 7516, A256GCM) under a key of their own, drawn from the installation's. */
export function createSeal({ purpose, lifetimeMs, key, now, invalid }: SealParts): Seal {
  const ownKey = async () => new Uint8Array(hkdfSync('sha256', await key(), '', purpose, 32));
  return {
    async seal(subject, claims = {}) {
      return new EncryptJWT(claims)
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
        .setSubject(subject)
        .setAudience(purpose)
        .setExpirationTime(Math.floor((now() + lifetimeMs) / 1000))
        .encrypt(await ownKey());
    },
    async read(text) {
      try {
        const { payload } = await jwtDecrypt(text, await ownKey(), {
          keyManagementAlgorithms: ['dir'],
          contentEncryptionAlgorithms: ['A256GCM'],
          audience: purpose,
          requiredClaims: ['sub', 'exp'],
          currentDate: new Date(now()),
        });
        return { ...payload, sub: payload.sub ?? '' };
      } catch (error) {
        // The reason stays untold: it may quote the text, and nobody honest is helped by it.
        if (error instanceof errors.JOSEError || error instanceof TypeError) throw invalid();
        throw error;
      }
    },
  };
}
