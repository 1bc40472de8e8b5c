import { AppError } from '../../model/error.ts';
import type { Instant } from '../../model/issue.ts';
import { auditedDocuments } from '../audited-kinds.ts';
import {
  isSealed,
  missingKeyError,
  newSecretNonce,
  openSecret,
  type SecretKeys,
  sealingKeyOf,
  sealSecret,
} from '../sealed-secrets.ts';
import { openAreas } from './areas.ts';
import { auditOf, openAudit } from './audit.ts';
import { openDocuments } from './documents.ts';
import { type Engine, FixedQuery } from './engine.ts';
import type { Queries } from './tables.ts';

/** The kind of documents that are secrets. */
export const SECRETS = 'secret';

/** The number of secrets there are, how many were rewritten, and the id of the key that all are encrypted with. */
interface RotatedSecrets {
  readonly secrets: number;
  readonly rewritten: number;
  readonly key: string;
}

/** The rotation of the secrets of all tenants, which belongs to none of them. */
export interface SecretRotation {
  /**
   * Encrypts every secret of every tenant with the current key, each in a transaction of its own, while others read and
   * write. Where it is interrupted, it can be repeated: each secret is stored under its former key or the current one.
   */
  rotateSecrets(): Promise<RotatedSecrets>;
}

const secretsOfAll = new FixedQuery((db: Queries, of: { kind: string }) =>
  db
    .selectFrom('document')
    .select(['tenant', 'id', 'document'])
    .where('kind', '=', of.kind)
    // A few rows have the tenants, which the index begins with.
    .where('tenant', 'in', (is) => is.selectFrom('area').select('tenant').where('area', '=', of.kind))
    .orderBy('tenant')
    .orderBy('id'),
);

/**
 * Returns the error of the first secret of any tenant, of a name or of all, whose key is not set; what is damaged fails
 * when it is read.
 */
async function findMissingKey(
  engine: Engine,
  keys: SecretKeys | null,
  only: string | null,
): Promise<AppError | null> {
  for (const { tenant, id: name, document } of await secretsOfAll.all(engine.db, { kind: SECRETS })) {
    if (only !== null && name !== only) continue;
    const error = missingKeyError(JSON.parse(document), { tenant, name }, keys);
    if (error !== null) return error;
  }
  return null;
}

/** Fails where a secret of any tenant is encrypted with a key that is not set. */
export async function assertSecretKeysAreSet(engine: Engine, keys: SecretKeys | null): Promise<void> {
  const error = await findMissingKey(engine, keys, null);
  if (error !== null) throw error;
}

/** Returns what a process lacks once another one has encrypted a secret of a name with a key that is not set here; null for none. */
export async function missingKey(
  engine: Engine,
  keys: SecretKeys | null,
  name: string,
): Promise<string | null> {
  const error = await findMissingKey(engine, keys, name);
  return error === null ? null : `a restart with the right key. ${error.message}`;
}

/** The secrets of all tenants: their number, the number of those that are not encrypted, and the first problem. */
export interface ExaminedSecrets {
  readonly secrets: number;
  readonly plain: number;
  readonly problem: AppError | null;
}

/** Decrypts every secret of every tenant with the keys that are set, and changes none. */
export async function examineSecrets(engine: Engine, keys: SecretKeys | null): Promise<ExaminedSecrets> {
  const all = await secretsOfAll.all(engine.db, { kind: SECRETS });
  let plain = 0;
  let problem: AppError | null = null;
  for (const { tenant, id: name, document } of all) {
    const stored = JSON.parse(document);
    if (!isSealed(stored)) plain += 1;
    try {
      openSecret(stored, { tenant, name }, keys);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      problem ??= error;
    }
  }
  return { secrets: all.length, plain, problem };
}

/** Rotates the secrets of a store over an engine; see `SecretRotation`. */
export async function rotateSecrets(
  engine: Engine,
  keys: SecretKeys | null,
  now: () => Instant,
): Promise<RotatedSecrets> {
  if (keys === null) {
    throw new AppError(
      'not-configured',
      'SECRET_KEY is not set, so secrets are not encrypted. Make a key: npx dwell secrets new-key.',
    );
  }
  const all = await secretsOfAll.all(engine.db, { kind: SECRETS });
  let rewritten = 0;
  for (const { tenant, id: name } of all) {
    const place = { tenant, name };
    const areas = openAreas(engine, tenant);
    const { write } = openAudit(engine, { tenant, now });
    const audit = auditOf(write, auditedDocuments.secret);
    const documents = openDocuments<string>(engine, areas, { tenant, kind: SECRETS, audit });
    let isRewritten = false;
    await documents.change(name, (stored) => {
      isRewritten = stored !== null && sealingKeyOf(stored) !== keys.current;
      if (stored === null || !isRewritten) return stored;
      return sealSecret(openSecret(stored, place, keys), place, { keys, nonce: newSecretNonce() });
    });
    if (isRewritten) rewritten += 1;
  }
  return { secrets: all.length, rewritten, key: keys.current };
}
