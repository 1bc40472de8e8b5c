import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from '#jest';
import { AppError } from '../../../src/model/error.ts';
import { migrations } from '../../../src/store/sqlite/migrations.ts';
import { openSqliteStore } from '../../../src/store/sqlite/open-sqlite-store.ts';
import { inTransaction } from '../../../src/store/sqlite/sqlite-database.ts';
import { dwellProcess } from '../../support/dwell-process.ts';
import { anIssue } from '../../support/issue-story.ts';
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

describe('openSqliteStore', () => {
  describe('inTransaction', () => {
  test('undoes everything when the work fails, and tells why', () => {
    const dataDir = temporaryFolder();
    openSqliteStore(dataDir).close();
    behindTheStore(dataDir, (database) => {
      const failing = () =>
        inTransaction(database, () => {
          database.exec("INSERT INTO fill (tracker, at) VALUES ('file', 1)");
          throw new Error('half way');
        });
      expect(failing).toThrow('half way');
      expect(database.prepare('SELECT * FROM fill').all()).toEqual([]);
    });
  });

  test('tells of the first failure when SQLite has rolled back itself', () => {
    const dataDir = temporaryFolder();
    openSqliteStore(dataDir).close();
    behindTheStore(dataDir, (database) => {
      const failing = () =>
        inTransaction(database, () => {
          database.exec('ROLLBACK');
          throw new Error('the disk is full');
        });
      expect(failing).toThrow('the disk is full');
    });
  });

  test('says that the store is busy when another process keeps writing', () => {
    const dataDir = temporaryFolder();
    openSqliteStore(dataDir).close();
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
