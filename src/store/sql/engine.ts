import type {
  Compilable,
  CompiledQuery,
  DatabaseConnection,
  Driver,
  QueryResult,
  RawBuilder,
  Selectable,
  SqlBool,
} from 'kysely';
import type { IssueReaderPlace } from '../store.ts';
import { type Owner, type Queries, type Tables, tables } from './tables.ts';

/** Is called with each statement and its values before it runs; may return what is to be called after it. */
export type OnStatement = (
  sql: string,
  values: readonly unknown[],
) => ((isFailed: boolean) => void) | undefined;

/** The hooks of an engine; what is left out is not called. */
export interface EngineHooks {
  readonly onStatement?: OnStatement | undefined;
  /** Is called each time an engine tries something again, with the reason. */
  readonly onRetry?: ((reason: 'busy' | 'conflict' | 'lost') => void) | undefined;
}

/** A transaction that writes. */
export interface Tx {
  readonly db: Queries;
  /** Writes rows, many at once where that is faster; of rows with the same keys the last one counts. */
  put<Row extends object>(how: RowWriter<Row>, rows: Iterable<Row>): Promise<void>;
}

/** Options of a write transaction. */
export interface WriteOptions {
  /** The longest wait (ms) for another process's write; after it the transaction fails as busy. */
  readonly lockTimeoutMs?: number;
  /** False: it need not outlive a failing power supply, so it does not wait for the disk. */
  readonly isDurable?: boolean;
}

/** Reasons of a failure that are no fault of the program. */
export type FailureReason = 'busy' | 'full' | 'not-unique' | 'unavailable';

/** A packed issue as it is stored. */
export interface PackedRow {
  readonly id: number;
  readonly revision: number;
  readonly packed: Uint8Array<ArrayBuffer>;
}

/** A range of an owner's packed issues: `order` above `after`, in that order, at most `count`. */
export interface PackedRange {
  readonly order: 'id' | 'revision';
  readonly after: number;
  readonly count: number;
}

/** Queries that cannot write. */
export interface Reader {
  readonly db: Queries;
  /** Reads many packed issues; their bytes may be parts of one piece of memory. */
  packedIssues(owner: Owner, range: PackedRange): Promise<readonly PackedRow[]>;
}

/** A database engine as the rooms of the store use it: their queries are written once, for all engines. */
export interface Engine extends Reader {
  /** Runs `work`, which only reads, on one state of the store, also while others write. Without it, each query reads the newest state. */
  read<Result>(work: (reader: Reader) => Promise<Result>): Promise<Result>;
  /**
   * Runs `work` in one transaction: all of it or nothing. Others may write meanwhile, but not to rows that it has read with
   * `forUpdate`. It may run several times until one comes through. Fails with an `AppError` where the store cannot be
   * written to now, such as when the disk is full.
   */
  write<Result>(work: (tx: Tx) => Promise<Result>, options?: WriteOptions): Promise<Result>;
  /** The condition that a column has one of some values: one parameter for any number of them, so that the statement is always the same. */
  isOneOf(column: AnyColumn, values: readonly (string | number)[]): RawBuilder<SqlBool>;
  /** The condition that an issue is one of a tenant's with these numbers, which is found by the numbers. */
  isNumbered(tenant: string, ids: readonly number[]): RawBuilder<SqlBool>;
  /** A text that is another one once the database may have lost changes, as after a failover, or nothing. */
  readonly lineage: RawBuilder<string>;
  /** The fewest changes of issues that are read together: many, where a reading is several round trips. */
  readonly minChanges: number;
  /** The place from which another thread reads issues; null where none can. */
  issueReader(owner: Owner): IssueReaderPlace | null;
  /** The reason of a failed query; null where the query itself is wrong. */
  reasonOf(error: unknown): FailureReason | null;
}

/** The connection of queries that always have the same one: it takes a compiled query without kysely's way to find one. */
export const connections = new WeakMap<Queries, DatabaseConnection>();

/** The driver of a dialect with one connection; its owner begins and ends transactions. */
export function driverOf(connection: DatabaseConnection): Driver {
  return {
    async init() {},
    acquireConnection: async () => connection,
    async beginTransaction() {},
    async commitTransaction() {},
    async rollbackTransaction() {},
    async releaseConnection() {},
    async destroy() {},
  };
}

