import { type CompiledQuery, Kysely, type QueryResult, sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import type { Client } from 'pg';
import { AppError } from '../../model/error.ts';
import { assertNotMoved, MARK_TABLE, storeInDatabase } from '../move/move-mark.ts';
import { migrationsIn } from '../sql/migrations.ts';
import { CHANGING_TABLES, type OnUpgrade } from '../store.ts';
import { newClient, postgresDialect, TransactionConnection } from './postgres-dialect.ts';
import { isHidden, openingProblem } from './postgres-errors.ts';

/** The oldest version that is tried, as PostgreSQL numbers its versions. */
const MIN_VERSION = 140_000;

/** The advisory lock of a Dwell that changes the schema. */
const LOCK = 0x6477656c;

/** The steps of the schema. Texts are in the order of their bytes, as SQLite has them, in whatever language the database is. */
export const migrations = migrationsIn({
  text: sql`text collate "C"`,
  bytes: 'bytea',
  numbering: (column) => column.generatedByDefaultAsIdentity(),
  numberKey: ['tenant', 'id'],
  shortRows: null,
});

/**
 * Brings the schema of a database to its last step, each step in a transaction of its own: of processes that start at once
 * one takes it while the others wait, and a step that a death interrupts is not taken. `onUpgrade` is called before each step
 * of a store of an earlier version, and before waiting for another process. A schema may be a step of the next version
 * ahead: steps only add. Fails with an `AppError` where the database cannot be opened, or was written by a later Dwell than
 * that.
 */
export async function migrate(url: string, onUpgrade: OnUpgrade = () => {}): Promise<void> {
  const client = clientOf(url);
  client.on('error', () => {});
  try {
    await client.connect();
    await checkDatabase(client);
    assertNotMoved(await markInDatabase(client), storeInDatabase);
    const isEarlier = (await takenSteps(client)).length > 0;
    while ((await pendingSteps(client)).length > 0) await takeStep(client, isEarlier ? onUpgrade : () => {});
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw cannotOpen(cause, client);
  } finally {
    await client.end().catch(() => {});
  }
}

/** Returns the error of a database that cannot be opened, in words. */
export function cannotOpen(cause: unknown, client: Client): AppError {
  const why = openingProblem(cause, client);
  return new AppError('store-unavailable', `The database in DATABASE_URL cannot be opened: ${why}.`, [], {
    cause,
  });
}

/** Makes the client of an address, which may name files that are not there; fails with an `AppError` then. */
export function clientOf(url: string): Client {
  try {
    return newClient(url);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new AppError('not-configured', `DATABASE_URL cannot be used: ${why}.`, [], { cause });
  }
}

/** The mark of a store that takes part in a move or was moved, see `MoveMark`; null for any other. */
export async function markInDatabase(client: Client): Promise<string | null> {
  if (!(await isThere(client, MARK_TABLE))) return null;
  const { rows } = await client.query(`SELECT mark FROM ${MARK_TABLE}`);
  return String(rows[0].mark);
}

/** Fails where a database is too old, or has texts of another encoding. */
export async function checkDatabase(client: Client): Promise<void> {
  const { rows } = await client.query(
    "SELECT current_setting('server_version_num')::int AS version, current_setting('server_version') AS name, current_setting('server_encoding') AS encoding",
  );
  const [{ version, name, encoding }] = rows;
  if (version < MIN_VERSION) throw unsuitable(`PostgreSQL ${name} is too old. Try: PostgreSQL 14 or later`);
  if (encoding !== 'UTF8')
    throw unsuitable(
      `its texts are encoded as ${encoding}. Try: CREATE DATABASE dwell ENCODING 'UTF8' TEMPLATE template0`,
    );
}

/** Returns the names of steps that the schema lacks; fails where it has steps of a version later than the next. */
export async function pendingSteps(client: Client): Promise<readonly string[]> {
  const taken = await takenSteps(client);
  const known = Object.keys(migrations);
  const last = Math.max(...known.map(versionOf));
  const tooNew = taken.find((name) => versionOf(name) > last + 1);
  if (tooNew !== undefined)
    throw unsuitable(
      `it was written by a newer Dwell (schema ${tooNew}, this one knows ${known.at(-1)}). Try: a newer Dwell, or another database`,
    );
  return known.filter((name) => !taken.includes(name));
}

/** Returns the names of the steps that a schema has taken, in their order. */
export async function takenSteps(client: Client): Promise<readonly string[]> {
  if (!(await isThere(client, 'kysely_migration'))) return [];
  const { rows } = await client.query('SELECT name FROM kysely_migration ORDER BY name');
  return rows.map(({ name }) => String(name));
}

async function isThere(client: Client, table: string): Promise<boolean> {
  const { rows } = await client.query(`SELECT to_regclass('${table}') IS NOT NULL AS is_there`);
  return rows[0].is_there;
}

/** The leading number of a step rises with each version that changes the schema; steps of one version share it. */
function versionOf(name: string): number {
  return Number.parseInt(name, 10);
}

/** Remembers what failed first: in the rest of the transaction everything fails because of it. */
class StepConnection extends TransactionConnection {
  failure: unknown = null;

  override async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    try {
      return await super.executeQuery<Row>(query);
    } catch (error) {
      this.failure ??= error;
      throw error;
    }
  }
}

/** Takes one step, unless another process has taken it meanwhile. */
async function takeStep(client: Client, onUpgrade: OnUpgrade): Promise<void> {
  const of = Object.keys(migrations).length;
  const done = of - (await pendingSteps(client)).length;
  await client.query('BEGIN');
  try {
    const { rows } = await client.query(`SELECT pg_try_advisory_xact_lock(${LOCK}) AS is_ours`);
    if (!rows[0].is_ours) {
      onUpgrade({ step: 'waiting for another process that upgrades the store', done, of });
      await client.query(`SELECT pg_advisory_xact_lock(${LOCK})`);
    }
    if ((await pendingSteps(client)).length > 0) {
      onUpgrade({ step: CHANGING_TABLES, done, of });
      const connection = new StepConnection(client);
      const db = new Kysely<unknown>({ dialect: postgresDialect(connection) });
      const migrator = new Migrator({ db, provider: { getMigrations: async () => ({ ...migrations }) } });
      const { error } = await migrator.migrateUp();
      if (error !== undefined) throw connection.failure ?? error;
    }
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {});
    throw error;
  }
}

function unsuitable(why: string): AppError {
  return new AppError('store-unavailable', `The database in DATABASE_URL cannot be used: ${why}.`);
}

/** The numbers that the server has given the database and a table of ours: whatever is restored gets others. */
const NUMBERS = `
  SELECT (SELECT oid FROM pg_database WHERE datname = current_database()) || ' ' || 'document'::regclass::oid AS word`;

/** The number of the server itself, which a standby shares with its primary. */
const SERVER = 'SELECT system_identifier::text AS word FROM pg_control_system()';

/**
 * Returns the identity of a database, by a function that runs a query and returns its only value: a text that a database
 * does not have in common with one that was restored from it, into it included.
 */
export async function readIdentity(read: (query: string) => Promise<unknown>): Promise<string> {
  const server = await read(SERVER).catch((error: unknown) => {
    if (isHidden(error)) return 'server';
    throw error;
  });
  return `${server} ${await read(NUMBERS)}`;
}
