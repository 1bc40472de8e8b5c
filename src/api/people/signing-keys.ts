import { createHash, hkdfSync, randomBytes } from 'node:crypto';
import { decodeProtectedHeader, EncryptJWT, errors, type JWTPayload, jwtDecrypt } from 'jose';
import { z } from 'zod';
import type { Instant } from '../../model/issue.ts';
import { getOrMake } from '../../store/documents.ts';
import type { TenantStore } from '../../store/store.ts';

/** The name of the secret that tokens are signed with: a process that cannot decrypt it refuses every token. */
export const SIGNING_KEY = 'token-signing-key';

/** A key that tokens are signed with, by the id that their header names (`kid`). */
interface SigningKey {
  readonly id: string;
  readonly bytes: Uint8Array;
}

/** The key of a text that was signed or encrypted earlier; `bytes` is null once it is no longer in use. */
interface FoundKey {
  readonly id: string;
  readonly bytes: Uint8Array | null;
}

/** The keys that tokens are signed with, and that links are encrypted with: one at a time, and former ones until their end. */
export interface SigningKeys {
  /** The key of new texts; the first process to need it makes it. */
  current(): Promise<SigningKey>;
  /** The key with an id, the first there was for undefined: texts of before there were several name none. Null for an id of no key. */
  find(id: string | undefined): Promise<FoundKey | null>;
  /** Returns when the key with an id, as `find` has it, ends or ended; null for the current one. */
  ends(): Promise<(id: string | undefined) => Instant | null>;
  /** Makes a key that is the current one from now on; all former ones end after `keepMs` at the latest. Returns its id and their end. */
  rotate(keepMs: number): Promise<{ readonly key: string; readonly until: Instant }>;
}

/** Keys as they are stored, the current one first: `until` is the end of a former one, and then `key` goes (base64). */
const storedKeys = z.array(
  z.object({ id: z.string(), key: z.string().nullable(), until: z.number().nullable() }),
);
type StoredKeys = z.infer<typeof storedKeys>;

/** Opens the keys of a tenant, one secret of it. Every process reads them with each use, so that all follow a rotation at once. */
export function openSigningKeys({
  secrets,
  now,
}: {
  readonly secrets: TenantStore['secrets'];
  readonly now: () => Instant;
}): SigningKeys {
  /** The keys of the text that was read last. */
  let read: { readonly text: string; readonly keys: StoredKeys } | null = null;

  async function stored(): Promise<StoredKeys> {
    const text = await getOrMake(secrets, SIGNING_KEY, newKeyText);
    if (read?.text !== text) read = { text, keys: keysOf(text) };
    return read.keys;
  }

  return {
    async current() {
      const [first] = await stored();
      return { id: first?.id ?? '', bytes: Buffer.from(first?.key ?? '', 'base64') };
    },
    async find(id) {
      const found = keyIn(await stored(), id);
      if (found === undefined) return null;
      const isUsed = found.key !== null && (found.until === null || found.until > now());
      return { id: found.id, bytes: isUsed ? Buffer.from(found.key ?? '', 'base64') : null };
    },
    async ends() {
      const keys = await stored();
      return (id) => keyIn(keys, id)?.until ?? null;
    },
    async rotate(keepMs) {
      const at = now();
      const until = at + keepMs;
      const text = newKeyText();
      // In one transaction: of two rotations at once the second one finds the key of the first.
      const change = (before: string | null) =>
        JSON.stringify([
          ...keysOf(text),
          ...(before === null ? [] : keysOf(before)).map((one) => {
            const end = Math.min(one.until ?? until, until);
            return { id: one.id, key: end > at ? one.key : null, until: end };
          }),
        ]);
      const facts = { newKey: idOf(text), formerKeysEndAt: until, revoked: keepMs === 0 };
      await secrets.change(SIGNING_KEY, change, facts);
      return { key: idOf(text), until };
    },
  };
}

function keyIn(keys: StoredKeys, id: string | undefined) {
  return id === undefined ? keys.at(-1) : keys.find((one) => one.id === id);
}

function newKeyText(): string {
  return randomBytes(32).toString('base64');
}

/** Reads what is stored: a list, or, as long as there was no rotation, the text of the only key. */
function keysOf(text: string): StoredKeys {
  return text.startsWith('[')
    ? storedKeys.parse(JSON.parse(text))
    : [{ id: idOf(text), key: text, until: null }];
}

/** The id of a key: the beginning of its SHA-256, as a key of secrets has it. */
function idOf(key: string): string {
  return createHash('sha256').update(Buffer.from(key, 'base64')).digest('hex').slice(0, 8);
}

/** The key that the header of a token names; null for a text that is no token, and for a key that is none of these. */
export async function keyNamedIn(text: string, keys: SigningKeys): ReturnType<SigningKeys['find']> {
  let id: string | undefined;
  try {
    id = decodeProtectedHeader(text).kid;
  } catch {
    return null;
  }
  return keys.find(id);
}

/** The parts of encrypted tokens: purpose, lifetime (ms), keys, and the error for a text that is false or old. */
interface EncryptedTokensParts {
  /** Keys are derived for this purpose alone, so that texts of other purposes are false. */
  readonly purpose: string;
  readonly lifetimeMs: number;
  readonly keys: SigningKeys;
  readonly now: () => Instant;
  readonly invalid: () => Error;
}

/** Opaque texts that name something for a few minutes. */
interface EncryptedTokens {
  encrypt(subject: string, claims?: JWTPayload): Promise<string>;
  /** The encrypted content; the failure of `invalid` for a text that is false or old. */
  read(text: string): Promise<JWTPayload & { readonly sub: string }>;
}

/** Encrypted JWTs (RFC 7516, A256GCM) under keys of their own, derived from the installation's. */
export function createEncryptedTokens({
  purpose,
  lifetimeMs,
  keys,
  now,
  invalid,
}: EncryptedTokensParts): EncryptedTokens {
  const ownKey = (key: Uint8Array) => new Uint8Array(hkdfSync('sha256', key, '', purpose, 32));
  return {
    async encrypt(subject, claims = {}) {
      const { id, bytes } = await keys.current();
      return new EncryptJWT(claims)
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM', kid: id })
        .setSubject(subject)
        .setAudience(purpose)
        .setExpirationTime(Math.floor((now() + lifetimeMs) / 1000))
        .encrypt(ownKey(bytes));
    },
    async read(text) {
      const key = await keyNamedIn(text, keys);
      if (key === null || key.bytes === null) throw invalid();
      try {
        const { payload } = await jwtDecrypt(text, ownKey(key.bytes), {
          keyManagementAlgorithms: ['dir'],
          contentEncryptionAlgorithms: ['A256GCM'],
          audience: purpose,
          requiredClaims: ['sub', 'exp'],
          currentDate: new Date(now()),
        });
        return { ...payload, sub: payload.sub ?? '' };
      } catch (error) {
        // The cause is left out: it may quote the text, and helps no one honest.
        if (error instanceof errors.JOSEError || error instanceof TypeError) throw invalid();
        throw error;
      }
    },
  };
}
