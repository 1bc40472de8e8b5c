import { closeSync, fsyncSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { AppError, systemCode } from '../../model/error.ts';
import { openSecret, type SecretKeys } from '../sealed-secrets.ts';
import { SECRETS } from '../sql/secrets.ts';
import { versionOf } from './open-database.ts';

/** The version of a schema, and the number of rows of each table. */
interface Contents {
  readonly version: number;
  readonly rows: ReadonlyMap<string, number>;
}

/** Reads the contents that a copy has in common with its original: all but the documents that belong to one of them alone. */
export function contentsOf(database: DatabaseSync): Contents {
  const tables = database.prepare(
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite!_%' ESCAPE '!' ORDER BY name",
  );
  const countRows = (table: string) => {
    const where = table === 'document' ? "WHERE kind NOT IN ('copy', 'stamp')" : '';
    return Number(database.prepare(`SELECT count(*) AS count FROM "${table}" ${where}`).get()?.count);
  };
  return {
    version: versionOf(database),
    rows: new Map(tables.all().map(({ name }) => [String(name), countRows(String(name))])),
  };
}

/** The tests of a copy: the name by which it is called, the contents of its original, and the keys that decrypt its secrets. */
interface CopyTests {
  readonly name: string;
  readonly original: Contents;
  readonly secretKeys: SecretKeys | null;
}

/**
 * Reads a copy from the disk and fails with a sentence where it is damaged, lacks rows of its original, or has a secret that
 * the present keys do not decrypt.
 */
export function checkCopy(file: string, { name, original, secretKeys }: CopyTests): void {
  using copy = new DatabaseSync(file, { readOnly: true });
  assertUndamaged(copy, name);
  const { version, rows } = contentsOf(copy);
  const other = original.rows.keys().find((table) => rows.get(table) !== original.rows.get(table));
  if (version !== original.version || rows.size !== original.rows.size)
    throw notVerified(name, 'its tables are not those of the original');
  if (other !== undefined) {
    const counts = `${rows.get(other)} rows instead of ${original.rows.get(other)}`;
    throw notVerified(name, `its table '${other}' has ${counts}`);
  }
  assertSecretsOpen(copy, secretKeys);
}

/** Fails where SQLite finds the pages, the rows or an index of a file damaged, or it is no database. */
export function assertUndamaged(database: DatabaseSync, name: string): void {
  let found: string;
  try {
    found = String(database.prepare('PRAGMA integrity_check(1)').get()?.integrity_check);
  } catch (cause) {
    throw notVerified(name, cause instanceof Error ? cause.message : String(cause));
  }
  if (found !== 'ok') throw notVerified(name, found.replaceAll(/\s+/g, ' '));
}

/** Fails with the name of the first secret that is damaged, or whose key is not among these. */
export function assertSecretsOpen(database: DatabaseSync, keys: SecretKeys | null): void {
  const secrets = database.prepare('SELECT tenant, id, document FROM document WHERE kind = ?');
  for (const { tenant, id, document } of secrets.all(SECRETS))
    openSecret(JSON.parse(String(document)), { tenant: String(tenant), name: String(id) }, keys);
}

function notVerified(name: string, problem: string): AppError {
  return new AppError('store-unavailable', `'${name}' is not a usable copy of a database: ${problem}.`);
}

/** Folders of some file systems cannot be put on the disk: there a name is on it once the system has it there. */
const UNSUPPORTED = new Set(['EINVAL', 'EPERM', 'EISDIR', 'ENOTSUP']);

/** Waits until the content of a file, or the names in a folder, are on the disk. */
export function putOnDisk(path: string): void {
  try {
    const handle = openSync(path, 'r');
    try {
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
  } catch (error) {
    if (!UNSUPPORTED.has(systemCode(error) ?? '')) throw error;
  }
}
