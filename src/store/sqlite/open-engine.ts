import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { Kysely, sql } from 'kysely';
import pLimit from 'p-limit';
import { AppError } from '../../model/error.ts';
import { connections, type Engine, type EngineHooks, type Reader, type Tx } from '../sql/engine.ts';
import type { Tables } from '../sql/tables.ts';
import { nodeSqliteDialect, SqliteConnection } from './node-sqlite-dialect.ts';
import { issueReaderPlace, preparePacked } from './read-packed.ts';
import { isRefused, reasonOf } from './sqlite-errors.ts';

/** The longest wait (ms) of a writer for another process's write, and the pause between two tries. */
const LOCK_TIMEOUT_MS = 10_000;
const PAUSE_MS = 5;

const DISK_FULL = 'The disk is full, so nothing can be saved. Free some space for DATA_DIR, then try again.';

const REPLACED =
  'Nothing can be saved: the database in DATA_DIR was replaced while Dwell runs. Restart Dwell, then try again.';

/** An engine over a file of SQLite. */
interface SqliteEngine extends Engine {
  close(): void;
}

/** Connections for reading one state that stay open. */
const MAX_IDLE = 2;

/** A connection, and queries over it. */
interface Opened extends Reader {
  readonly database: DatabaseSync;
  readonly connection: SqliteConnection;
}

/**
 * An engine over a file whose schema is made: one connection writes, in one transaction at a time; what reads has others,
 * so that no question sees, or ends up in, a write that is under way. `isReplaced` says whether another file has taken the
 * place of this one: what would be written then is lost, and is refused.
 */
export function openEngine(
  writer: DatabaseSync,
  {
    file,
    isReplaced,
    onStatement,
    onRetry = () => {},
  }: EngineHooks & {
    readonly file: string;
    readonly isReplaced: () => boolean;
  },
): SqliteEngine {
  const opened = new Set<Opened>();
  const over = (database: DatabaseSync): Opened => {
    const connection = new SqliteConnection(database, onStatement);
    const one: Opened = {
      database,
      connection,
      db: new Kysely<Tables>({ dialect: nodeSqliteDialect(connection) }),
      packedIssues: preparePacked(database, onStatement),
    };
    opened.add(one);
    connections.set(one.db, connection);
    return one;
  };
  const openReader = () => {
    const database = new DatabaseSync(file, { readOnly: true, timeout: LOCK_TIMEOUT_MS });
    // It opens the write-ahead log only now; a file that is gone later can still be read.
    database.exec('SELECT 1 FROM area LIMIT 1');
    return over(database);
  };

  const alone = pLimit(1);
  const durable = over(writer);
  // The sync mode of a connection cannot change within a transaction, so there is a connection for each mode.
  const quick = over(new DatabaseSync(file, { timeout: 0 }));
  quick.database.exec('PRAGMA synchronous = NORMAL');
  const newest = openReader();
  /** Connections for reading one state that are free. */
  const idle = [openReader()];

  async function transaction<Result>(
    { database, connection, db }: Opened,
    work: (tx: Tx) => Promise<Result>,
  ): Promise<Result> {
    if (!database.isOpen) throw new AppError('store-unavailable', 'The store is closed.');
    database.exec('BEGIN IMMEDIATE');
    try {
      const result = await work({
        db,
        put: async ({ one }, rows) => connection.runAll(Iterator.from(rows).map((row) => one.with(db, row))),
      });
      if (isReplaced()) throw new AppError('store-unavailable', REPLACED);
      database.exec('COMMIT');
      return result;
    } catch (error) {
      // SQLite has already rolled back when the disk is full or fails.
      if (database.isTransaction) database.exec('ROLLBACK');
      throw error;
    }
  }

  return {
    db: newest.db,
    packedIssues: newest.packedIssues,
    async read(work) {
      const reader = idle.pop() ?? openReader();
      try {
        reader.database.exec('BEGIN');
        try {
          return await work(reader);
        } finally {
          reader.database.exec('COMMIT');
        }
      } finally {
        if (idle.length < MAX_IDLE) idle.push(reader);
        else {
          opened.delete(reader);
          reader.database.close();
        }
      }
    },
    async write(work, { lockTimeoutMs = LOCK_TIMEOUT_MS, isDurable = true } = {}) {
      try {
        // A patient write does not delay less patient ones while another process writes.
        const once = () => alone(() => transaction(isDurable ? durable : quick, work));
        return await patiently(lockTimeoutMs, once, () => onRetry('busy'));
      } catch (error) {
        throw asUnavailable(error);
      }
    },
    ...queryTerms,
    issueReader: (owner) => (isReplaced() ? null : issueReaderPlace(file, owner)),
    close() {
      // The last one puts what is in the write-ahead log into the file, which only the writer can.
      for (const { database } of [...opened].reverse()) database.close();
    },
  };
}

/** The members of an engine that are the same over every connection. */
const queryTerms: Pick<Engine, 'isOneOf' | 'isNumbered' | 'lineage' | 'minChanges' | 'reasonOf'> = {
  isOneOf: (column, values) => sql`${sql.ref(column)} in ${listOf(values)}`,
  // The plus keeps SQLite from an index by which it would go through all issues of the tenant.
  isNumbered: (tenant, ids) => sql`id in ${listOf(ids)} and +tenant = ${tenant}`,
  // A replaced file is noticed by its inode.
  lineage: sql`''`,
  minChanges: 1,
  reasonOf,
};

/** An engine over one connection that only reads, for an examination: every write is refused. */
export function readOnlyEngine(database: DatabaseSync): Engine {
  const connection = new SqliteConnection(database);
  const db = new Kysely<Tables>({ dialect: nodeSqliteDialect(connection) });
  connections.set(db, connection);
  const reader: Reader = { db, packedIssues: preparePacked(database) };
  return {
    ...reader,
    ...queryTerms,
    read: (work) => work(reader),
    async write() {
      throw new AppError('store-unavailable', 'The store is only read here.');
    },
    issueReader: () => null,
  };
}

function listOf(values: readonly (string | number)[]) {
  return sql`(select value from json_each(${JSON.stringify(values)}))`;
}

/** Returns an error of a store that cannot be written to now in words; any other error as it is. */
export function asUnavailable(error: unknown): unknown {
  const reason = reasonOf(error);
  if (reason === null || reason === 'not-unique') return error;
  const why = error instanceof Error ? error.message : String(error);
  const unwritable = isRefused(error) ? why : `The store cannot be written to now: ${why}.`;
  const message = reason === 'full' ? DISK_FULL : unwritable;
  return new AppError('store-unavailable', message, [], { cause: error });
}

/** Retries for this long (ms) while another process writes, of which `onBusy` is notified once; the connection has no busy timeout of its own. */
export async function patiently<Result>(
  lockTimeoutMs: number,
  attempt: () => Promise<Result> | Result,
  onBusy = () => {},
): Promise<Result> {
  // SQLite itself would wait on the only thread there is.
  for (let waited = 0; ; waited += PAUSE_MS) {
    try {
      return await attempt();
    } catch (error) {
      if (reasonOf(error) !== 'busy' || waited >= lockTimeoutMs) throw error;
      if (waited === 0) onBusy();
    }
    await pause(PAUSE_MS);
  }
}
