import type { DatabaseSync } from 'node:sqlite';
import { Kysely } from 'kysely';
import type { Engine, Reader, Tx } from '../../src/store/sql/engine.ts';
import type { Tables } from '../../src/store/sql/tables.ts';
import { nodeSqliteDialect, SqliteConnection } from '../../src/store/sqlite/node-sqlite-dialect.ts';
import type { SqliteEngine } from '../../src/store/sqlite/open-engine.ts';

/** What an engine is to do and a broken one does not, with which properties show that they notice it. */
export type Fault = 'reads on the connection that writes' | 'begins no transaction of its own';

/** An engine over SQLite that has a fault; `writer` is the connection it writes with. */
export function breakEngine(engine: SqliteEngine, writer: DatabaseSync, fault: Fault): Engine {
  const connection = new SqliteConnection(writer);
  const db = new Kysely<Tables>({ dialect: nodeSqliteDialect(connection) });
  const reader: Reader = { ...engine, db };
  if (fault === 'reads on the connection that writes')
    return { ...engine, db, read: async (work) => work(reader) };
  const tx: Tx = { db, runAll: async (queries) => connection.runAll(queries) };
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
