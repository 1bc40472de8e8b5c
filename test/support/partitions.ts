import { type Client, Pool } from 'pg';
import type { OnStatement } from '../../src/store/sql/engine.ts';

/** Partitions of each table. */
const PARTITIONS = 8;

/** The database with the schema whose tables are all divided by their tenants. */
export const PARTITIONED = 'dwell_partitioned';

/** Statements of what operators start, which concerns all tenants. */
const jobsOfOperators: readonly RegExp[] = [
  // Every start checks that the keys of all secrets are set, and their rotation goes through all of them.
  /^select "tenant", "id", "document" from "document" where "kind" = \$1 and "tenant" in/,
];

/** Divides every table of an empty schema that has a tenant. */
export async function partition(client: Client): Promise<void> {
  const { rows } = await client.query(`
    SELECT quote_ident(relname) AS name FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid
    WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND attname = 'tenant'`);
  const statements = rows.flatMap(({ name }) => [
    `ALTER TABLE ${name} RENAME TO undivided`,
    `CREATE TABLE ${name} (LIKE undivided INCLUDING ALL) PARTITION BY HASH (tenant)`,
    'DROP TABLE undivided',
    ...Array.from(
      { length: PARTITIONS },
      (_, i) =>
        `CREATE TABLE "${i} of ${name.replaceAll('"', '')}" PARTITION OF ${name}
         FOR VALUES WITH (MODULUS ${PARTITIONS}, REMAINDER ${i})`,
    ),
  ]);
  await client.query(statements.join(';'));
}

/** Fails where a statement needs more than one partition, unless an operator has to start it. */
export async function assertOnePartition(
  connection: Pick<Client, 'query'> | Pool,
  sql: string,
  values: readonly unknown[],
): Promise<void> {
  if (jobsOfOperators.some((job) => job.test(sql))) return;
  const { rows } = await connection.query(`EXPLAIN ${sql}`, [...values]).catch((cause) => {
    throw new Error(`A statement cannot be explained: ${sql}`, { cause });
  });
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
  const used = new Set([...plan.matchAll(/ on "(\d) of /g)].map(([, number]) => number));
  if (used.size > 1) throw new Error(`A statement needs ${used.size} partitions: ${sql}\n${plan}`);
}

let pool: Pool | null = null;
const known = new Set<string>();
const running = new Set<Promise<void>>();

/** Explains each statement of this process once, on the tables that are divided; what fails is thrown by `allExplained`. */
export const explain: OnStatement = (sql, values) => {
  // Whatever the number of rows, the statement is the same.
  const statement = sql.replace(/\(\$\d+(?:, \$\d+)*\)(?:, \(\$\d+(?:, \$\d+)*\))+/, '(rows)');
  if (known.has(statement)) return;
  known.add(statement);
  pool ??= new Pool({
    connectionString: `${process.env.POSTGRES_SERVER}/${PARTITIONED}`,
    ...{ max: 1, idleTimeoutMillis: 100, allowExitOnIdle: true },
  });
  running.add(assertOnePartition(pool, sql, values));
};

/** Waits for all that is being explained. */
export async function allExplained(): Promise<void> {
  const all = [...running];
  running.clear();
  await Promise.all(all);
}
