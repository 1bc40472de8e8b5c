import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from '#jest';
import { createNamespace, type SharedCache } from '../../src/cache/namespace.ts';
import { openRedis } from '../../src/cache/redis.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { startStandInRedis, type TestRedis } from './stand-in-redis.ts';

const isInstalled = spawnSync('redis-server', ['--version']).status === 0;
const password = 'not-to-be-told';

/** Below the ports that a system gives away itself, so that it is still free when it is used a second time. */
const port = 20_000 + (process.pid % 10_000);

/** A real Redis on this machine, which keeps nothing. */
async function startRedis(): Promise<TestRedis> {
  const options = ['--port', `${port}`, '--bind', '127.0.0.1', '--save', '', '--requirepass', password];
  const server = spawn('redis-server', [...options, '--dir', temporaryFolder()]);
  let isReady = false;
  for await (const text of server.stdout) {
    isReady = String(text).includes('Ready to accept');
    if (isReady) break;
  }
  if (!isReady) throw new Error(`redis-server did not start on port ${port}`);
  server.stdout.resume();
  return {
    port,
    async stop() {
      if (server.exitCode !== null) return;
      const exited = once(server, 'exit');
      server.kill();
      await exited;
    },
  };
}

async function eventually<Value>(
  look: () => Promise<Value>,
  isIt: (value: Value) => boolean,
): Promise<Value> {
  while (true) {
    const value = await look();
    if (isIt(value)) return value;
    await setTimeout(50);
  }
}

const servers: [string, () => Promise<TestRedis>][] = [
  ['a stand-in for Redis', () => startStandInRedis(port, password)],
  // The same where a real one is installed.
  ...(isInstalled ? [['a real redis-server', startRedis] as [string, () => Promise<TestRedis>]] : []),
];

describe.each(servers)('%s', (_, startServer) => {
  const problems: unknown[] = [];
  const clock = { now: Date.parse('2026-03-02T12:00:00Z') };
  const caches: SharedCache[] = [];
  let server: TestRedis;

  const open = async () => {
    const url = `redis://:${password}@127.0.0.1:${port}/1`;
    const parts = { url, now: () => clock.now, onProblem: (error: unknown) => void problems.push(error) };
    const cache = await openRedis(parts);
    caches.push(cache);
    return <Value>(name: string, ttlMs: number, tenant = 'default') =>
      createNamespace<Value>({
        name,
        ttlMs,
        maxEntries: 10,
        now: () => clock.now,
        backing: cache.forTenant(tenant),
      });
  };

  beforeEach(async () => {
    problems.length = 0;
    server = await startServer();
  });
  afterEach(async () => {
    for (const cache of caches.splice(0)) await cache.close();
    await server.stop();
  });

  test('what one process remembers another reads, by namespace and for its time', async () => {
    const [one, other] = [await open(), await open()];
    const [mine, theirs] = [one<unknown>('people', 60_000), other<unknown>('people', 60_000)];
    await mine.set('ada', { name: 'Ada', zone: null, tags: ['ä', ':'] });
    expect(await theirs.get('ada')).toEqual({ name: 'Ada', zone: null, tags: ['ä', ':'] });
    expect(await other('channels', 60_000).get('ada')).toBeUndefined();
    expect(await theirs.values()).toHaveLength(1);
    clock.now -= 1;
    expect(await theirs.get('ada')).toBeUndefined();
    clock.now += 60_001;
    expect(await theirs.get('ada')).toBeUndefined();
    await theirs.set('ada', 2);
    await mine.delete('ada');
    expect(await theirs.getOrMake('ada', async () => 3)).toBe(3);
    expect(await mine.get('ada')).toBe(3);
    expect(problems).toEqual([]);
  });

  test('a tenant reads nothing of another', async () => {
    const spaceOf = await open();
    const [ours, theirs] = ['acme', 'apex'].map((tenant) => spaceOf<string>('people', 60_000, tenant));
    await ours?.set('ada', 'ours');
    expect([await theirs?.get('ada'), await theirs?.values()]).toEqual([undefined, []]);
    await theirs?.set('ada', 'theirs');
    expect([await ours?.values(), await theirs?.values()]).toEqual([['ours'], ['theirs']]);
    await theirs?.delete('ada');
    expect(await ours?.get('ada')).toBe('ours');
    expect(problems).toEqual([]);
  });

  test('processes add to the same counts of a tenant, and to none while Redis is away', async () => {
    await open();
    await open();
    const [one, other] = caches.map(({ addPoints }) => addPoints?.('acme'));
    expect(await one?.('address:203.0.113.7', 5, 60)).toEqual({ points: 5, msLeft: 60_000 });
    const both = await other?.('address:203.0.113.7', 2, 60);
    expect(both?.points).toBe(7);
    expect(both?.msLeft).toBeLessThanOrEqual(60_000);
    expect(await caches[0]?.addPoints?.('apex')('address:203.0.113.7', 1, 60)).toMatchObject({ points: 1 });
    expect(problems).toEqual([]);
    await server.stop();
    expect(await one?.('address:203.0.113.7', 1, 60)).toBeNull();
    expect(problems).toHaveLength(caches.length);
    server = await startServer();
  });

  test('Redis itself lets go of what has expired', async () => {
    const people = (await open())<number>('people', 100);
    await people.set('ada', 1);
    const left = await eventually(
      () => people.values(),
      (values) => values.length === 0,
    );
    expect(left).toEqual([]);
  });

  test('no one waits for a Redis that is away, and it is used again when it is back', async () => {
    const people = (await open())<number>('people', 3_600_000);
    await people.set('ada', 1);
    await server.stop();
    expect(await people.getOrMake('ada', async () => 2)).toBe(2);
    await people.delete('ada');
    expect(problems).toHaveLength(1);
    server = await startServer();
    const remembered = await eventually(
      async () => {
        await people.set('bob', 4);
        return people.get('bob');
      },
      (value) => value === 4,
    );
    expect(remembered).toBe(4);
    expect(problems).toHaveLength(1);
  });

  test('a wrong password is noted without it, and goes on like a Redis that is away', async () => {
    const url = `redis://:wrong-${password}@127.0.0.1:${port}`;
    const cache = await openRedis({ url, now: () => 0, onProblem: (error) => void problems.push(error) });
    caches.push(cache);
    expect(cache.outage()).toEqual({
      state: 'unreachable',
      reason: expect.stringMatching(/^The Redis of KEYV_URL at 127\.0\.0\.1:\d+ cannot be used: WRONGPASS /),
    });
    expect(cache.outage()?.reason).not.toContain(password);
    expect(problems).toHaveLength(1);
  });

  test('one that is not there at the start is used once it is', async () => {
    await server.stop();
    const people = (await open())<number>('people', 3_600_000);
    const outage = () => caches.at(-1)?.outage();
    expect(outage()).toMatchObject({ reason: expect.stringMatching(/cannot be used: ECONNREFUSED\.$/) });
    expect(await people.getOrMake('ada', async () => 2)).toBe(2);
    server = await startServer();
    expect(
      await eventually(
        async () => outage(),
        (value) => value === null,
      ),
    ).toBeNull();
    expect(await people.getOrMake('ada', async () => 3)).toBe(3);
    expect(await people.get('ada')).toBe(3);
    expect(problems).toHaveLength(1);
  });
});

