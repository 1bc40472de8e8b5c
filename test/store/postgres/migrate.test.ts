import type { Client } from 'pg';
import { afterAll, describe, expect, test } from '#jest';
import { AppError } from '../../../src/model/error.ts';
import { migrate, migrations } from '../../../src/store/postgres/migrate.ts';
import { dwellProcess } from '../../support/dwell-process.ts';
import {
  addressIn,
  emptyDatabase,
  endConnections,
  queryOnce,
  untilNoDwell,
  untilRow,
} from '../../support/postgres-database.ts';
import { readPostgresSchema, schemaAfter } from '../../support/read-schema.ts';
import { storeEngine, withDatabase } from '../../support/store-engine.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const nothing = () => {};
const whole = await readPostgresSchema(addressIn('dwell'));
const takenIn = async (url: string) =>
  (await queryOnce(url, 'SELECT name FROM kysely_migration ORDER BY name')).map(({ name }) => name);

/** A step waits as soon as it makes a table of this name, for as long as a lock of this number is taken. */
async function stopStepAt(client: Client, table: string, lock: number): Promise<void> {
  await client.query(`
    SELECT pg_advisory_lock(${lock});
    CREATE FUNCTION wait_for_test() RETURNS event_trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF EXISTS (SELECT FROM pg_event_trigger_ddl_commands() WHERE object_identity = 'public.${table}') THEN
        PERFORM pg_advisory_xact_lock(${lock});
      END IF;
    END $$;
    CREATE EVENT TRIGGER wait_for_test ON ddl_command_end WHEN TAG IN ('CREATE TABLE')
      EXECUTE FUNCTION wait_for_test()`);
}

