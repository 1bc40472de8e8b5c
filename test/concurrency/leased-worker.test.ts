import { pino } from 'pino';
import { describe, expect, test } from '#jest';
import { createLeasedWorker, type Lease } from '../../src/concurrency/leased-worker.ts';
import { createPoller } from '../../src/concurrency/poller.ts';
import { asActor, currentActor, inRequest, newRequest } from '../../src/concurrency/request-scope.ts';
import type { Actor } from '../../src/model/audit.ts';

const failed = 'a thing failed and will be repeated';
const settled = () => new Promise(setImmediate);

/** A worker over things that are claimed in order; a test ends the work on each by name. */
type Parts = Parameters<typeof createLeasedWorker<string, string>>[0];

function aWorker(given: readonly string[], changes: Partial<Parts> = {}) {
  const left = [...given];
  const ends = new Map<string, () => void>();
  const [begun, problems, leases]: [string[], string[], Lease[]] = [[], [], []];
  const released: string[] = [];
  const worker = createLeasedWorker<string, string>({
    holder: 'us',
    now: () => 1_000,
    leaseMs: 500,
    renewMs: null,
    concurrency: 2,
    claim: async (lease) => {
      leases.push(lease());
      return left.shift() ?? null;
    },
    renew: async () => true,
    release: async (item, notBefore) => void released.push(`${item}: ${notBefore}`),
    async work({ item, signal }) {
      begun.push(item);
      await new Promise<void>((resolve, reject) => {
        ends.set(item, resolve);
        signal.addEventListener('abort', () => reject(new Error(`${item} was let go`)));
      });
      return null;
    },
    name: 'a thing',
    idsOf: (item) => ({ item }),
    log: pino(
      { level: 'warn' },
      {
        write(line: string) {
          const { item, msg, err } = JSON.parse(line);
          problems.push([...(item === undefined ? [] : [item]), msg, err.message].join(': '));
        },
      },
    ),
    ...changes,
  });
  worker.start('slack');
  return { worker, left, begun, problems, released, leases, end: (item: string) => ends.get(item)?.() };
}

test('so many things are worked on at a time, each under a lease, until there are none', async () => {
  const { worker, begun, end, leases } = aWorker(['a', 'b', 'c']);
  const tick = worker.tick();
  await settled();
  expect(begun).toEqual(['a', 'b']);
  end('b');
  await settled();
  expect(begun).toEqual(['a', 'b', 'c']);
  end('a');
  end('c');
  await tick;
  expect(leases[0]).toEqual({ holder: 'us', until: 1_500 });
});

test('what fails is reported and let go of for a minute, and the next thing is worked on', async () => {
  const { worker, problems, released, left } = aWorker(['a', 'b'], {
    work: async ({ item }) => {
      throw new Error(`no ${item}`);
    },
  });
  await worker.tick();
  expect(problems).toEqual(['a', 'b'].map((item) => `${item}: work on ${failed}: no ${item}`));
  expect(released).toEqual(['a: 61000', 'b: 61000']);
  expect(left).toEqual([]);
  const broken = aWorker(['a'], {
    claim: async () => {
      throw new Error('no store');
    },
  });
  await broken.worker.tick();
  expect(broken.problems).toEqual([`looking for ${failed}: no store`]);
});

test('what has not come to its end is let go of until it is to be taken up again', async () => {
  const { worker, released, problems } = aWorker(['a', 'b', 'c'], {
    work: async ({ item, door }) => {
      if (item === 'b') return null;
      return item === 'a' ? 5_000 : async () => door.length;
    },
  });
  await worker.tick();
  await settled();
  expect([released, problems]).toEqual([['a: 5000', 'c: 5'], []]);
});

test('what another process has by now cannot be written, and is lost', async () => {
  const { worker, problems } = aWorker(['a'], {
    async work({ hold }) {
      await hold.write(async () => true, 'It is busy.');
      await hold.write(async () => false, 'It is busy.').catch(({ reason }) => problems.push(reason));
      await hold.write(async () => true, 'It is busy.');
      return null;
    },
  });
  await worker.tick();
  expect(problems).toEqual(['busy-elsewhere', `a: work on ${failed}: It is busy.`]);
});

test('a kick during a look is followed by another one', async () => {
  const { worker, left, begun, end } = aWorker([]);
  worker.kick();
  left.push('a');
  worker.kick();
  await settled();
  expect(begun).toEqual(['a']);
  end('a');
  await worker.tick();
});

describe('a lease', () => {
  test('that is lost ends the work, and nothing is renewed after that', async () => {
    let renewals = 0;
    const { worker, problems } = aWorker(['a'], {
      renewMs: 2,
      renew: async () => {
        renewals += 1;
        return false;
      },
    });
    await worker.tick();
    expect(problems).toEqual([`a: work on ${failed}: a was let go`]);
    const before = renewals;
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect([before, renewals]).toEqual([1, 1]);
  });

  test('that cannot be renewed now is still held', async () => {
    const { worker, end, problems } = aWorker(['a'], {
      renewMs: 2,
      renew: async () => {
        throw new Error('busy');
      },
    });
    const tick = worker.tick();
    while (problems.length < 2) await settled();
    end('a');
    await tick;
    expect(new Set(problems)).toEqual(new Set(['a: the lease of a thing could not be renewed: busy']));
  });

  test('is held for what goes on beside the next work', async () => {
    const rest = Promise.withResolvers<void>();
    const lost: AbortSignal[] = [];
    const { worker, left } = aWorker(['a', 'b'], {
      concurrency: 1,
      async work({ hold }) {
        lost.push(hold.lost);
        return async () => {
          await rest.promise;
          return null;
        };
      },
    });
    await worker.tick();
    expect(left).toEqual([]);
    expect(lost.map(({ aborted }) => aborted)).toEqual([false, false]);
    rest.resolve();
    await settled();
    expect(lost.map(({ aborted }) => aborted)).toEqual([true, true]);
  });
});

test('who stops claims nothing more, and waits for what is under way no longer than that', async () => {
  const { worker, begun, problems, left } = aWorker(['a', 'b', 'c', 'd'], {
    work: async ({ item }) => {
      begun.push(item);
      await new Promise(() => {});
      return null;
    },
  });
  void worker.tick();
  await settled();
  await worker.stop(5);
  expect(worker.isOver()).toBe(true);
  expect([begun, left, problems]).toEqual([['a', 'b'], ['c', 'd'], []]);
  await worker.tick();
  worker.kick();
  await settled();
  expect(left).toEqual(['c', 'd']);
});

test("work for everyone is not that of the one whose request it begins with, but the clock's", async () => {
  const actors: Actor[] = [];
  const poller = createPoller({ poll: async () => void actors.push(currentActor()), onProblem: () => {} });
  await inRequest(newRequest('http', 'r1'), () =>
    asActor({ account: 'eve', via: 'rest', tokenId: 't1' }, () => poller.tick()),
  );
  expect(actors).toEqual([{ account: null, via: 'clock', tokenId: null, requestId: null }]);
});