test('nobody waits for long for a Redis that is silent, and the stop does not either', async () => {
  const server = await startStandInRedis();
  const problems: unknown[] = [];
  const cache = await openRedis({
    url: `redis://127.0.0.1:${server.port}`,
    now: () => 0,
    onProblem: (error) => problems.push(error),
  });
  const people = createNamespace<number>({
    ...{ name: 'people', ttlMs: 60_000, maxEntries: 10, now: () => 0, backing: cache.forTenant('default') },
  });
  server.fallSilent();
  const waited = async (work: () => Promise<unknown>) => {
    const before = server.heard();
    const answer = await work();
    return { answer, requests: server.heard() - before };
  };
  const first = await waited(() =>
    Promise.all(['a', 'b'].map((key) => people.getOrMake(key, async () => 2))),
  );
  const others = await waited(() =>
    Promise.all(['a', 'c'].map((key) => people.getOrMake(key, async () => 3))),
  );
  const written = await waited(() => people.delete('a'));
  const added = await waited(() => people.add('d', 1).catch((error: Error) => error.message));
  const stopped = await waited(() => cache.close());
  expect([first.answer, others.answer, written.answer, stopped.answer]).toEqual([
    ...[[2, 2], [3, 3], undefined, undefined],
  ]);
  expect(added.answer).toBe('Redis did not answer within 1000 ms');
  // Those who come later know already.
  expect([first, others, written, added, stopped].map(({ requests }) => requests > 0)).toEqual([
    ...[true, false, false, false, false],
  ]);
  expect(problems).toHaveLength(1);
  const left = await eventually(server.connections, (count) => count === 0);
  expect(left).toBe(0);
  await server.stop();
});

test('a Redis that answers nothing at all is noted', async () => {
  const server = await startStandInRedis();
  server.fallSilent();
  const cache = await openRedis({
    url: `redis://127.0.0.1:${server.port}`,
    now: () => 0,
    onProblem: () => {},
  });
  expect(cache.outage()?.reason).toMatch(/^The Redis of KEYV_URL at 127\.0\.0\.1:\d+ cannot be used: /);
  await cache.close();
  await server.stop();
});
