import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createSecretKey,
  type KeyObject,
  randomBytes,
} from 'node:crypto';
import type { AuditFacts } from '../model/audit.ts';
import { AppError } from '../model/error.ts';
import type { SingleDocuments } from './documents.ts';

/** Keys of AES-256 by their ids: the one named `current` encrypts, and each of them decrypts. */
export interface SecretKeys {
  readonly current: string;
  readonly byId: ReadonlyMap<string, KeyObject>;
}

/** The tenant and the name of a secret, which its encrypted text is bound to. */
interface SecretPlace {
  readonly tenant: string;
  readonly name: string;
}

/** The length (bytes) that NIST SP 800-38D recommends for nonces of GCM, and that of its whole tag. */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

const CIPHER = 'aes-256-gcm';

/**
 * An encrypted secret is `sealed:1:KEY:BYTES:sealed` with the id of its key, and nonce, ciphertext and tag in base64url.
 * A text that is damaged at one end is recognized by the other one, and not taken for a plain text.
 */
const BEGIN = 'sealed:';
const END = ':sealed';
const sealedText = /^sealed:1:([0-9a-f]{8}):([\w-]+):sealed$/;

/** Reads keys of 64 hexadecimal digits. The id of a key is the beginning of its SHA-256. */
export function readSecretKeys(current: string, old: readonly string[]): SecretKeys {
  const keys = [...old, current].map((digits) => Buffer.from(digits, 'hex'));
  const byId = new Map(keys.map((bytes) => [idOf(bytes), createSecretKey(bytes)]));
  return { current: idOf(Buffer.from(current, 'hex')), byId };
}

function idOf(key: Uint8Array): string {
  return createHash('sha256').update(key).digest('hex').slice(0, 8);
}

/** Encrypts a secret with the current key; one place never has the same nonce twice. */
export function sealSecret(
  plain: string,
  place: SecretPlace,
  { keys, nonce }: { readonly keys: SecretKeys; readonly nonce: Uint8Array },
): string {
  const cipher = createCipheriv(CIPHER, keyOf(keys, keys.current, place), nonce);
  cipher.setAAD(boundTo(place));
  const bytes = Buffer.concat([nonce, cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  return `${BEGIN}1:${keys.current}:${bytes.toString('base64url')}${END}`;
}

/**
 * Decrypts a stored secret; a text that was stored before there was a key is returned as it is. Fails with the name of a
 * secret that was encrypted with a key that is not set, that was copied from another place, or is damaged.
 */
export function openSecret(stored: string, place: SecretPlace, keys: SecretKeys | null): string {
  if (!isSealed(stored)) return stored;
  const [, id, text = ''] = sealedText.exec(stored) ?? [];
  if (id === undefined) throw damaged(place);
  const key = keyOf(keys, id, place);
  const bytes = Buffer.from(text, 'base64url');
  // Several texts stand for the same bytes; only one of them was written.
  if (bytes.length < NONCE_BYTES + TAG_BYTES || bytes.toString('base64url') !== text) throw damaged(place);
  const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAAD(boundTo(place));
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  try {
    const begin = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES));
    return Buffer.concat([begin, decipher.final()]).toString('utf8');
  } catch {
    throw damaged(place);
  }
}

/** Returns the error of a stored secret that is encrypted with a key that is not set; null for any other. Decrypts nothing. */
export function missingKeyError(
  stored: string,
  place: SecretPlace,
  keys: SecretKeys | null,
): AppError | null {
  const [, id] = sealedText.exec(stored) ?? [];
  return id === undefined || keys?.byId.has(id) ? null : noKey(keys, id, place);
}

/** The id of the key that a stored secret is encrypted with; null for a plain text. */
export function sealingKeyOf(stored: string): string | null {
  return sealedText.exec(stored)?.[1] ?? null;
}

/** Encrypts what is written to documents of secrets, and decrypts what is read. Without keys, secrets are written as they are. */
export function sealedDocuments(
  documents: SingleDocuments<string>,
  { tenant, keys }: { readonly tenant: string; readonly keys: SecretKeys | null },
): SingleDocuments<string> {
  return {
    async get(name) {
      const stored = await documents.get(name);
      return stored === null ? null : openSecret(stored, { tenant, name }, keys);
    },
    async change<Result extends string | null>(
      name: string,
      change: (plain: string | null) => Result,
      facts?: AuditFacts,
    ) {
      const place = { tenant, name };
      let result!: Result;
      await documents.change(
        name,
        (stored) => {
          const plain = stored === null ? null : openSecret(stored, place, keys);
          result = change(plain);
          // The same secret is not written again, unless it is to be encrypted from now on.
          const isWritten = keys === null || (stored !== null && isSealed(stored));
          if (result === plain && isWritten) return stored;
          if (result === null || keys === null) return result;
          return sealSecret(result, place, { keys, nonce: newSecretNonce() });
        },
        facts,
      );
      return result;
    },
  };
}

/** Makes a random nonce: up to 2^32 secrets can be encrypted with one key. */
export function newSecretNonce(): Uint8Array {
  return randomBytes(NONCE_BYTES);
}

/** Returns true where a stored secret is encrypted, with whatever key. */
export function isSealed(stored: string): boolean {
  return stored.startsWith(BEGIN) || stored.endsWith(END);
}

/** Names of secrets have no `|`, so that the last one separates tenant and name. */
function boundTo({ tenant, name }: SecretPlace): Uint8Array {
  return Buffer.from(`${tenant}|${name}`);
}

function keyOf(keys: SecretKeys | null, id: string, place: SecretPlace): KeyObject {
  const key = keys?.byId.get(id);
  if (key === undefined) throw noKey(keys, id, place);
  return key;
}

function noKey(keys: SecretKeys | null, id: string, { tenant, name }: SecretPlace): AppError {
  const why =
    keys === null
      ? 'but SECRET_KEY is not set. Set SECRET_KEY to that key.'
      : 'which is neither SECRET_KEY nor one of SECRET_KEY_OLD. Check SECRET_KEY, or set SECRET_KEY_OLD to that key.';
  return new AppError(
    'store-unavailable',
    `The stored secret '${name}' is encrypted with the key ${id}, ${why}`,
    [],
    { data: { kind: 'secret', value: name, tenant } },
  );
}

function damaged({ tenant, name }: SecretPlace): AppError {
  return new AppError(
    'store-unavailable',
    `The stored secret '${name}' cannot be decrypted: it is damaged, or was copied from another secret. Restore the database from a backup.`,
    [],
    { data: { kind: 'secret', value: name, tenant } },
  );
}