const isWaiting = `SELECT 1 FROM pg_locks
  WHERE locktype = 'advisory' AND NOT granted
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;

async function removeStop(client: Client, lock: number): Promise<void> {
  await client.query(
    `SELECT pg_advisory_unlock(${lock}); DROP EVENT TRIGGER wait_for_test; DROP FUNCTION wait_for_test`,
  );
}

describe('of processes that start at once on an empty database', () => {
  test('one makes the schema while the others wait, and all find it whole', async () => {
    const url = await emptyDatabase();
    await withDatabase(url, async (client) => {
      await stopStepAt(client, 'work', 1);
      const starts = Array.from({ length: 3 }, () => migrate(url, nothing));
      // The first waits for the test, the others for the first.
      await untilRow(client, `${isWaiting} OFFSET 2`);
      await removeStop(client, 1);
      await Promise.all(starts);
    });
    expect(await readPostgresSchema(url)).toEqual(whole);
    expect(await takenIn(url)).toEqual(await takenIn(addressIn('dwell')));
  });
});

test('of processes that upgrade a store at once one says what it does, and the others that they wait for it', async () => {
  const last = Object.keys(migrations).at(-1);
  const url = await emptyDatabase('TEMPLATE dwell');
  await queryOnce(url, 'DROP TABLE audit');
  await queryOnce(url, `DELETE FROM kysely_migration WHERE name = '${last}'`);
  const steps: string[] = [];
  await withDatabase(url, async (client) => {
    await stopStepAt(client, 'audit', 4);
    const starts = [0, 1].map(() =>
      migrate(url, ({ step, done, of }) => void steps.push(`${step} ${done} ${of}`)),
    );
    await untilRow(client, `${isWaiting} OFFSET 1`);
    const place = `${Object.keys(migrations).length - 1} ${Object.keys(migrations).length}`;
    expect(steps.toSorted()).toEqual([
      `changing tables ${place}`,
      `waiting for another process that upgrades the store ${place}`,
    ]);
    await removeStop(client, 4);
    await Promise.all(starts);
  });
  expect(steps).toHaveLength(2);
  expect(await readPostgresSchema(url)).toEqual(whole);
});

describe('a start that ends inside a step', () => {
  test.each([
    ['area', 0],
    ['cache_entry', 0],
    ['blob_part', 1],
  ])(
    'because the database ends its connection at the table %s leaves the schema of %i steps',
    async (table, steps) => {
      const url = await emptyDatabase();
      await withDatabase(url, async (client) => {
        await stopStepAt(client, table, 2);
        const start = migrate(url, nothing);
        const refused = expect(start).rejects.toThrow('The database in DATABASE_URL cannot be opened');
        await untilRow(client, isWaiting);
        expect(await endConnections(client)).toBe(1);
        await refused;
        await removeStop(client, 2);
      });
      const before = Object.values(migrations).slice(0, steps);
      expect(await readPostgresSchema(url)).toEqual(await schemaAfter(before));
      await migrate(url, nothing);
      expect(await readPostgresSchema(url)).toEqual(whole);
    },
  );

  test('because the process is killed leaves nothing, and the next start completes it', async () => {
    const folder = temporaryFolder();
    const url = storeEngine.environment(folder).DATABASE_URL ?? '';
    await emptyDatabase('', new URL(url).pathname.slice(1));
    await withDatabase(url, async (client) => {
      await stopStepAt(client, 'watch_alert', 3);
      const { process, ended } = dwellProcess(folder, 'tokens');
      await untilRow(client, isWaiting);
      process.kill('SIGKILL');
      expect((await ended).code).toBeNull();
      await removeStop(client, 3);
      await untilNoDwell(client);
    });
    expect(await readPostgresSchema(url)).toEqual({});
    expect(await dwellProcess(folder, 'tokens').ended).toMatchObject({ code: 0, err: '' });
    expect(await readPostgresSchema(url)).toEqual(whole);
  });
});

describe('a database that a later Dwell has written', () => {
  async function ahead(...steps: string[]): Promise<string> {
    const url = await emptyDatabase('TEMPLATE dwell');
    for (const step of steps)
      await queryOnce(url, "INSERT INTO kysely_migration VALUES ($1, '2027-01-01T00:00:00Z')", [step]);
    return url;
  }

  const known = Object.keys(migrations);
  const last = known.at(-1) ?? '';
  /** The name of a step of a version that is so many ahead. */
  const stepOf = (ahead: number, name: string) =>
    `${String(Number.parseInt(last, 10) + ahead).padStart(4, '0')}-${name}`;

  test('is opened where it is one version ahead', async () => {
    const steps = [stepOf(1, 'first'), stepOf(1, 'second')];
    const url = await ahead(...steps);
    await migrate(url, nothing);
    expect(await takenIn(url)).toEqual([...known, ...steps]);
  });

  test('is refused where it is two versions ahead, and stays as it is', async () => {
    const steps = [stepOf(1, 'next'), stepOf(2, 'last')];
    const url = await ahead(...steps);
    await expect(migrate(url, nothing)).rejects.toThrow(
      `The database in DATABASE_URL cannot be used: it was written by a newer Dwell (schema ${steps[1]}, this one knows ${last}). Try: a newer Dwell, or another database.`,
    );
    expect(await takenIn(url)).toEqual([...known, ...steps]);
  });
});

describe('what is wrong with an address is said in words, without its user and password', () => {
  const roles = ['secured', 'barred', 'guest'];
  afterAll(() => queryOnce(addressIn('postgres'), `DROP ROLE IF EXISTS ${roles.join(', ')}`));

  test.each<readonly [string, () => string | Promise<string>, string]>([
    [
      'a wrong password',
      () => addressIn('dwell', 'secured:guessed'),
      'opened: it does not accept the user and password of its address. Check both.',
    ],
    [
      'no password where one is wanted',
      () => addressIn('dwell', 'secured'),
      'opened: it wants a password, and the address has none. Write it as postgres://user:password@host:5432/dwell, or set PGPASSWORD.',
    ],
    [
      'a user who cannot connect',
      () => addressIn('dwell', 'barred:x'),
      'opened: it does not accept the user and password of its address. Check both.',
    ],
    [
      'an unknown user',
      () => addressIn('dwell', 'stranger:x'),
      'opened: it does not accept the user and password of its address.',
    ],
    [
      'an unknown database',
      () => addressIn('no_such'),
      'opened: there is no database "no_such". As a user that can create databases: CREATE DATABASE "no_such" OWNER "dwell" ENCODING \'UTF8\' TEMPLATE template0.',
    ],
    [
      'a port where nothing runs',
      () => 'postgres://dwell:word@127.0.0.1:1/dwell',
      'opened: no PostgreSQL answers at 127.0.0.1:1. Check the address, and that the server runs.',
    ],
    [
      'a name of both IPv4 and IPv6 where nothing runs',
      () => 'postgres://dwell:word@localhost:1/dwell',
      'opened: no PostgreSQL answers at localhost:1.',
    ],
    [
      'an unknown host',
      () => 'postgres://dwell:word@database.invalid/dwell',
      'opened: no PostgreSQL answers at database.invalid:5432.',
    ],
    [
      'a database of bytes in any encoding',
      () => emptyDatabase("TEMPLATE template0 ENCODING 'SQL_ASCII' LOCALE 'C'"),
      "used: its texts are encoded as SQL_ASCII. Try: CREATE DATABASE dwell ENCODING 'UTF8' TEMPLATE template0.",
    ],
    [
      'a database of Latin letters',
      () => emptyDatabase("TEMPLATE template0 ENCODING 'LATIN1' LOCALE 'C'"),
      'used: its texts are encoded as LATIN1.',
    ],
    [
      'a user who cannot create tables',
      async () => addressIn(new URL(await emptyDatabase()).pathname.slice(1), 'guest:x'),
      'opened: its user cannot create tables there. Try: the user who owns the database.',
    ],
  ])('%s', async (_, address, words) => {
    for (const role of roles)
      await queryOnce(
        addressIn('postgres'),
        `DO $$ BEGIN CREATE ROLE ${role} PASSWORD 'word'; EXCEPTION WHEN duplicate_object THEN NULL; END $$;
         ALTER ROLE ${role} ${role === 'barred' ? 'NOLOGIN' : 'LOGIN'}`,
      );
    const url = await address();
    const error = await migrate(url, nothing).catch((reason: unknown) => reason);
    if (!(error instanceof AppError)) throw error;
    expect(error.reason).toBe('store-unavailable');
    expect(error.message).toContain(`The database in DATABASE_URL cannot be ${words}`);
    for (const secret of ['secured', 'guessed', 'barred', 'stranger', 'dwell:word', 'guest', ':x'])
      expect(`${error.message} ${error.details.join(' ')}`).not.toContain(secret);
  });
});
