import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Client } from 'pg';
import type { Instant } from '../../src/model/issue.ts';
import { type BlobsOf, createFolderBlobs } from '../../src/store/folder-blobs.ts';
import { openEngine as openPostgresEngine } from '../../src/store/postgres/open-engine.ts';
import { openPostgresStore } from '../../src/store/postgres/open-postgres-store.ts';
import { readSecretKeys, type SecretKeys } from '../../src/store/sealed-secrets.ts';
import type { Engine, OnStatement } from '../../src/store/sql/engine.ts';
import type { SecretRotation } from '../../src/store/sql/secrets.ts';
import { openDatabase } from '../../src/store/sqlite/open-database.ts';
import { openEngine } from '../../src/store/sqlite/open-engine.ts';
import { openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.ts';
import type { OnUpgrade, Store } from '../../src/store/store.ts';
import { breakEngine, breakPostgres, type Fault } from './broken-engines.ts';
import { allExplained, explain } from './partitions.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** An engine, and its end. */
type OpenedEngine = Engine & { close(): void | Promise<void> };

/** What suites of the store need from a database engine. A folder stands for a database: two of them share nothing. */
export interface StoreEngine {
  readonly name: string;
  /** Makes the database of a folder for processes that are to open it, unless it is there. */
  make(dataDir: string): Promise<unknown>;
  /** The settings by which a process opens it. */
  environment(dataDir: string): Readonly<Record<string, string>>;
  openStore(
    dataDir: string,
    how?: {
      readonly onUpgrade?: OnUpgrade;
      readonly onStatement?: OnStatement;
      readonly blobs?: (engine: Engine) => BlobsOf;
      readonly secretKeys?: SecretKeys | null;
      readonly now?: () => Instant;
    },
  ): Promise<Store & SecretRotation>;
  /** Is called with each statement of a store that was opened otherwise. */
  readonly onStatement: OnStatement;
  /** Opens the engine alone, with the tables of the store. */
  openEngine(dataDir: string, onStatement?: OnStatement): Promise<OpenedEngine>;
  /** The same with a fault. */
  openBroken(dataDir: string, fault: Fault): Promise<OpenedEngine>;
  /** Begins to write as another process does, which keeps all others from writing the same; returns what ends that. */
  writeElsewhere(dataDir: string): Promise<() => Promise<void>>;
  /** The columns that the indexes of a table begin with, primary keys among them. */
  firstsOfIndexes(dataDir: string, table: string): Promise<readonly string[]>;
}

async function openSqliteEngine(dataDir: string, onStatement?: OnStatement) {
  await makeFile(dataDir);
  const writer = await openDatabase(dataDir);
  const how = { file: join(dataDir, 'dwell.db'), isReplaced: () => false, onStatement };
  return { writer, engine: openEngine(writer, how) };
}

let empty: Promise<Buffer> | null = null;

/** A database without rows, for copies: the steps of the schema take longer. */
async function makeEmpty(): Promise<Buffer> {
  const dataDir = temporaryFolder();
  (await openDatabase(dataDir)).close();
  const bytes = readFileSync(join(dataDir, 'dwell.db'));
  // A process that was started with few variables makes its folder where no run tidies up.
  rmSync(dataDir, { recursive: true });
  return bytes;
}

/** Puts an empty database into a folder that is there and has none. */
async function makeFile(dataDir: string): Promise<void> {
  const file = join(dataDir, 'dwell.db');
  if (existsSync(file) || !existsSync(dataDir)) return;
  empty ??= makeEmpty();
  const bytes = await empty;
  try {
    // Another one may have made it meanwhile.
    writeFileSync(file, bytes, { flag: 'wx', mode: 0o600 });
  } catch {
    // What is wrong with a folder is said where it is opened.
  }
}

const sqlite: StoreEngine = {
  name: 'sqlite',
  make: makeFile,
  environment: () => ({}),
  async openStore(dataDir, how) {
    await makeFile(dataDir);
    return openSqliteStore(dataDir, how);
  },
  onStatement() {},
  openEngine: async (...told) => (await openSqliteEngine(...told)).engine,
  async openBroken(dataDir, fault) {
    const { writer, engine } = await openSqliteEngine(dataDir);
    return { ...breakEngine(engine, writer, fault), close: engine.close };
  },
  async writeElsewhere(dataDir) {
    const other = new DatabaseSync(join(dataDir, 'dwell.db'));
    other.exec('BEGIN IMMEDIATE');
    return async () => {
      other.exec('COMMIT');
      other.close();
    };
  },
  async firstsOfIndexes(dataDir, table) {
    const database = new DatabaseSync(join(dataDir, 'dwell.db'), { readOnly: true });
    const firsts = database.prepare(`
      SELECT first.name FROM pragma_index_list(?) AS indexes, pragma_index_info(indexes.name) AS first
      WHERE first.seqno = 0`);
    const names = firsts.all(table).map(({ name }) => String(name));
    database.close();
    return names;
  },
};

/** The key of all secrets of tests, as SECRET_KEY has it. */
const SECRET_KEY = createHash('sha256').update('of tests').digest('hex');

const nameOf = (dataDir: string) => `dwell_${createHash('sha1').update(dataDir).digest('hex')}`;

const addressOf = (dataDir: string) => `${process.env.POSTGRES_SERVER}/${nameOf(dataDir)}`;

/** The databases of this process, by their folders. */
const databases = new Map<string, Promise<string>>();

/** The address of the database that a folder stands for, which is made where there is none. */
export function databaseOf(dataDir: string): Promise<string> {
  const known = databases.get(dataDir) ?? makeDatabase(dataDir);
  databases.set(dataDir, known);
  return known;
}

async function makeDatabase(dataDir: string): Promise<string> {
  const name = nameOf(dataDir);
  await withDatabase(`${process.env.POSTGRES_SERVER}/postgres`, async (client) => {
    const { rows } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [name]);
    if (rows.length === 0)
      await client.query(`CREATE DATABASE ${name} TEMPLATE dwell STRATEGY FILE_COPY`).catch((error) => {
        // Another process makes it as well.
        if (error.code !== '42P04' && error.code !== '23505') throw error;
      });
  });
  return addressOf(dataDir);
}

