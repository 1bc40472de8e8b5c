import { Kysely, type RawBuilder, sql } from 'kysely';
import pLimit from 'p-limit';
import type { Pool } from 'pg';
import {
  connections,
  type Engine,
  type EngineHooks,
  FixedQuery,
  type PackedRow,
  type Reader,
  type Tx,
} from '../sql/engine.ts';
import type { Queries, Tables } from '../sql/tables.ts';
import {
  AnyConnection,
  MAX_CONNECTIONS,
  openPool,
  postgresDialect,
  TransactionConnection,
  withClient,
} from './postgres-dialect.ts';
import {
  asAppError,
  ConnectionLost,
  isHidden,
  isReadOnly,
  isWorthRetrying,
  reasonOf,
} from './postgres-errors.ts';

/** The longest wait (ms) of a write for others that write the same. */
const LOCK_TIMEOUT_MS = 10_000;

/** The number of times a write runs that other transactions make the database roll back. */
const MAX_TRIES = 8;

/** Writes of one process at a time: a write also reads by other connections, which are never all taken by writes. */
const MAX_WRITES = MAX_CONNECTIONS / 2;

/** The most rows that a statement writes. PostgreSQL takes 65,535 values, and an issue has eleven. */
const MAX_ROWS = 500;

/** An engine over a database of PostgreSQL. */
export interface PostgresEngine extends Engine {
  readonly pool: Pool;
  close(): Promise<void>;
}

type OfRange = { tenant: string; tracker: string; after: number; count: number };

const packedBy = (order: 'id' | 'revision') =>
  new FixedQuery((db: Queries, of: OfRange) =>
    db
      .selectFrom('issue')
      .select(['id', 'revision', 'packed'])
      .where('tenant', '=', of.tenant)
      .where('tracker', '=', of.tracker)
      .where(order, '>', of.after)
      .orderBy(order)
      .limit(of.count),
  );

const packed = { id: packedBy('id'), revision: packedBy('revision') };

/** Opens an engine over a database whose schema is made. */
export async function openEngine(url: string, hooks: EngineHooks = {}): Promise<PostgresEngine> {
  const { onStatement, onRetry = () => {} } = hooks;
  const pool = openPool(url);
  const lineage = await findLineage(pool);
  const inTurn = pLimit(MAX_WRITES);
  const newest = readerOver(new AnyConnection(pool, hooks));

  /** Runs `work` in a transaction that begins with a text of statements. */
  async function transaction<Result>(
    begin: string,
    work: (tx: Tx & Reader) => Promise<Result>,
  ): Promise<Result> {
    let hasBegun = false;
    const once = () =>
      withClient(pool, async (client) => {
        const connection = new TransactionConnection(client, onStatement);
        await connection.run(begin);
        hasBegun = true;
        const reader = readerOver(connection);
        try {
          const result = await work({
            ...reader,
            async put({ many }, rows) {
              for (const some of slices([...rows])) await connection.executeQuery(many(reader.db, some));
            },
          });
          await connection.run('COMMIT');
          return result;
        } catch (error) {
          if (!(error instanceof ConnectionLost)) await connection.run('ROLLBACK');
          throw error;
        }
      });
    try {
      return await once();
    } catch (error) {
      // The connection may have ended long before, as after a failover, or lead to where the database was.
      if (!isReadOnly(error) && !(error instanceof ConnectionLost && !hasBegun)) throw error;
      onRetry('lost');
      return once();
    }
  }

  return {
    pool,
    ...newest,
    read: (work) => inWords(() => transaction('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY', work)),
    write: (work, { lockTimeoutMs = LOCK_TIMEOUT_MS, isDurable = true } = {}) =>
      inWords(() =>
        inTurn(async () => {
          const begin = [
            'BEGIN',
            // Zero would stand for no limit.
            `SET LOCAL lock_timeout = ${Math.max(1, lockTimeoutMs)}`,
            ...(isDurable ? [] : ['SET LOCAL synchronous_commit = off']),
          ].join(';');
          for (let tries = 1; ; tries += 1) {
            try {
              return await transaction(begin, work);
            } catch (error) {
              if (!isWorthRetrying(error) || tries === MAX_TRIES) throw error;
              onRetry('conflict');
            }
          }
        }),
      ),
    isOneOf: (column, values) => sql`${sql.ref(column)} = any(${[...values]})`,
    isNumbered: (tenant, ids) => sql`tenant = ${tenant} and id = any(${[...ids]})`,
    lineage,
    minChanges: 512,
    issueReader: () => null,
    reasonOf,
    close: () => pool.end(),
  };
}

/** The timeline of the database, which is another one once a standby was promoted. */
const timeline = sql<string>`substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8)`;
/** The start of the server, which a failover changes as well, for services that do not show the timeline. */
const startTime = sql<string>`pg_postmaster_start_time()::text`;

/** Finds out by what a database shows that it may have lost changes. */
async function findLineage(pool: Pool): Promise<RawBuilder<string>> {
  const db = new Kysely<Tables>({ dialect: postgresDialect(new AnyConnection(pool)) });
  // A database that does not answer now is read with each question.
  return db
    .selectNoFrom(timeline.as('timeline'))
    .execute()
    .then(
      () => timeline,
      (error: unknown) => (isHidden(error) ? startTime : timeline),
    );
}

/** Queries over a connection. */
function readerOver(connection: AnyConnection | TransactionConnection): Reader {
  const db = new Kysely<Tables>({ dialect: postgresDialect(connection) });
  connections.set(db, connection);
  return {
    db,
    packedIssues: async ([tenant, tracker], { order, after, count }) =>
      inOnePiece(await packed[order].all(db, { tenant, tracker, after, count })),
  };
}

/** The rows with their bytes in one piece of memory, which is theirs alone: who has read them may let go of it at once. */
function inOnePiece(rows: readonly PackedRow[]): readonly PackedRow[] {
  const piece = new Uint8Array(rows.reduce((sum, row) => sum + row.packed.length, 0));
  let end = 0;
  return rows.map((row) => {
    const start = end;
    end += row.packed.length;
    piece.set(row.packed, start);
    return { ...row, packed: piece.subarray(start, end) };
  });
}

function* slices<Item>(items: readonly Item[]): Generator<readonly Item[]> {
  for (let start = 0; start < items.length; start += MAX_ROWS) yield items.slice(start, start + MAX_ROWS);
}

/** Resolves to what `work` resolves to; what is no fault of the program fails in words. */
async function inWords<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw asAppError(error);
  }
}
