import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterEach, describe, expect, test } from '#jest';
import { openAreas } from '../../src/store/sql/areas.ts';
import type { Engine } from '../../src/store/sql/engine.ts';
import type { Queries } from '../../src/store/sql/tables.ts';
import { seeded } from '../support/seeded.ts';
import { runs, soaking } from '../support/soak.ts';
import { storeEngine } from '../support/store-engine.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const WRITERS = 6;
const MAX_TRANSACTION_MS = 4;
const changes = Math.ceil(runs(900) / WRITERS) * WRITERS;

let opened: { close(): void | Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(opened.map((one) => one.close()));
  opened = [];
});

async function open(dataDir: string): Promise<Engine> {
  const engine = await storeEngine.openEngine(dataDir);
  opened.push(engine);
  return engine;
}

const of = { tenant: 'acme', tracker: 'file' } as const;

/** A change under its number, in a transaction that goes on for as long as `meanwhile`. */
type Write = (key: string, meanwhile: () => Promise<unknown>) => Promise<void>;

const put = (db: Queries, key: string, revision: number) =>
  db
    .insertInto('issue_gone')
    .values({ ...of, key, revision })
    .execute();

/** Changes are numbered by the counter of their area. */
const byCounter = (engine: Engine): Write => {
  const areas = openAreas(engine, of.tenant);
  return (key, meanwhile) =>
    areas.write('issues', async (tx) => {
      await put(tx.db, key, tx.next());
      await meanwhile();
    });
};

/** Changes are numbered by a sequence of the database, as they must not be. */
const bySequence =
  (engine: Engine): Write =>
  (key, meanwhile) =>
    engine.write(async ({ db }) => {
      const { rows } = await sql<{ number: number }>`select nextval('change') as number`.execute(db);
      await put(db, key, Number(rows[0]?.number));
      await meanwhile();
    });

/** Follows changes: each look asks for those after the last one it has seen. */
function followerOf({ db }: Engine) {
  const seen: string[] = [];
  let last = 0;
  return {
    seen,
    /** Resolves to true where there were some. */
    async look(): Promise<boolean> {
      const rows = await db
        .selectFrom('issue_gone')
        .select(['key', 'revision'])
        .where((row) => row.and(of))
        .where('revision', '>', last)
        .orderBy('revision')
        .execute();
      for (const { key, revision } of rows) {
        seen.push(key);
        last = revision;
      }
      return rows.length > 0;
    },
  };
}

/** A moment that is waited for until it has come. */
function moment() {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { promise, come: resolve };
}

/** Six writers at once, and one who follows them: what it has seen in the end, and how often it found some. */
async function trial(
  numbered: (engine: Engine) => Write,
  prepare: (engine: Engine) => Promise<unknown> = async () => {},
) {
  const dataDir = temporaryFolder();
  const engine = await open(dataDir);
  await prepare(engine);
  const follower = followerOf(engine);
  const engines = await Promise.all(Array.from({ length: WRITERS }, () => open(dataDir)));
  const random = seeded(36);
  let isWriting = true;
  const writing = Promise.all(
    engines.map(numbered).map(async (write, writer) => {
      for (let i = 0; i < changes / WRITERS; i += 1)
        await write(`${writer}-${i}`, () => pause(Math.floor(random() * (MAX_TRANSACTION_MS + 1))));
    }),
  ).finally(() => {
    isWriting = false;
  });
  let finds = 0;
  while (isWriting) {
    finds += Number(await follower.look());
    await pause(1);
  }
  await writing;
  await follower.look();
  return { seen: follower.seen, finds };
}

const addSequence = (engine: Engine) => engine.write(({ db }) => sql`create sequence change`.execute(db));

describe('one who follows changes after the last one it has seen', () => {
  test(`sees all ${changes} of six writers`, async () => {
    const { seen, finds } = await trial(byCounter);
    expect(seen).toHaveLength(changes);
    expect(new Set(seen).size).toBe(changes);
    // While they wrote, or it would prove nothing.
    expect(finds).toBeGreaterThan(5);
  });

  /** One transaction has its number and is open while another begins: what a follower has seen in the end. */
  async function twoAtOnce(numbered: (engine: Engine) => Write, isOtherFirst: boolean) {
    const dataDir = temporaryFolder();
    const follower = followerOf(await open(dataDir));
    const [one, other] = [await open(dataDir), await open(dataDir)];
    if (isOtherFirst) await addSequence(one);
    const [isNumbered, mayEnd] = [moment(), moment()];
    const first = numbered(one)('first', async () => {
      isNumbered.come();
      await mayEnd.promise;
    });
    await isNumbered.promise;
    const second = numbered(other)('second', async () => {});
    if (isOtherFirst) await second;
    await follower.look();
    mayEnd.come();
    await Promise.all([first, second]);
    await follower.look();
    return follower.seen;
  }

  test('waits for a number that is taken until its change can be seen', async () => {
    expect(await twoAtOnce(byCounter, false)).toEqual(['first', 'second']);
  });

  if (storeEngine.name === 'postgres') {
    test('would lose a change where a sequence gave the numbers', async () => {
      expect(await twoAtOnce(bySequence, true)).toEqual(['second']);
    });
  }
  if (storeEngine.name === 'postgres' && soaking) {
    test(`would lose some of ${changes} where a sequence gave the numbers`, async () => {
      expect((await trial(bySequence, addSequence)).seen.length).toBeLessThan(changes);
    });
  }
});
