import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, expect, test } from '#jest';
import { openAreas } from '../../src/store/sql/areas.ts';
import { openDocuments } from '../../src/store/sql/documents.ts';
import type { Engine } from '../../src/store/sql/engine.ts';
import type { Queries } from '../../src/store/sql/tables.ts';
import type { Fault } from '../support/broken-engines.ts';
import { runs } from '../support/soak.ts';
import { storeEngine } from '../support/store-engine.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/**
 * Calls that run side by side. Each write adds one to all halves of a thing, one after the other; a thing whose halves
 * differ, or that has a wrong number, was written or read amid another's transaction.
 */
interface Call {
  readonly does:
    | 'writes rows'
    | 'reads rows'
    | 'reads a state'
    | 'writes documents'
    | 'reads documents'
    | 'adds';
  readonly thing: 'red' | 'blue';
  /** It writes nonsense, and throws at its end. */
  readonly fails: boolean;
  readonly isDurable: boolean;
  /** Turns of the event loop, or of the microtasks, or some statements, before it begins and between its own statements. */
  readonly pauses: readonly ('none' | 'short' | 'turn' | 'long')[];
}

const calls: fc.Arbitrary<readonly Call[]> = fc.array(
  fc.record<Call>({
    does: fc.constantFrom(
      ...(['writes rows', 'reads rows', 'reads a state'] as const),
      ...(['writes documents', 'reads documents', 'adds'] as const),
    ),
    thing: fc.constantFrom('red', 'blue'),
    fails: fc.boolean(),
    isDurable: fc.boolean(),
    pauses: fc.array(fc.constantFrom('none', 'short', 'turn', 'long'), { minLength: 4, maxLength: 4 }),
  }),
  { minLength: 2, maxLength: 14 },
);

const NONSENSE = -1;

/** A write has taken fewer statements by the time it has written a half. */
const LONG = 6;

class Meant extends Error {}

/** What a number may be: at least what was written before a call began, at most what else may have been by its end. */
class Counter {
  begun = 0;
  written = 0;

  async add(write: () => Promise<unknown>): Promise<void> {
    this.begun += 1;
    await write();
    this.written += 1;
  }

  /** All that is read is the same, and may be so. */
  async check(read: () => Promise<readonly number[]>): Promise<void> {
    const least = this.written;
    const [first, ...others] = await read();
    for (const other of others) expect(other).toBe(first);
    expect(first).toBeGreaterThanOrEqual(least);
    expect(first).toBeLessThanOrEqual(this.begun);
  }
}

/** A document: half of what is written together, or one that is added under its number. */
interface Numbered {
  readonly number: number;
  readonly half?: string;
}

let tenants = 0;