/** Calls `work` with a connection of its own. */
export async function withDatabase<Result>(
  connectionString: string,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = new Client({ connectionString });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

const postgres: StoreEngine = {
  name: 'postgres',
  make: databaseOf,
  environment: (dataDir) => ({ DATABASE_URL: addressOf(dataDir), SECRET_KEY }),
  async openStore(dataDir, how = {}) {
    const store = await openPostgresStore(await databaseOf(dataDir), {
      secretKeys: readSecretKeys(SECRET_KEY, []),
      blobs: () => (tenant) => (of) => createFolderBlobs(join(dataDir, tenant, of)),
      ...how,
      onStatement(...statement) {
        explain(...statement);
        how.onStatement?.(...statement);
      },
    });
    return {
      ...store,
      async close() {
        await store.close();
        await allExplained();
      },
    };
  },
  onStatement: explain,
  openEngine: async (dataDir, onStatement) => openPostgresEngine(await databaseOf(dataDir), { onStatement }),
  async openBroken(dataDir, fault) {
    const url = await databaseOf(dataDir);
    return breakPostgres(await openPostgresEngine(url), url, fault);
  },
  async writeElsewhere(dataDir) {
    const client = new Client({ connectionString: await databaseOf(dataDir) });
    await client.connect();
    await client.query('BEGIN');
    const { rows } = await client.query("SELECT tablename FROM pg_tables WHERE schemaname = 'public'");
    // Others read meanwhile.
    const all = rows.map(({ tablename }) => client.escapeIdentifier(tablename)).join(', ');
    await client.query(`LOCK TABLE ${all} IN EXCLUSIVE MODE`);
    return async () => {
      await client.query('COMMIT');
      await client.end();
    };
  },
  firstsOfIndexes: async (dataDir, table) =>
    withDatabase(await databaseOf(dataDir), async (client) => {
      const { rows } = await client.query(
        `SELECT attname FROM pg_index JOIN pg_attribute ON attrelid = indrelid AND attnum = indkey[0]
         WHERE indrelid = quote_ident($1)::regclass`,
        [table],
      );
      return rows.map(({ attname }) => attname);
    }),
};

const engines: readonly StoreEngine[] = [sqlite, postgres];

/** The engine of a name, as STORE_ENGINE has it; SQLite where there is none. */
export function readEngine(name = sqlite.name): StoreEngine {
  const found = engines.find((engine) => engine.name === name);
  if (found !== undefined) return found;
  const names = engines.map((engine) => engine.name).join(', ');
  throw new Error(`STORE_ENGINE '${name}' is not known. Try: ${names}.`);
}

/** The engine that the runner was started with. */
export const storeEngine = readEngine(process.env.STORE_ENGINE);