/** Stands for a value in a query that is compiled once. */
class Blank {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/**
 * A query that is compiled the first time it is run, and gets its values each time: for what is asked with every question.
 * `build` may use the values as values only; which query it is must not depend on them.
 *
 *     const byKey = new FixedQuery((db, of: { tenant: string; key: string }) =>
 *       db.selectFrom('issue').select('packed').where((row) => row.and({ tenant: of.tenant, key: of.key })));
 *     const row = await byKey.first(db, { tenant, key });
 */
export class FixedQuery<Values extends object, Row> {
  readonly #build: (db: Queries, values: Values) => Compilable<Row>;
  /** By the kind of engine. */
  readonly #compiled = new Map<unknown, CompiledQuery<Row>>();

  constructor(build: (db: Queries, values: Values) => Compilable<Row>) {
    this.#build = build;
  }

  /** The query with these values. */
  with(db: Queries, values: Values): CompiledQuery<Row> {
    const { parameters, ...compiled } = this.#compiledFor(db);
    return {
      ...compiled,
      parameters: parameters.map((one) => (one instanceof Blank ? Reflect.get(values, one.name) : one)),
    };
  }

  #compiledFor(db: Queries): CompiledQuery<Row> {
    const kind = db.getExecutor().adapter.constructor;
    const known = this.#compiled.get(kind);
    if (known !== undefined) return known;
    const compiled = this.#build(db, blanks<Values>()).compile();
    this.#compiled.set(kind, compiled);
    return compiled;
  }

  run(db: Queries, values: Values): Promise<QueryResult<Row>> {
    const query = this.with(db, values);
    return connections.get(db)?.executeQuery<Row>(query) ?? db.executeQuery(query);
  }

  async all(db: Queries, values: Values): Promise<readonly Row[]> {
    return (await this.run(db, values)).rows;
  }

  async first(db: Queries, values: Values): Promise<Row | undefined> {
    return (await this.run(db, values)).rows[0];
  }
}

/** In place of each value what stands for it. */
function blanks<Values extends object>(): Values {
  return new Proxy({}, { get: (_, name) => new Blank(String(name)) }) as Values;
}

/** The columns of all tables. */
type AnyColumn = { [Table in keyof Tables]: keyof Tables[Table] & string }[keyof Tables];

/** The queries that write rows of a table: one row by a query that is compiled once, or many by one query. */
export interface RowWriter<Row extends object> {
  readonly one: FixedQuery<Row, unknown>;
  many(db: Queries, rows: readonly Row[]): CompiledQuery;
}

/** Rows of these columns, or what else is made of their names, as kysely takes it: it cannot follow which columns they are. */
function rowOf<Value>(names: readonly string[], of: (name: string) => Value) {
  return Object.fromEntries(names.map((name) => [name, of(name)])) as never;
}

/** A query that adds rows to a table, with these columns. */
const adding = (db: Queries, table: keyof Tables, columns: readonly string[], rows: readonly object[]) =>
  db.insertInto(table).values(rows.map((row) => rowOf(columns, (name) => Reflect.get(row, name))));

/** Adds rows, which the database numbers where the table is numbered. */
export function insert<Table extends keyof Tables>(table: Table): RowWriter<Omit<Tables[Table], 'id'>> {
  const columns = Object.entries<string>(tables[table].columns).flatMap(([name, type]) =>
    type === 'numbered' ? [] : name,
  );
  return {
    one: new FixedQuery((db, row) => adding(db, table, columns, [row])),
    many: (db, rows) => adding(db, table, columns, rows).compile(),
  };
}

/** Puts rows in place of those that have the same key; of these, the columns `fixed` stay as they are. */
export function upsert<Table extends keyof Tables>(
  table: Table,
  fixed: readonly (keyof Tables[Table] & string)[] = [],
): RowWriter<Selectable<Tables[Table]>> {
  const key: readonly string[] = tables[table].key;
  const columns = Object.keys(tables[table].columns);
  const others = columns.filter((name) => !key.includes(name) && !fixed.some((one) => one === name));
  const query = (db: Queries, rows: readonly object[]) =>
    adding(db, table, columns, rows).onConflict((found) => {
      const same = found.columns([...key] as never);
      if (others.length === 0) return same.doNothing();
      return same.doUpdateSet((is) => rowOf(others, (name) => is.ref(`excluded.${name}` as never)));
    });
  return {
    one: new FixedQuery((db, row) => query(db, [row])),
    many(db, rows) {
      const byKey = new Map(
        rows.map((row) => [JSON.stringify(key.map((name) => Reflect.get(row, name))), row]),
      );
      return query(db, [...byKey.values()]).compile();
    },
  };
}
