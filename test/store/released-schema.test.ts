import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { CompiledQuery, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { describe, expect, test } from '#jest';
import type { Engine } from '../../src/store/sql/engine.ts';
import { fixture } from '../support/fixture.ts';
import { migrations, type Schema, schemaAfter, statementsOf } from '../support/read-schema.ts';
import { storeEngine } from '../support/store-engine.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { fillTenant, openStoreWithAll, readTenant, useTenant } from '../support/tenant-with-all.ts';

/** A statement of a replica of the released version, with its values. */
interface Statement {
  readonly sql: string;
  readonly values: readonly unknown[];
}

/** The schema of the released version, and its use. */
interface Released {
  readonly steps: readonly string[];
  readonly tables: Schema;
  /** In their order: everything that is written, and of what is read each statement once. */
  readonly statements: readonly Statement[];
}

/**
 * The version that may run beside this one. As long as no step was added, UPDATE=1 writes it as it is now; once there are
 * more, it stays until the version with them is released. Then the file is removed and UPDATE=1 writes it again.
 */
const file = fixture(`released-schema.${storeEngine.name}.jsonl`);
const steps = Object.keys(migrations);

async function recordStatements(): Promise<readonly Statement[]> {
  const statements: Statement[] = [];
  const known = new Set<string>();
  const store = await openStoreWithAll(temporaryFolder(), (sql, values) => {
    if (!isRead({ sql }) || !known.has(sql)) statements.push({ sql, values: values.map(asJson) });
    known.add(sql);
  });
  const tenant = store.forTenant('acme');
  await fillTenant(tenant);
  await readTenant(tenant);
  await useTenant(tenant);
  await store.close();
  return statements;
}

function isRead({ sql }: Pick<Statement, 'sql'>): boolean {
  return /^\s*select\b(?!.* for update)/is.test(sql);
}

const now: Released = {
  steps,
  tables: await schemaAfter(Object.values(migrations)),
  statements: await recordStatements(),
};
const isSame = (released: Released) =>
  JSON.stringify(comparable(released)) === JSON.stringify(comparable(now));
const isRecorded = existsSync(file);
if (
  process.env.UPDATE === '1' &&
  (!isRecorded || (read().steps.join() === steps.join() && !isSame(read())))
) {
  const { statements, ...schema } = now;
  writeFileSync(file, [schema, ...statements].map((line) => `${JSON.stringify(line)}\n`).join(''));
}
const released = read();

/** Reads the file: a line of the schema, and one of each statement. */
function read(): Released {
  const [schema, ...statements] = readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  return { ...schema, statements };
}

/** Values differ each time, as random words do. */
function comparable({ statements, ...others }: Released) {
  return { ...others, statements: [...new Set(statements.map((one) => one.sql))].toSorted() };
}

function asJson(value: unknown): unknown {
  return value instanceof Uint8Array ? { bytes: Buffer.from(value).toString('base64') } : value;
}

function fromJson(value: unknown): unknown {
  const isBytes = value !== null && typeof value === 'object' && 'bytes' in value;
  return isBytes ? Buffer.from(String(value.bytes), 'base64') : value;
}

/** Runs statements of the released version. */
async function replay(engine: Engine, statements: readonly Statement[]): Promise<void> {
  for (const { sql: text, values } of statements) {
    try {
      await engine.write(({ db }) => db.executeQuery(CompiledQuery.raw(text, values.map(fromJson))));
    } catch (error) {
      throw new Error(`The released version cannot run: ${text}`, { cause: error });
    }
  }
}

describe('the steps that were released', () => {
  test('make the schema that they made then (UPDATE=1 writes it while no step was added)', async () => {
    expect(steps.slice(0, released.steps.length)).toEqual(released.steps);
    const ofThen = released.steps.flatMap((name) => migrations[name] ?? []);
    expect(await schemaAfter(ofThen)).toEqual(released.tables);
  });

  test('are used as they are recorded, until a step is added (UPDATE=1 writes it)', () => {
    const { statements } = comparable(released);
    expect(statements.length).toBeGreaterThan(80);
    if (steps.length === released.steps.length) expect(statements).toEqual(comparable(now).statements);
  });
});

describe('a replica of the released version and one of this version', () => {
  test('read and write one database', async () => {
    const folder = temporaryFolder();
    const store = await openStoreWithAll(folder);
    const engine = await storeEngine.openEngine(folder);
    await replay(engine, released.statements);
    const tenant = store.forTenant('acme');
    expect(await readTenant(tenant)).toMatchObject({ calendars: [{ name: 'Office' }], count: 2 });
    await useTenant(tenant);
    await replay(engine, released.statements.filter(isRead));
    await engine.close();
    await store.close();
  });

  test.each([
    ['a column is gone', 'alter table watch_alert drop column settled_at'],
    ['a column has another name', 'alter table watch_alert rename column settled_at to ended_at'],
    ['a table is gone', 'drop table issue_gone'],
  ])('cannot do so where %s', async (_, change) => {
    const engine = await storeEngine.openEngine(temporaryFolder());
    await engine.write(({ db }) => sql.raw(change).execute(db));
    await expect(replay(engine, released.statements)).rejects.toThrow('The released version cannot run');
    await engine.close();
  });
});

/** What a replica of the version before cannot work with, as the statements of steps have it. */
const removals: readonly (readonly [RegExp, string])[] = [
  [/\bdrop\b/i, 'removes something'],
  [/\brename\b/i, 'renames something'],
  [/\bset not null\b/i, 'requires a value'],
  [/\badd (?:column )?(?!.*\bdefault\b).*\bnot null\b/is, 'requires a value'],
  [/\balter (?:column )?\S+ (?:set data )?type\b/i, 'changes a type'],
];

/** Returns what some steps do beyond adding. */
async function removalsIn(some: readonly Migration[]): Promise<readonly string[]> {
  return (await statementsOf(some))
    .filter((text) => /^\s*(alter|create|drop)\b/i.test(text))
    .flatMap((text) => text.replaceAll(/'[^']*'/g, "''").split(/,(?=\s*(?:add|alter|drop|rename)\b)/i))
    .flatMap((text) =>
      removals.flatMap(([pattern, what]) => (pattern.test(text) ? [`${what}: ${text}`] : [])),
    );
}

const step = (text: string): Migration => ({
  async up(db) {
    await sql.raw(text).execute(db);
  },
});

describe('a step after the first', () => {
  test('only adds, so that replicas of the version before go on', async () => {
    const [first, ...others] = Object.values(migrations);
    expect((await statementsOf(first === undefined ? [] : [first])).length).toBeGreaterThan(20);
    expect(await removalsIn(others)).toEqual([]);
  });

  test.each([
    ['create table robot (name text not null, drops integer)'],
    ['create index work_holder on work (tenant, holder)'],
    ['alter table work add column note text'],
    ["alter table work add column note text default '' not null"],
    ["alter table work add column note text not null default 'type'"],
    ["update work set document = 'drop, rename'"],
  ])('can be: %s', async (text) => {
    expect(await removalsIn([step(text)])).toEqual([]);
  });

  test.each([
    ['removes something', 'alter table work drop column document'],
    ['removes something', 'drop table issue_gone'],
    ['removes something', 'drop index work_open'],
    ['renames something', 'alter table work rename to job'],
    ['renames something', 'alter table work rename column owner to author'],
    ['requires a value', 'alter table work add column note text not null'],
    ['requires a value', 'alter table work alter column holder set not null'],
    [
      'requires a value',
      "alter table work add column a text not null default 'x', add column b text not null",
    ],
    ['changes a type', 'alter table work alter column served type integer'],
    ['changes a type', 'alter table work alter served set data type integer'],
  ])('cannot be one that %s: %s', async (what, text) => {
    expect(await removalsIn([step(text)])).toEqual([expect.stringContaining(what)]);
  });
});
