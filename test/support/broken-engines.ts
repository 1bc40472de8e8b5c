import type { DatabaseSync } from 'node:sqlite';
import { type CompiledQuery, Kysely, type QueryResult } from 'kysely';
import pLimit from 'p-limit';
import type { PostgresEngine } from '../../src/store/postgres/open-engine.ts';
import {
  newClient,
  postgresDialect,
  TransactionConnection,
} from '../../src/store/postgres/postgres-dialect.ts';
import type { Engine, Reader, Tx } from '../../src/store/sql/engine.ts';
import type { Tables } from '../../src/store/sql/tables.ts';
import { nodeSqliteDialect, SqliteConnection } from '../../src/store/sqlite/node-sqlite-dialect.ts';

/** What an engine is to do and a broken one does not, with which properties show that they notice it. */
export type Fault = 'reads on the connection that writes' | 'begins no transaction of its own';

/** An engine over SQLite that has a fault; `writer` is the connection it writes with. */
export function breakEngine(engine: Engine, writer: DatabaseSync, fault: Fault): Engine {
  const connection = new SqliteConnection(writer);
  const db = new Kysely<Tables>({ dialect: nodeSqliteDialect(connection) });
  const reader: Reader = { ...engine, db };
  if (fault === 'reads on the connection that writes')
    return { ...engine, db, read: async (work) => work(reader) };
  const tx: Tx = {
    db,
    put: async ({ one }, rows) => connection.runAll([...rows].map((row) => one.with(db, row))),
  };
  return {
    ...engine,
    async write(work) {
      if (!writer.isTransaction) writer.exec('BEGIN IMMEDIATE');
      try {
        const result = await work(tx);
        if (writer.isTransaction) writer.exec('COMMIT');
        return result;
      } catch (error) {
        if (writer.isTransaction) writer.exec('ROLLBACK');
        throw error;
      }
    },
  };
}

/** A connection that everything uses at once: its statements take turns. */
class SharedConnection extends TransactionConnection {
  readonly #inTurn = pLimit(1);

  override executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    return this.#inTurn(() => super.executeQuery<Row>(query));
  }

  override run(text: string): Promise<void> {
    return this.#inTurn(() => super.run(text));
  }
}

/** An engine over PostgreSQL that has a fault; it has one connection at an address. */
export async function breakPostgres(
  engine: PostgresEngine,
  url: string,
  fault: Fault,
): Promise<PostgresEngine> {
  const client = newClient(url);
  await client.connect();
  const connection = new SharedConnection(client);
  const db = new Kysely<Tables>({ dialect: postgresDialect(connection) });
  const tx: Tx = {
    db,
    async put({ one }, rows) {
      for (const row of rows) await one.run(db, row);
    },
  };
  const reader: Reader = { ...engine, db };
  const inTurn = pLimit(1);
  let isOpen = false;

  async function write<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result> {
    if (!isOpen) {
      isOpen = true;
      await connection.run('BEGIN');
    }
    try {
      const result = await work(tx);
      if (isOpen) await connection.run('COMMIT');
      return result;
    } catch (error) {
      if (isOpen) await connection.run('ROLLBACK');
      throw error;
    } finally {
      isOpen = false;
    }
  }

  return {
    ...engine,
    ...(fault === 'reads on the connection that writes'
      ? { db, read: async (work) => work(reader), write: (work) => inTurn(() => write(work)) }
      : { write }),
    async close() {
      await client.end();
      await engine.close();
    },
  };
}
