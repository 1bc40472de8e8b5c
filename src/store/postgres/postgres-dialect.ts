import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely';
import { Client, type ClientBase, type ClientConfig, Pool, type PoolClient, types } from 'pg';
import { driverOf, type EngineHooks, type OnStatement } from '../sql/engine.ts';
import { asAppError, CannotConnect, ConnectionLost, isReadOnly, sqlState } from './postgres-errors.ts';

/** The most time (ms) of a statement, of opening a connection, and of a transaction without a statement. */
const STATEMENT_MS = 30_000;
const CONNECT_MS = 5_000;
const IDLE_TRANSACTION_MS = 15_000;
/** Behind this (ms) a network that swallows everything is given up; the database ends its own statements before. */
const SILENCE_MS = 40_000;

/** Connections of one process. */
export const MAX_CONNECTIONS = 10;

/** The number of the type `bigint`. The numbers of the store are counts and instants, which a number holds exactly. */
const INT8 = 20;

/** The pause (ms) before all connections are given up once more, because one has found that its database has gone. */
const GIVE_UP_MS = 1_000;

const settingsOf = (url: string): ClientConfig => ({
  connectionString: url,
  application_name: 'dwell',
  keepAlive: true,
  connectionTimeoutMillis: CONNECT_MS,
  query_timeout: SILENCE_MS,
  types: {
    getTypeParser: (id, format) => (id === INT8 ? Number : types.getTypeParser(id, format)),
  },
});

/** Connections of a pool that can be used: those that were opened since all were given up, and when that was. */
interface Usable {
  readonly clients: WeakSet<ClientBase>;
  readonly since: number;
}

const usableOf = new WeakMap<Pool, Usable>();

/** Opens connections as they are needed. */
export function openPool(url: string): Pool {
  // As parameters of the connection a pooler between would refuse them.
  const limits = `SET statement_timeout = ${STATEMENT_MS}; SET idle_in_transaction_session_timeout = ${IDLE_TRANSACTION_MS}`;
  const pool = new Pool({
    ...settingsOf(url),
    max: MAX_CONNECTIONS,
    onConnect: async (client) => void (await client.query(limits)),
  });
  usableOf.set(pool, { clients: new WeakSet(), since: Number.NEGATIVE_INFINITY });
  pool.on('connect', (client) => usableOf.get(pool)?.clients.add(client));
  // One that ends while no one uses it is replaced by the next that is needed.
  pool.on('error', () => {});
  return pool;
}

/** A connection outside of the pool, which is not open yet. */
export function newClient(url: string): Client {
  return new Client({ ...settingsOf(url), query_timeout: 0 });
}

/** Runs a query. */
async function run<Row>(
  client: ClientBase,
  { sql, parameters }: Pick<CompiledQuery, 'sql' | 'parameters'>,
  onStatement?: OnStatement,
): Promise<QueryResult<Row>> {
  const onEnd = onStatement?.(sql, parameters);
  let isFailed = true;
  try {
    const { rows, rowCount, command } = await client.query(sql, [...parameters]);
    isFailed = false;
    return command === 'SELECT' ? { rows } : { rows, numAffectedRows: BigInt(rowCount ?? 0) };
  } catch (error) {
    throw orLost(error);
  } finally {
    onEnd?.(isFailed);
  }
}

/** Returns an error of the database or of the program as it is; any other stands for a lost connection. */
function orLost(cause: unknown): unknown {
  if (sqlState(cause) !== null || cause instanceof TypeError || cause instanceof RangeError) return cause;
  return new ConnectionLost(cause instanceof Error ? cause.message : String(cause), { cause });
}

/** A connection that one transaction has for itself. */
export class TransactionConnection implements DatabaseConnection {
  readonly #client: ClientBase;
  readonly #onStatement: OnStatement | undefined;

  constructor(client: ClientBase, onStatement?: OnStatement) {
    this.#client = client;
    this.#onStatement = onStatement;
  }

  executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    return run(this.#client, query, this.#onStatement);
  }

  /** Runs several statements without values. */
  async run(text: string): Promise<void> {
    await this.#client.query(text).catch((error: unknown) => {
      throw orLost(error);
    });
  }

  streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error('Rows are read in batches.');
  }
}

/** Whichever connection of the pool is free, for queries that are no part of a transaction. */
export class AnyConnection implements DatabaseConnection {
  readonly #pool: Pool;
  readonly #hooks: EngineHooks;

  constructor(pool: Pool, hooks: EngineHooks = {}) {
    this.#pool = pool;
    this.#hooks = hooks;
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const { onStatement, onRetry } = this.#hooks;
    const once = () => withClient(this.#pool, (client) => run<Row>(client, query, onStatement));
    try {
      return await once().catch((error: unknown) => {
        // A query by itself only reads. Its connection may have ended long before, or lead to a standby, as after a failover.
        if (!(error instanceof ConnectionLost) && !isReadOnly(error)) throw error;
        onRetry?.('lost');
        return once();
      });
    } catch (error) {
      throw asAppError(error);
    }
  }

  streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error('Rows are read in batches.');
  }
}

/** Calls `work` with a connection of the pool, which is closed for good where it cannot be used any more. */
export async function withClient<Result>(
  pool: Pool,
  work: (client: PoolClient) => Promise<Result>,
): Promise<Result> {
  const client = await usableClient(pool);
  let isBroken = false;
  // Without a listener the end of a connection between two statements would end the process.
  const onEnd = () => {
    isBroken = true;
  };
  client.on('error', onEnd);
  try {
    return await work(client);
  } catch (error) {
    isBroken ||= error instanceof ConnectionLost || isReadOnly(error);
    throw error;
  } finally {
    client.off('error', onEnd);
    client.release(isBroken);
    if (isBroken) giveUpAll(pool);
  }
}

async function usableClient(pool: Pool): Promise<PoolClient> {
  for (;;) {
    const client = await pool.connect().catch((cause: unknown) => {
      throw new CannotConnect('No connection can be opened.', { cause });
    });
    if (usableOf.get(pool)?.clients.has(client)) return client;
    client.release(true);
  }
}

/** Other connections lead to the same place as one that has found its database gone. */
function giveUpAll(pool: Pool): void {
  const now = performance.now();
  if (now - (usableOf.get(pool)?.since ?? now) > GIVE_UP_MS)
    usableOf.set(pool, { clients: new WeakSet(), since: now });
}

/** The dialect of one connection; the engine that owns the connection begins and ends transactions. */
export function postgresDialect(connection: DatabaseConnection): Dialect {
  return {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => driverOf(connection),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  };
}
