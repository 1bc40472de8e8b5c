import type { DatabaseSync, StatementSync } from 'node:sqlite';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type QueryResult,
  type SelectModifierNode,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import { isDiskFull } from '../../model/error.ts';
import { driverOf, type FailureReason, type OnStatement } from '../sql/engine.ts';

/** Statements kept prepared for each connection: more than the house has of them. */
const MAX_PREPARED = 400;

/** A statement, and whether it returns rows. */
interface Prepared {
  readonly statement: StatementSync;
  readonly hasRows: boolean;
}

/** One connection of `node:sqlite` as kysely uses it: each statement runs at once, and is prepared once. */
export class SqliteConnection implements DatabaseConnection {
  readonly #database: DatabaseSync;
  readonly #onStatement: OnStatement | undefined;
  readonly #prepared = new Map<string, Prepared>();

  constructor(database: DatabaseSync, onStatement?: OnStatement) {
    this.#database = database;
    this.#onStatement = onStatement;
  }

  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    return observed(this.#onStatement, sql, parameters, () => {
      const { statement, hasRows } = this.#prepare(sql);
      const values = parameters.map(asValue);
      // The query says what its rows are.
      if (hasRows) return { rows: statement.all(...values) as Row[] };
      return { rows: [], numAffectedRows: BigInt(statement.run(...values).changes) };
    });
  }

  /** Runs statements one after the other, without a turn in between. */
  runAll(queries: Iterable<CompiledQuery>): void {
    for (const { sql, parameters } of queries) {
      observed(this.#onStatement, sql, parameters, () =>
        this.#prepare(sql).statement.run(...parameters.map(asValue)),
      );
    }
  }

  streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error('Rows are read in batches.');
  }

  #prepare(sql: string): Prepared {
    const known = this.#prepared.get(sql);
    if (known !== undefined) return known;
    const statement = this.#database.prepare(sql);
    const prepared = { statement, hasRows: statement.columns().length > 0 };
    this.#prepared.set(sql, prepared);
    if (this.#prepared.size > MAX_PREPARED)
      for (const oldest of this.#prepared.keys().take(1)) this.#prepared.delete(oldest);
    return prepared;
  }
}

/** Runs a statement between the calls of a hook. */
export function observed<Result>(
  onStatement: OnStatement | undefined,
  sql: string,
  values: readonly unknown[],
  run: () => Result,
): Result {
  const onEnd = onStatement?.(sql, values);
  if (onEnd === undefined) return run();
  let isFailed = true;
  try {
    const result = run();
    isFailed = false;
    return result;
  } finally {
    onEnd(isFailed);
  }
}

type SqlValue = string | number | bigint | null | Uint8Array;

/** SQLite has no truth values. */
function asValue(value: unknown): SqlValue {
  if (typeof value === 'boolean') return Number(value);
  if (value === null || typeof value === 'string' || typeof value === 'number') return value;
  if (value instanceof Uint8Array || typeof value === 'bigint') return value;
  throw new TypeError(`A statement has a value of a kind that no column holds (${typeof value}).`);
}

/** Only one connection writes, so that nothing has to be locked. */
class Compiler extends SqliteQueryCompiler {
  protected override visitSelectModifier(node: SelectModifierNode): void {
    if (node.modifier === 'Distinct') super.visitSelectModifier(node);
  }
}

/** The dialect of one connection; the engine that owns the connection begins and ends transactions. */
export function nodeSqliteDialect(connection: SqliteConnection): Dialect {
  return {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => driverOf(connection),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new Compiler(),
  };
}

/** SQLite's primary result codes for a file others write to, a failing disk, a damaged file, a full disk, no database. */
const reasons: Readonly<Record<number, FailureReason>> = {
  5: 'busy',
  10: 'unavailable',
  11: 'unavailable',
  13: 'full',
  26: 'unavailable',
};
/** The extended result code of a trigger's refusal: the only ones are those of a store that was moved, with a sentence for people. */
const REFUSED = 1811;

/** Its extended result codes where the index of the write-ahead log does not fit, and for a unique key and a primary key. */
const extended: Readonly<Record<number, FailureReason>> = {
  4874: 'full',
  2067: 'not-unique',
  [REFUSED]: 'unavailable',
};

/**
 * The reason of a SQLite failure whose cause lies outside of the statement; null otherwise. A primary key is no reason.
 */
export function reasonOf(error: unknown): FailureReason | null {
  const code = errorCode(error);
  // The lowest byte of an extended code is the primary one.
  return code === null ? null : (extended[code] ?? reasons[code & 0xff] ?? null);
}

/** Returns true where a store that was moved refuses a write; the message of the error is the sentence for people. */
export function isRefused(error: unknown): boolean {
  return errorCode(error) === REFUSED;
}

/** Returns true where the disk of the store is full, as SQLite or the system says. */
export function isStoreFull(error: unknown): boolean {
  return reasonOf(error) === 'full' || isDiskFull(error);
}

function errorCode(error: unknown): number | null {
  if (error === null || typeof error !== 'object' || !('errcode' in error)) return null;
  return typeof error.errcode === 'number' ? error.errcode : null;
}