/** Runs calls over an engine, as a tenant that no other run has; fails where something is not as the model has it. */
async function interleave(engine: Engine, calls: readonly Call[], isInTurn = false): Promise<void> {
  tenants += 1;
  const tenant = String(tenants);
  const areas = openAreas(engine, tenant);
  const counters = new Map(
    ['red', 'blue', 'red documents', 'blue documents'].map((name) => [name, new Counter()]),
  );
  const counterOf = (name: string) => counters.get(name) ?? new Counter();
  const documents = { red: documentsOf('red'), blue: documentsOf('blue') };
  const added = { red: new Set<number>(), blue: new Set<number>() };

  async function pause(how: Call['pauses'][number] = 'none'): Promise<void> {
    if (how === 'short') await null;
    if (how === 'turn') await setImmediate();
    if (how === 'long') for (let i = 0; i < LONG; i += 1) await halfOf(engine.db, 'none');
  }

  function documentsOf(kind: string) {
    return openDocuments<Numbered>(engine, areas, { tenant, kind, audit: null });
  }

  const halfOf = async (db: Queries, kind: string) =>
    (
      await db
        .selectFrom('last_number')
        .select('number')
        .where('tenant', '=', tenant)
        .where('kind', '=', kind)
        .executeTakeFirst()
    )?.number ?? 0;

  const putHalf = (db: Queries, kind: string, number: number) =>
    db
      .insertInto('last_number')
      .values({ tenant, kind, number })
      .onConflict((found) => found.columns(['tenant', 'kind']).doUpdateSet({ number }))
      .execute();

  const bothOf = async (db: Queries, thing: string) => {
    const rows = await db
      .selectFrom('last_number')
      .select('number')
      .where('tenant', '=', tenant)
      .where('kind', 'in', [`${thing} left`, `${thing} right`])
      .execute();
    return rows.length === 0 ? [0] : rows.map(({ number }) => number);
  };

  const work: Readonly<Record<Call['does'], (call: Call) => Promise<unknown>>> = {
    'writes rows': ({ thing, fails, isDurable, pauses }) =>
      writing(counterOf(thing), fails, () =>
        areas.write(
          `${thing} rows`,
          async ({ db }) => {
            const before = await halfOf(db, `${thing} left`);
            await pause(pauses[1]);
            await putHalf(db, `${thing} left`, fails ? NONSENSE : before + 1);
            await pause(pauses[2]);
            await putHalf(db, `${thing} right`, before + 1);
            await pause(pauses[3]);
            if (fails) throw new Meant();
          },
          { isDurable },
        ),
      ),
    'reads rows': ({ thing }) => counterOf(thing).check(() => bothOf(engine.db, thing)),
    'reads a state': ({ thing, pauses }) =>
      counterOf(thing).check(() =>
        engine.read(async ({ db }) => {
          const left = await halfOf(db, `${thing} left`);
          await pause(pauses[1]);
          const right = await halfOf(db, `${thing} right`);
          await pause(pauses[2]);
          return [left, right, await halfOf(db, `${thing} left`), ...(await bothOf(db, thing))];
        }),
      ),
    'writes documents': ({ thing, fails }) =>
      writing(counterOf(`${thing} documents`), fails, () =>
        documents[thing].changeAll(['left', 'right'], ([left, right]) => {
          if (fails) throw new Meant();
          return [
            { half: 'left', number: (left?.number ?? 0) + 1 },
            { half: 'right', number: (right?.number ?? 0) + 1 },
          ];
        }),
      ),
    'reads documents': ({ thing, pauses }) =>
      counterOf(`${thing} documents`).check(async () => {
        await pause(pauses[1]);
        const all = await documents[thing].list();
        return ['left', 'right'].map((half) => all.find((one) => one.half === half)?.number ?? 0);
      }),
    adds: ({ thing, fails }) =>
      writing(null, fails, async () => {
        const { number } = await documents[thing].addNumbered({ name: 'shelf', first: 1 }, (number) => {
          if (fails) throw new Meant();
          return { number };
        });
        expect(added[thing]).not.toContain(number);
        added[thing].add(number);
      }),
  };

  const run = async (call: Call) => {
    await pause(call.pauses[0]);
    await work[call.does](call);
  };
  if (isInTurn) for (const call of calls) await run(call);
  const ended = isInTurn ? [] : await Promise.allSettled(calls.map(run));
  for (const one of ended) if (one.status === 'rejected') throw one.reason;
  for (const thing of ['red', 'blue'] as const) {
    await counterOf(thing).check(() => bothOf(engine.db, thing));
    expect(counterOf(thing).begun).toBe(counterOf(thing).written);
    // As another process finds them.
    const all = await openDocuments<Numbered>(engine, openAreas(engine, tenant), {
      ...{ tenant, kind: thing, audit: null },
    }).list();
    const { written } = counterOf(`${thing} documents`);
    const halves = written === 0 ? [] : ['left', 'right'].map((half) => ({ half, number: written }));
    // A call that failed has used up no number.
    const numbers = Array.from({ length: added[thing].size }, (_, i) => ({ number: i + 1 }));
    const known = (some: readonly Numbered[]) => some.map((one) => JSON.stringify(one)).toSorted();
    expect(known(all)).toEqual(known([...halves, ...numbers]));
  }
}

/** One that is to fail does so with its own error, and leaves nothing. */
async function writing(
  counter: Counter | null,
  fails: boolean,
  write: () => Promise<unknown>,
): Promise<void> {
  if (fails) await expect(write()).rejects.toBeInstanceOf(Meant);
  else if (counter === null) await write();
  else await counter.add(write);
}

const property = (engine: Engine, isInTurn = false) =>
  fc.asyncProperty(calls, (some) => interleave(engine, some, isInTurn));

const engine = await storeEngine.openEngine(temporaryFolder());
afterAll(() => engine.close());

test('calls that run side by side do not land in each other’s transactions', async () => {
  await fc.assert(property(engine), { numRuns: runs(500) });
});

test.each<Fault>(['reads on the connection that writes', 'begins no transaction of its own'])(
  'an engine that %s is found out',
  async (fault) => {
    const broken = await storeEngine.openBroken(temporaryFolder(), fault);
    const { failed } = await fc.check(property(broken), {
      numRuns: runs(500),
      endOnFailure: true,
    });
    expect(failed).toBe(true);
    broken.close();
    // It does all else right.
    const fresh = await storeEngine.openBroken(temporaryFolder(), fault);
    await fc.assert(property(fresh, true), { numRuns: runs(50) });
    fresh.close();
  },
);
