import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '#jest';
import { AppError } from '../../../src/model/error.ts';
import { migrate } from '../../../src/store/postgres/migrate.ts';
import { openEngine, type PostgresEngine } from '../../../src/store/postgres/open-engine.ts';
import { openSignals } from '../../../src/store/postgres/postgres-signals.ts';
import type { Tx } from '../../../src/store/sql/engine.ts';
import { addressIn, emptyDatabase, endConnections, untilRow } from '../../support/postgres-database.ts';
import { startPostgres } from '../../support/postgres-server.js';
import { soaking } from '../../support/soak.ts';

let url: string;
let engine: PostgresEngine;
/** A connection beside, which is none of Dwell's. */
let admin: Client;

beforeEach(async () => {
  url = await emptyDatabase('TEMPLATE dwell STRATEGY FILE_COPY');
  engine = await openEngine(url);
  admin = new Client({ connectionString: url });
  await admin.connect();
});
afterEach(async () => {
  await engine.close();
  await admin.end();
});

const put = ({ db }: Pick<Tx, 'db'>, kind: string) =>
  db.insertInto('last_number').values({ tenant: 'acme', kind, number: 1 }).execute();
const kinds = async ({ db } = engine) =>
  (
    await db.selectFrom('last_number').select('kind').where('tenant', '=', 'acme').orderBy('kind').execute()
  ).map(({ kind }) => kind);
const processId = async ({ db }: Pick<Tx, 'db'>) =>
  (await sql<{ id: number }>`select pg_backend_pid() as id`.execute(db)).rows[0]?.id;

async function failureOf(work: Promise<unknown>): Promise<AppError> {
  const error = await work.catch((reason: unknown) => reason);
  if (!(error instanceof AppError)) throw new Error('It did not fail in words.', { cause: error });
  expect(error.reason).toBe('store-unavailable');
  return error;
}

describe('a connection that ends', () => {
  test('between two statements of a transaction leaves nothing of it, and the next comes through', async () => {
    const failure = await failureOf(
      engine.write(async (tx) => {
        await put(tx, 'first');
        expect(await endConnections(admin)).toBe(1);
        await put(tx, 'second');
      }),
    );
    expect(engine.reasonOf(failure.cause)).toBe('unavailable');
    expect(await kinds()).toEqual([]);
    await engine.write((tx) => put(tx, 'third'));
    expect(await kinds()).toEqual(['third']);
  });

  test('while no one uses it is replaced by the next that is needed', async () => {
    const before = await processId(engine);
    // The end may come through later than the answer to what ended it.
    const removed = new Promise((resolve) => engine.pool.once('remove', resolve));
    expect(await endConnections(admin)).toBe(1);
    await removed;
    expect(await processId(engine)).not.toBe(before);
  });

  test('before the end of a transaction leaves nothing of it', async () => {
    await failureOf(
      engine.write(async (tx) => {
        await put(tx, 'first');
        await endConnections(admin);
      }),
    );
    expect(await kinds()).toEqual([]);
  });

  test('while a statement runs says so', async () => {
    const slow = failureOf(engine.read(({ db }) => sql`select pg_sleep(60)`.execute(db)));
    await untilRow(
      admin,
      "SELECT 1 FROM pg_stat_activity WHERE query LIKE 'select pg_sleep%' AND state = 'active'",
    );
    await endConnections(admin);
    expect(engine.reasonOf((await slow).cause)).toBe('unavailable');
    expect(await kinds()).toEqual([]);
  });

  test.each([
    ['a question', async () => expect(await kinds()).toEqual([])],
    ['a transaction that reads', () => engine.read(processId)],
    ['a transaction that writes', () => engine.write((tx) => put(tx, 'next'))],
  ])('while no one uses it, just before it is needed, is made up for: %s', async (_, next) => {
    await processId(engine);
    engine.pool.once('acquire', (client) => Reflect.get(client, 'connection').stream.destroy());
    await next();
  });
});

test('a password that was changed meanwhile, or a server that is gone, is said in words without the user', async () => {
  for (const [address, words] of [
    [addressIn('dwell', 'stranger:x'), 'it does not accept the user and password of its address. Check both'],
    ['postgres://stranger@localhost:1/dwell', 'no connection to it can be opened'],
  ] as const) {
    const elsewhere = await openEngine(address);
    const failures = [
      await failureOf(elsewhere.write(processId)),
      await failureOf(elsewhere.read(processId)),
    ];
    for (const { message } of failures)
      expect(message).toBe(`The database does not answer as it should now: ${words}.`);
    await elsewhere.close();
  }
});

