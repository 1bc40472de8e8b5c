import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, test } from '#jest';
import { AppError } from '../../../src/model/error.ts';
import { isUntouched } from '../../../src/store/sqlite/back-up.ts';
import { migrations } from '../../../src/store/sqlite/migrations.ts';
import { inTransaction } from '../../../src/store/sqlite/sqlite-database.ts';
import { dwellProcess } from '../../support/dwell-process.ts';
import { anIssue } from '../../support/issue-story.ts';
import { openTestStore } from '../../support/open-test-store.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const issue = anIssue('DEMO-1', '2026-03-02T09:00:00Z').moves('Done', '2026-03-03T09:00:00Z').issue;
const replace = <One>(_: One, incoming: One) => incoming;

function failureOf(open: () => unknown): AppError {
  try {
    open();
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error('it was opened');
}

/** Works on the file itself, as only another program would. */
function behindTheStore<Result>(dataDir: string, work: (database: DatabaseSync) => Result): Result {
  const database = new DatabaseSync(join(dataDir, 'dwell.db'), { timeout: 0 });
  try {
    return work(database);
  } finally {
    database.close();
  }
}

/** The superuser may do everything, so it steps down; everybody else stays who they are. */
function asNobody<Result>(work: () => Result): Result {
  if (process.geteuid?.() !== 0) return work();
  process.seteuid?.(65_534);
  try {
    return work();
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
  behindTheStore(dataDir, (database) => database.exec(`PRAGMA user_version = ${version}`));

describe('openTestStore', () => {
  test('makes the folder and a file that only its owner may read', () => {
    const dataDir = join(temporaryFolder(), 'deep', 'down');
    openTestStore(dataDir).close();
    expect(statSync(dataDir).mode & 0o777).toBe(0o700);
    expect(statSync(join(dataDir, 'dwell.db')).mode & 0o777).toBe(0o600);
    const version = behindTheStore(dataDir, (database) => database.prepare('PRAGMA user_version').get());
    expect(version).toEqual({ user_version: migrations.length });
  });

  test('finds everything again in a file that is there', async () => {
    const dataDir = temporaryFolder();
    const first = openTestStore(dataDir);
    await first.issues('file').putIssues([issue], replace);
    const key = await first.tokens.signingKey(() => 'invented');
    first.close();
    const second = openTestStore(dataDir);
    expect(await second.issues('file').issue('DEMO-1')).toEqual(issue);
    expect(await second.tokens.signingKey(() => 'another')).toBe(key);
    second.close();
  });

  test('keeps a write-ahead log, so that readers and a writer do not wait for each other', () => {
    const dataDir = temporaryFolder();
    const store = openTestStore(dataDir);
    expect(existsSync(join(dataDir, 'dwell.db-wal'))).toBe(true);
    store.close();
  });

  test('is opened again and again, twice at once', async () => {
    const dataDir = temporaryFolder();
    const [one, other] = [openTestStore(dataDir), openTestStore(dataDir)];
    await one.issues('file').putIssues([issue], replace);
    expect(await other.issues('file').issue('DEMO-1')).toEqual(issue);
    one.close();
    other.close();
  });

  test('takes the steps a file has not taken yet', () => {
    const dataDir = temporaryFolder();
    behindTheStore(dataDir, (database) =>
      database.exec('CREATE TABLE note (text TEXT); PRAGMA user_version = 0'),
    );
    openTestStore(dataDir).close();
    const tables = behindTheStore(dataDir, (database) =>
      database
        .prepare("SELECT name FROM sqlite_schema WHERE type = 'table'")
        .all()
        .map((row) => row.name),
    );
    expect(tables).toEqual(expect.arrayContaining(['note', 'issue', 'token']));
  });

  test('is opened while another process writes', () => {
    const dataDir = temporaryFolder();
    openTestStore(dataDir).close();
    behindTheStore(dataDir, (database) =>
      inTransaction(database, () => {
        database.exec("INSERT INTO fill (tenant, tracker, at) VALUES ('default', 'file', 1)");
        openTestStore(dataDir).close();
      }),
    );
  });

  test('waits for a process that writes to a file without a write-ahead log', async () => {
    const dataDir = temporaryFolder();
    const writer = spawn(process.execPath, ['--eval', writesForAMoment, join(dataDir, 'dwell.db')]);
    await once(writer.stdout, 'data');
    openTestStore(dataDir).close();
    if (writer.exitCode === null) await once(writer, 'exit');
    expect(writer.exitCode).toBe(0);
  });

  test('refuses in one sentence a file of a newer Dwell, and leaves it as it is', () => {
    const dataDir = temporaryFolder();
    openTestStore(dataDir).close();
    setVersion(dataDir, migrations.length + 1);
    const { code, message, details } = failureOf(() => openTestStore(dataDir));
    expect(code).toBe('unavailable');
    expect(details).toEqual([]);
    expect(message).toBe(
      `The store was written by a newer Dwell (schema ${migrations.length + 1}, this one knows ${migrations.length}); update Dwell or choose another DATA_DIR.`,
    );
    setVersion(dataDir, migrations.length);
    openTestStore(dataDir).close();
  });

  test('refuses in one sentence what is no store', () => {
    const noDatabase = temporaryFolder();
    writeFileSync(join(noDatabase, 'dwell.db'), 'a letter to a friend, long enough to be read. '.repeat(100));
    expect(failureOf(() => openTestStore(noDatabase)).message).toContain('file is not a database');
    const noFolder = join(temporaryFolder(), 'file');
    writeFileSync(noFolder, '');
    for (const dataDir of [noFolder, join(noFolder, 'below')]) {
      expect(failureOf(() => openTestStore(dataDir)).message).toBe(
        `The store in DATA_DIR '${dataDir}' cannot be opened: a file is in its place.`,
      );
    }
  });

  test.each(['/proc/dwell', '/proc/dwell/deep/down'])('says at once that %s cannot be made', (dataDir) => {
    expect(failureOf(() => openTestStore(dataDir)).message).toBe(
      `The store in DATA_DIR '${dataDir}' cannot be opened: no folder can be made there.`,
    );
  });

  test('says that a file is another user’s', () => {
    const dataDir = temporaryFolder();
    chmodSync(dataDir, 0o777);
    const file = join(dataDir, 'dwell.db');
    symlinkSync('/etc/hosts', file);
    expect(failureOf(() => asNobody(() => openTestStore(dataDir))).message).toBe(
      `The store in DATA_DIR '${dataDir}' cannot be opened: '${file}' belongs to another user or can't be written.`,
    );
  });

  test('says that no file can be made in a folder, and that a folder is no file', () => {
    const dataDir = temporaryFolder();
    chmodSync(dataDir, 0o555);
    expect(failureOf(() => asNobody(() => openTestStore(dataDir))).message).toBe(
      `The store in DATA_DIR '${dataDir}' cannot be opened: no file can be made in '${dataDir}'.`,
    );
    const folderInside = temporaryFolder();
    mkdirSync(join(folderInside, 'dwell.db'));
    expect(failureOf(() => openTestStore(folderInside)).message).toContain("can't be written");
  });

  test('is opened by eight processes at once where nothing was before', async () => {
    const dataDir = join(temporaryFolder(), 'fresh', 'folder');
    const starts = Array.from({ length: 8 }, () => dwellProcess(dataDir, 'tokens').finished);
    expect(await Promise.all(starts)).toEqual(starts.map(() => ({ out: '', err: '', code: 0 })));
  });
});

describe('inTransaction', () => {
  test('undoes everything when the work fails, and tells why', () => {
    const dataDir = temporaryFolder();
    openTestStore(dataDir).close();
    behindTheStore(dataDir, (database) => {
      const failing = () =>
        inTransaction(database, () => {
          database.exec("INSERT INTO fill (tenant, tracker, at) VALUES ('default', 'file', 1)");
          throw new Error('half way');
        });
      expect(failing).toThrow('half way');
      expect(database.prepare('SELECT * FROM fill').all()).toEqual([]);
    });
  });

  test('tells of the first failure when SQLite has rolled back itself', () => {
    const dataDir = temporaryFolder();
    openTestStore(dataDir).close();
    behindTheStore(dataDir, (database) => {
      const failing = () =>
        inTransaction(database, () => {
          database.exec('ROLLBACK');
          throw new Error('the disk is full');
        });
      expect(failing).toThrow('the disk is full');
    });
  });

  test('says that the disk is full, and what helps', () => {
    const dataDir = temporaryFolder();
    openTestStore(dataDir).close();
    behindTheStore(dataDir, (database) => {
      // As much as a disk holds that is full now.
      database.exec('CREATE TABLE note (text TEXT); PRAGMA max_page_count = 1');
      const { code, message } = failureOf(() =>
        inTransaction(database, () => {
          database.exec('INSERT INTO note VALUES (zeroblob(1000000))');
        }),
      );
      expect([code, message]).toEqual([
        'unavailable',
        'The disk is full, so nothing can be saved. Free some space for DATA_DIR, then try again.',
      ]);
    });
  });

  test('says that the store is busy when another process keeps writing', () => {
    const dataDir = temporaryFolder();
    openTestStore(dataDir).close();
    behindTheStore(dataDir, (writer) =>
      inTransaction(writer, () =>
        behindTheStore(dataDir, (other) => {
          const { code, message } = failureOf(() => inTransaction(other, () => {}));
          expect([code, message]).toEqual([
            'unavailable',
            'The store cannot be written to now: database is locked.',
          ]);
        }),
      ),
    );
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
