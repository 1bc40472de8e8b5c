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
import { driverOf, type OnStatement } from '../sql/engine.ts';

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