describe('a statement', () => {
  test('that takes too long fails as busy, in words', async () => {
    const failure = await failureOf(
      engine.write(async ({ db }) => {
        await sql`set local statement_timeout = 20`.execute(db);
        await sql`select pg_sleep(60)`.execute(db);
      }),
    );
    expect(engine.reasonOf(failure.cause)).toBe('busy');
    expect(failure.message).toBe(
      'The database is busy: canceling statement due to statement timeout. Try again.',
    );
  });

  test('that waits too long for another transaction fails as busy, in words', async () => {
    await admin.query("BEGIN; INSERT INTO last_number VALUES ('acme', 'first', 1)");
    const failure = await failureOf(engine.write((tx) => put(tx, 'first'), { lockTimeoutMs: 20 }));
    expect(engine.reasonOf(failure.cause)).toBe('busy');
    expect(failure.message).toBe('The database is busy: canceling statement due to lock timeout. Try again.');
    await admin.query('ROLLBACK');
  });

  test('that waits in a circle with another transaction comes through when it runs again', async () => {
    await engine.write(async (tx) => {
      await put(tx, 'first');
      await put(tx, 'second');
    });
    let runs = 0;
    let waiting = 0;
    const both = Promise.withResolvers<void>();
    const raise = ({ db }: Tx, kind: string) =>
      db
        .updateTable('last_number')
        .set((row) => ({ number: row('number', '+', 1) }))
        .where('tenant', '=', 'acme')
        .where('kind', '=', kind)
        .execute();
    const write = (kinds: readonly [string, string]) =>
      engine.write(async (tx) => {
        runs += 1;
        await sql`set local deadlock_timeout = 10`.execute(tx.db);
        await raise(tx, kinds[0]);
        waiting += 1;
        if (waiting === 2) both.resolve();
        await both.promise;
        await raise(tx, kinds[1]);
      });
    await Promise.all([write(['first', 'second']), write(['second', 'first'])]);
    // Both may notice the circle at once, and both are rolled back then.
    expect(runs).toBeGreaterThanOrEqual(3);
    const numbers = await engine.db
      .selectFrom('last_number')
      .select('number')
      .where('tenant', '=', 'acme')
      .execute();
    expect(numbers).toEqual([{ number: 3 }, { number: 3 }]);
  });
});

test('a database that has become read-only refuses writes in words, and each opens a connection again', async () => {
  const before = await engine.write(processId);
  await admin.query(
    `ALTER DATABASE ${new URL(url).pathname.slice(1)} SET default_transaction_read_only = on`,
  );
  // As after a failover to a standby, which the address leads to now.
  await endConnections(admin);
  const failure = await failureOf(engine.write((tx) => put(tx, 'first')));
  expect(engine.reasonOf(failure.cause)).toBe('unavailable');
  expect(failure.message).toBe(
    'The database does not answer as it should now: cannot execute INSERT in a read-only transaction.',
  );
  await admin.query(`ALTER DATABASE ${new URL(url).pathname.slice(1)} RESET default_transaction_read_only`);
  // Only a connection that is opened now may write.
  await engine.write((tx) => put(tx, 'second'));
  expect(await engine.write(processId)).not.toBe(before);
  expect(await kinds()).toEqual(['second']);
});

test('connections to a database that was left behind are opened again, and a write comes through', async () => {
  const before = await Promise.all(
    Array.from({ length: 3 }, () =>
      engine.write(async (tx) => {
        // As sessions of a primary are that has become a standby.
        await sql`set default_transaction_read_only = on`.execute(tx.db);
        await sql`select pg_sleep(0.02)`.execute(tx.db);
        return processId(tx);
      }),
    ),
  );
  expect(new Set(before).size).toBe(3);
  await engine.write((tx) => put(tx, 'first'));
  expect(before).not.toContain(await processId(engine));
  expect(await kinds()).toEqual(['first']);
});

test.each([
  ['53100', 'full', 'The disk of the database is full'],
  ['53300', 'unavailable', 'does not answer as it should now: x.'],
  ['57P01', 'unavailable', 'does not answer as it should now: x.'],
])('SQLSTATE %s counts as %s', async (code, reason, words) => {
  const error = Object.assign(new Error('x'), { code });
  expect(engine.reasonOf(error)).toBe(reason);
  const failure = await failureOf(engine.write(() => Promise.reject(error)));
  expect(failure.message).toContain(words);
});

describe('a server that ends and is started again', () => {
  let server: Awaited<ReturnType<typeof startPostgres>>;
  beforeAll(async () => {
    server = await startPostgres();
    await migrate(`${server.url}/postgres`, () => {});
  });
  afterAll(() => server.stop());

  test.each(soaking ? (['QUIT', 'INT'] as const) : (['QUIT'] as const))(
    'by SIG%s is found again by questions, writes and signals',
    async (signal) => {
      const [here, there] = [
        await openEngine(`${server.url}/postgres`),
        await openEngine(`${server.url}/postgres`),
      ];
      const [receiver, sender] = [
        openSignals(`${server.url}/postgres`, here),
        openSignals(`${server.url}/postgres`, there),
      ];
      let heard = 0;
      receiver.forTenant('acme').on('sync', () => {
        heard += 1;
      });
      // It is heard once it listens.
      while (heard === 0) await pause(5);
      heard = 0;
      await here.write((tx) => put(tx, `before ${signal}`));
      const broken = failureOf(
        here.write(async (tx) => {
          await put(tx, `half ${signal}`);
          await server.restart(signal);
          await put(tx, `other half ${signal}`);
        }),
      );
      expect(here.reasonOf((await broken).cause)).toBe('unavailable');
      expect(await kinds(there)).toContain(`before ${signal}`);
      expect(await kinds(there)).not.toContain(`half ${signal}`);
      await here.write((tx) => put(tx, `after ${signal}`));
      expect(await kinds(there)).toContain(`after ${signal}`);
      // What was sent meanwhile was not heard, so all that listen are called.
      while (heard === 0) await pause(5);
      heard = 0;
      sender.forTenant('acme').send('sync');
      while (heard === 0) await pause(5);
      for (const one of [receiver, sender, here, there]) await one.close();
    },
  );
});
