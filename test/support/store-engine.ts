import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Engine, OnStatement } from '../../src/store/sql/engine.ts';
import { openDatabase } from '../../src/store/sqlite/open-database.ts';
import { openEngine } from '../../src/store/sqlite/open-engine.ts';
import { openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.ts';
import type { Store } from '../../src/store/store.ts';
import { breakEngine, type Fault } from './broken-engines.ts';

/** What suites of the store need from a database engine. A folder stands for a database: two of them share nothing. */
export interface StoreEngine {
  readonly name: string;
  openStore(
    dataDir: string,
    how?: { readonly onUpgrade?: () => void; readonly onStatement?: OnStatement },
  ): Promise<Store>;
  /** Opens the engine alone, with the tables of the store. */
  openEngine(dataDir: string, onStatement?: OnStatement): Promise<Engine & { close(): void }>;
  /** The same with a fault. */
  openBroken(dataDir: string, fault: Fault): Promise<Engine & { close(): void }>;
  /** Begins to write as another process does, which keeps all others from writing; returns what ends that. */
  writeElsewhere(dataDir: string): () => void;
  /** The columns that the indexes of a table begin with, primary keys among them. */
  firstsOfIndexes(dataDir: string, table: string): readonly string[];
}

async function openSqliteEngine(dataDir: string, onStatement?: OnStatement) {
  const writer = await openDatabase(dataDir, () => {});
  const how = { file: join(dataDir, 'dwell.db'), isReplaced: () => false, onStatement };
  return { writer, engine: openEngine(writer, how) };
}

const sqlite: StoreEngine = {
  name: 'sqlite',
  openStore: openSqliteStore,
  openEngine: async (...told) => (await openSqliteEngine(...told)).engine,
  async openBroken(dataDir, fault) {
    const { writer, engine } = await openSqliteEngine(dataDir);
    return { ...breakEngine(engine, writer, fault), close: engine.close };
  },
  writeElsewhere(dataDir) {
    const other = new DatabaseSync(join(dataDir, 'dwell.db'));
    other.exec('BEGIN IMMEDIATE');
    return () => {
      other.exec('COMMIT');
      other.close();
    };
  },
  firstsOfIndexes(dataDir, table) {
    const database = new DatabaseSync(join(dataDir, 'dwell.db'), { readOnly: true });
    const firsts = database.prepare(`
      SELECT first.name FROM pragma_index_list(?) AS indexes, pragma_index_info(indexes.name) AS first
      WHERE first.seqno = 0`);
    const names = firsts.all(table).map(({ name }) => String(name));
    database.close();
    return names;
  },
};

const engines: readonly StoreEngine[] = [sqlite];

/** The engine of a name, as STORE_ENGINE has it; SQLite where there is none. */
export function readEngine(name = sqlite.name): StoreEngine {
  const found = engines.find((engine) => engine.name === name);
  if (found !== undefined) return found;
  const names = engines.map((engine) => engine.name).join(', ');
  throw new Error(`STORE_ENGINE '${name}' is not known. Try: ${names}.`);
}

/** The engine that the runner was started with. */
export const storeEngine = readEngine(process.env.STORE_ENGINE);
