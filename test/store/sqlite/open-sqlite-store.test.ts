import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import { describe, expect, test } from '#jest';
import { AppError } from '../../../src/model/error.ts';
import type { Engine, Tx } from '../../../src/store/sql/engine.ts';
import { isUntouched, openDatabase, SCHEMA_VERSION } from '../../../src/store/sqlite/open-database.ts';
import { openEngine } from '../../../src/store/sqlite/open-engine.ts';
import { openSqliteStore } from '../../../src/store/sqlite/open-sqlite-store.ts';
import { aStore } from '../../support/a-store.ts';
import { dwellProcess } from '../../support/dwell-process.ts';
import { anIssue } from '../../support/issue-story.ts';
import { inFolder } from '../../support/left-folder.ts';
import { openTestStore } from '../../support/open-test-store.ts';
import { soaking } from '../../support/soak.ts';
import { readEngine, storeEngine } from '../../support/store-engine.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const issue = anIssue('DEMO-1', '2026-03-02T09:00:00Z').moves('Done', '2026-03-03T09:00:00Z').issue;
const replace = <One>(_: One, incoming: One) => incoming;

async function failureOf(open: () => Promise<unknown>): Promise<AppError> {
  try {
    await open();
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error('it was opened');
}

/** The superuser may do everything, so it steps down; everybody else stays who they are. */
async function asNobody<Result>(work: () => Promise<Result>): Promise<Result> {
  if (process.geteuid?.() !== 0) return work();
  process.seteuid?.(65_534);
  try {
    return await work();
  } finally {
    process.seteuid?.(0);
  }
}

/** A program that is in the middle of a write when it prints, and ends it a little later. */
const writesForAMoment = `
  const { DatabaseSync } = require('node:sqlite');
  const database = new DatabaseSync(process.argv[1]);
  database.exec('BEGIN IMMEDIATE; CREATE TABLE note (text TEXT)');
  console.log('writing');
  setTimeout(() => database.exec('COMMIT'), 300);
`;

const setVersion = (dataDir: string, version: number) =>
  inFolder(dataDir, (database) => database.exec(`PRAGMA user_version = ${version}`));

describe('a store', () => {
  test('makes the folder and a file that only its owner can read', async () => {
    const dataDir = join(temporaryFolder(), 'deep', 'down');
    (await openTestStore(dataDir)).close();
    expect(statSync(dataDir).mode & 0o777).toBe(0o700);
    expect(statSync(join(dataDir, 'dwell.db')).mode & 0o777).toBe(0o600);
    const version = inFolder(dataDir, (database) => database.prepare('PRAGMA user_version').get());
    expect(version).toEqual({ user_version: SCHEMA_VERSION });
  });

  test('keeps a write-ahead log, so that readers and a writer do not wait for each other', async () => {
    const dataDir = temporaryFolder();
    await aStore(dataDir);
    expect(existsSync(join(dataDir, 'dwell.db-wal'))).toBe(true);
  });

  test('takes the steps a file has not taken yet', async () => {
    const dataDir = temporaryFolder();
    inFolder(dataDir, (database) => database.exec('CREATE TABLE note (text TEXT); PRAGMA user_version = 0'));
    (await openTestStore(dataDir)).close();
    const tables = inFolder(dataDir, (database) =>
      database
        .prepare("SELECT name FROM sqlite_schema WHERE type = 'table'")
        .all()
        .map((row) => row.name),
    );
    expect(tables).toEqual(expect.arrayContaining(['note', 'issue', 'document']));
  });

  test('takes the steps that came after kysely wrote the first', async () => {
    const dataDir = temporaryFolder();
    const before = await openTestStore(dataDir);
    await before.issues('file').putIssues([issue], replace);
    await before.close();
    inFolder(dataDir, (database) =>
      database.exec(`
        DROP TABLE blob; DROP TABLE blob_part; PRAGMA user_version = 18;
        DELETE FROM kysely_migration WHERE name > '0001-first-schema'`),
    );
    const upgrades: unknown[] = [];
    const store = await openTestStore(dataDir, (progress) => void upgrades.push(progress));
    expect(await store.issues('file').issue('DEMO-1')).toEqual(issue);
    await store.close();
    const names = inFolder(dataDir, (database) =>
      database.prepare("SELECT name FROM sqlite_schema WHERE name LIKE 'blob%' ORDER BY name").all(),
    );
    expect([upgrades, names.map(({ name }) => name)]).toEqual([
      [{ step: 'changing tables', done: 18, of: SCHEMA_VERSION }],
      ['blob', 'blob_name', 'blob_nameless', 'blob_part'],
    ]);
  });

  test('is opened while another process writes', async () => {
    const dataDir = temporaryFolder();
    (await openTestStore(dataDir)).close();
    const end = await storeEngine.writeElsewhere(dataDir);
    (await openTestStore(dataDir)).close();
    await end();
  });

  test('is not opened where another file takes its place meanwhile', async () => {
    const [dataDir, other] = [temporaryFolder(), temporaryFolder()];
    for (const one of [dataDir, other]) (await openTestStore(one)).close();
    inFolder(dataDir, (database) =>
      database.exec(`
        DROP TABLE blob; DROP TABLE blob_part; PRAGMA user_version = 18;
        DELETE FROM kysely_migration WHERE name > '0001-first-schema'`),
    );
    const replace = () => renameSync(join(other, 'dwell.db'), join(dataDir, 'dwell.db'));
    expect((await failureOf(() => openTestStore(dataDir, replace))).message).toBe(
      `The database in DATA_DIR '${dataDir}' was replaced while it was opened. Try again.`,
    );
    (await openTestStore(dataDir)).close();
  });

  test('waits for a process that writes to a file without a write-ahead log', async () => {
    const dataDir = temporaryFolder();
    const writer = spawn(process.execPath, ['--eval', writesForAMoment, join(dataDir, 'dwell.db')]);
    await once(writer.stdout, 'data');
    (await openTestStore(dataDir)).close();
    if (writer.exitCode === null) await once(writer, 'exit');
    expect(writer.exitCode).toBe(0);
  });

  test('refuses in one sentence a file of a newer Dwell, and leaves it as it is', async () => {
    const dataDir = temporaryFolder();
    (await openTestStore(dataDir)).close();
    await setVersion(dataDir, SCHEMA_VERSION + 1);
    const { code, message, details } = await failureOf(() => openTestStore(dataDir));
    expect(code).toBe('unavailable');
    expect(details).toEqual([]);
    expect(message).toBe(
      `The store was written by a newer Dwell (schema ${SCHEMA_VERSION + 1}, this one knows ${SCHEMA_VERSION}); update Dwell or choose another DATA_DIR.`,
    );
    await setVersion(dataDir, SCHEMA_VERSION);
    (await openTestStore(dataDir)).close();
  });

  test('refuses in one sentence what is no store', async () => {
    const noDatabase = temporaryFolder();
    writeFileSync(join(noDatabase, 'dwell.db'), 'a letter to a friend, long enough to be read. '.repeat(100));
    expect((await failureOf(() => openTestStore(noDatabase))).message).toContain('file is not a database');
    const noFolder = join(temporaryFolder(), 'file');
    writeFileSync(noFolder, '');
    for (const dataDir of [noFolder, join(noFolder, 'below')]) {
      expect((await failureOf(() => openTestStore(dataDir))).message).toBe(
        `The store in DATA_DIR '${dataDir}' cannot be opened: a file is in its place.`,
      );
    }
  });

  test.each(['/proc/dwell', '/proc/dwell/deep/down'])(
    'says at once that %s cannot be made',
    async (dataDir) => {
      expect((await failureOf(() => openTestStore(dataDir))).message).toBe(
        `The store in DATA_DIR '${dataDir}' cannot be opened: no folder can be made there.`,
      );
    },
  );

  test('says that a file is another user’s', async () => {
    const dataDir = temporaryFolder();
    chmodSync(dataDir, 0o777);
    const file = join(dataDir, 'dwell.db');
    symlinkSync('/etc/hosts', file);
    expect((await failureOf(() => asNobody(() => openTestStore(dataDir)))).message).toBe(
      `The store in DATA_DIR '${dataDir}' cannot be opened: '${file}' belongs to another user or can't be written.`,
    );
  });

  test('says that no file can be made in a folder, and that a folder is no file', async () => {
    const dataDir = temporaryFolder();
    chmodSync(dataDir, 0o555);
    expect((await failureOf(() => asNobody(() => openTestStore(dataDir)))).message).toBe(
      `The store in DATA_DIR '${dataDir}' cannot be opened: no file can be made in '${dataDir}'.`,
    );
    const folderInside = temporaryFolder();
    mkdirSync(join(folderInside, 'dwell.db'));
    expect((await failureOf(() => openTestStore(folderInside))).message).toContain("can't be written");
  });

  test('whose file was moved away makes no other one, and says what happened', async () => {
    const dataDir = temporaryFolder();
    const store = await aStore(dataDir);
    renameSync(join(dataDir, 'dwell.db'), join(dataDir, 'away.db'));
    const { message } = await failureOf(() =>
      store.cache({ maxEntries: null, now: () => 0 }).set('a', '1', 50),
    );
    expect(message).toContain('the database in DATA_DIR was replaced');
    expect(existsSync(join(dataDir, 'dwell.db'))).toBe(false);
  });

  test('has issues found by their numbers alone', async () => {
    const dataDir = temporaryFolder();
    const statements: string[] = [];
    const store = await openSqliteStore(dataDir, { onStatement: (sql) => void statements.push(sql) });
    await store.forTenant('default').issues('file').issuesAt([1]);
    const plan = inFolder(dataDir, (database) =>
      database.prepare(`EXPLAIN QUERY PLAN ${statements.at(-1)}`).all('[1]'),
    );
    expect(plan.map(({ detail }) => detail)).toContain('SEARCH issue USING INTEGER PRIMARY KEY (rowid=?)');
    await store.close();
  });

  test('is opened by several processes at once where nothing was before', async () => {
    const dataDir = join(temporaryFolder(), 'fresh', 'folder');
    const starts = Array.from({ length: soaking ? 8 : 3 }, () => dwellProcess(dataDir, 'tokens').ended);
    expect(await Promise.all(starts)).toEqual(
      starts.map(() => ({ out: '', err: '', code: 0, signal: null })),
    );
  });
});

describe('a transaction', () => {
  const area = { tenant: 'default', area: 'shelves', revision: 1, word: 'oak' };

  /** Works with an engine over the store of a new folder. */
  async function withEngine(
    work: (engine: Engine, writer: DatabaseSync, dataDir: string) => Promise<void>,
  ): Promise<void> {
    const dataDir = temporaryFolder();
    const writer = await openDatabase(dataDir, () => {});
    const engine = openEngine(writer, { file: join(dataDir, 'dwell.db'), isReplaced: () => false });
    try {
      await work(engine, writer, dataDir);
    } finally {
      engine.close();
    }
  }

  test('says the first failure when SQLite has rolled back itself', () =>
    withEngine(async (engine, writer) => {
      const failing = engine.write(async () => {
        writer.exec('ROLLBACK');
        throw new Error('something broke');
      });
      await expect(failing).rejects.toThrow('something broke');
    }));

  test('says that the disk is full, and what helps', () =>
    withEngine(async (engine, writer) => {
      // As much as a disk holds that is full now.
      writer.exec('PRAGMA max_page_count = 1');
      const { code, message } = await failureOf(() =>
        engine.write(({ db }) =>
          db
            .insertInto('area')
            .values({ ...area, word: 'x'.repeat(1_000_000) })
            .execute(),
        ),
      );
      expect([code, message]).toEqual([
        'unavailable',
        'The disk is full, so nothing can be saved. Free some space for DATA_DIR, then try again.',
      ]);
    }));

  test('says that the store is busy when another process keeps writing', () =>
    withEngine(async (engine, _, dataDir) => {
      const end = await storeEngine.writeElsewhere(dataDir);
      const { code, message } = await failureOf(() => engine.write(async () => {}, { lockTimeoutMs: 50 }));
      expect([code, message]).toEqual([
        'unavailable',
        'The store cannot be written to now: database is locked.',
      ]);
      await end();
    }));
});

describe('a store whose file has gone', () => {
  const gone = (dataDir: string) => renameSync(join(dataDir, 'dwell.db'), join(dataDir, 'moved.db'));

  test('has its issues read as before', async () => {
    const dataDir = temporaryFolder();
    const here = await aStore(dataDir);
    await here.issues('file').putIssues([issue], replace);
    gone(dataDir);
    expect((await here.issues('file').issue('DEMO-1'))?.key).toBe('DEMO-1');
  });

  test('has none of them read from another file by another thread', async () => {
    const dataDir = temporaryFolder();
    const here = await aStore(dataDir);
    await here.issues('file').putIssues([issue], replace);
    gone(dataDir);
    const other = await aStore(dataDir);
    await other.issues('file').putIssues([{ ...issue, key: 'OTHER-1' }], replace);
    expect(here.issues('file').reader()).toBeNull();
  });
});

test('a log that another process has made anew is not the one that was looked at, even with its inode', async () => {
  const log = join(temporaryFolder(), 'dwell.db-wal');
  writeFileSync(log, 'of a process that was killed');
  const before = statSync(log, { bigint: true });
  expect(isUntouched(log, before)).toBe(true);
  // Longer than the clock of a file system takes to tick.
  await setTimeout(50);
  rmSync(log);
  expect(isUntouched(log, before)).toBe(false);
  writeFileSync(log, 'of one that runs');
  expect(isUntouched(log, before)).toBe(false);
});

/** As SQLite numbers them. */
const [NORMAL, FULL] = [1, 2];

test('only what must outlive a failing power supply waits for the disk', async () => {
  const engine = await readEngine('sqlite').openEngine(temporaryFolder());
  const synchronous = async ({ db }: Tx) => (await sql`pragma synchronous`.execute(db)).rows;
  const [durable, quick] = [
    await engine.write(synchronous),
    await engine.write(synchronous, { isDurable: false }),
  ];
  expect([durable, quick]).toEqual([[{ synchronous: FULL }], [{ synchronous: NORMAL }]]);
  engine.close();
});
