import { sql } from 'kysely';
import { expect, test } from '#jest';
import { AppError } from '../../src/model/error.ts';
import { readEngine, storeEngine } from '../support/store-engine.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

async function open(dataDir = temporaryFolder()) {
  const engine = await storeEngine.openEngine(dataDir);
  const put = (number: number, how = {}) =>
    engine.write(
      ({ db }) =>
        db
          .insertInto('last_number')
          .values({ tenant: 'acme', kind: String(number), number })
          .execute(),
      how,
    );
  const numbers = async () =>
    (
      await engine.db
        .selectFrom('last_number')
        .select('number')
        .where('tenant', '=', 'acme')
        .orderBy('number')
        .execute()
    ).map(({ number }) => number);
  return { dataDir, engine, put, numbers };
}

test('while another process writes, a write waits for as long as it has patience, and holds up no one', async () => {
  const { dataDir, engine, put, numbers } = await open();
  const end = await storeEngine.writeElsewhere(dataDir);
  const patient = put(1);
  const failure = await put(2, { lockTimeoutMs: 0 }).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(AppError);
  expect(failure).toMatchObject({ reason: 'store-unavailable' });
  expect(engine.reasonOf(failure instanceof AppError && failure.cause)).toBe('busy');
  expect(await numbers()).toEqual([]);
  await end();
  await patient;
  expect(await numbers()).toEqual([1]);
  engine.close();
});

test('a list of any length is one parameter', async () => {
  const { engine, put } = await open();
  for (const number of [1, 2, 3]) await put(number);
  const many = Array.from({ length: 5_000 }, (_, i) => i + 2);
  const found = await engine.db
    .selectFrom('last_number')
    .select('number')
    .where('tenant', '=', 'acme')
    .where(engine.isOneOf('number', many))
    .orderBy('number')
    .execute();
  expect(found).toEqual([{ number: 2 }, { number: 3 }]);
  engine.close();
});

test('a write that fails leaves nothing, and says in words what is no fault of the program', async () => {
  const { engine, put, numbers } = await open();
  await put(1);
  const failing = engine.write(async (tx) => {
    await tx.db.deleteFrom('last_number').where('tenant', '=', 'acme').execute();
    await sql`nonsense`.execute(tx.db);
  });
  await expect(failing).rejects.not.toBeInstanceOf(AppError);
  expect(await numbers()).toEqual([1]);
  engine.close();
});

test('suites of the store run over the engine that is named, and over SQLite where none is', () => {
  expect([readEngine('postgres').name, readEngine(undefined).name]).toEqual(['postgres', 'sqlite']);
});

test('an engine that is not there is refused', () => {
  expect(() => readEngine('oracle')).toThrow("STORE_ENGINE 'oracle' is not known. Try: sqlite, postgres.");
});
