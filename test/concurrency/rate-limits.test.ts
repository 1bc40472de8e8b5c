import { SocketAddress } from 'node:net';
import { mock } from 'node:test';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from '#jest';
import { type AddPoints, createRateLimits, networkOf } from '../../src/concurrency/rate-limits.ts';
import { principalIn } from '../../src/model/request.ts';

describe('the network of an address', () => {
  const groups = fc.array(fc.integer({ min: 0, max: 0xffff }), { minLength: 8, maxLength: 8 });
  const long = (all: readonly number[]) => all.map((group) => group.toString(16)).join(':');
  /** As it is written short, in the way of the system. */
  const short = (all: readonly number[]) => new SocketAddress({ address: long(all), family: 'ipv6' }).address;

  test('is the same for all of a /64, however they are written, and another one for others', () => {
    fc.assert(
      fc.property(groups, groups, (one, other) => {
        // The first bits of the system's own short forms are of mapped IPv4.
        fc.pre(one.slice(0, 4).some((group) => group > 0));
        const beside = [...one.slice(0, 4), ...other.slice(4)];
        const network = networkOf(long(one));
        expect(network).toMatch(/^([0-9a-f]{1,4}:){4}:\/64$/);
        for (const text of [short(one), long(one).toUpperCase(), long(beside), `[${long(beside)}]:443`])
          expect([text, networkOf(text)]).toEqual([text, network]);
        const isSame = one.slice(0, 4).join() === other.slice(0, 4).join();
        expect(networkOf(long(other)) === network).toBe(isSame);
      }),
    );
  });

  test.each([
    ['203.0.113.7', '203.0.113.7'],
    ['203.0.113.7:1234', '203.0.113.7'],
    [' ::ffff:203.0.113.7', '203.0.113.7'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['64:ff9b::203.0.113.7', '64:ff9b:0:0::/64'],
    ['1:2:3:4:5:6:203.0.113.7', '1:2:3:4::/64'],
    ['unknown', null],
    ['', null],
    [undefined, null],
  ])('of %j is %j', (text, network) => expect(networkOf(text)).toBe(network));
});

test.each([
  ['127.0.0.1', false],
  ['::1', false],
  ['::ffff:10.1.2.3', false],
  ['172.31.0.1', false],
  ['fd12::1', false],
  ['172.32.0.1', true],
  ['203.0.113.7', true],
  ['2001:db8::1', true],
])(
  'from %s with X-Forwarded-For, without trusted proxies, is counted by address: %s',
  async (from, isCounted) => {
    const limits = createRateLimits({
      limits: { token: null, address: 1, tenant: null },
      ...{ tokenOf: () => null, shared: null, trustsNoProxy: true, warn: () => {}, onRefused: () => {} },
    });
    const arrives = () =>
      limits.arrive(
        { baseUrl: '', path: '/', ip: from, socket: { remoteAddress: from }, get: () => '203.0.113.9' },
        { statusCode: 200, set: () => {}, once: () => {} },
      );
    await arrives();
    expect(
      await arrives().then(
        () => false,
        () => true,
      ),
    ).toBe(isCounted);
  },
);

test.each([
  ['', '/healthz', false],
  ['', '/metrics', true],
  ['/mcp', '/healthz', true],
])('a request of %s%s is counted: %s', async (baseUrl, path, isCounted) => {
  const refused: string[] = [];
  const limits = createRateLimits({
    limits: { token: null, address: 1, tenant: null },
    ...{ tokenOf: () => null, shared: null, trustsNoProxy: false, warn: () => {} },
    onRefused: ({ why }) => refused.push(why),
  });
  for (let i = 0; i < 2; i += 1)
    await limits
      .arrive(
        { baseUrl, path, ip: '203.0.113.7', socket: {}, get: () => undefined },
        { statusCode: 200, set: () => {}, once: () => {} },
      )
      .catch(() => {});
  expect(refused).toEqual(isCounted ? ['address'] : []);
});

describe('counts', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout', 'Date'] }));
  afterEach(() => mock.timers.reset());

  const MOST = 5;
  const ada = principalIn('default', 'ada');
  const limitsOf = (shared: AddPoints | null) =>
    createRateLimits({
      limits: { token: MOST, address: null, tenant: null },
      tokenOf: () => 'token-1',
      ...{ shared, trustsNoProxy: true, warn: () => {}, onRefused: () => {} },
    });
  type Limits = ReturnType<typeof limitsOf>;
  const left = async (limits: Limits) => {
    const headers: Record<string, string> = {};
    const response = {
      ...{ statusCode: 200, once: () => {} },
      set: (more: Readonly<Record<string, string>>) => Object.assign(headers, more),
    };
    return limits.admit(ada, response).then(
      () => Number(/;r=(\d+);/.exec(headers.RateLimit ?? '')?.[1]),
      (error: unknown) => Object(error).data.retryAfterSeconds,
    );
  };
  const flush = async () => {
    mock.timers.tick(100);
    await new Promise((resolve) => setImmediate(resolve));
  };

  test('begin again after a minute', async () => {
    const limits = limitsOf(null);
    for (let i = MOST - 1; i >= 0; i -= 1) expect(await left(limits)).toBe(i);
    mock.timers.tick(20_000);
    expect(await left(limits)).toBe(40);
    mock.timers.tick(40_000);
    expect(await left(limits)).toBe(MOST - 1);
  });

  test('are those of all processes a tenth of a second later, and of each while their store is away', async () => {
    const counts = new Map<string, { points: number; until: number }>();
    let isAway = false;
    const shared: AddPoints = async (key, points, seconds) => {
      if (isAway) return null;
      const running = counts.get(key);
      const count = running ?? { points: 0, until: Date.now() + seconds * 1_000 };
      count.points += points;
      counts.set(key, count);
      return { points: count.points, msLeft: count.until - Date.now() };
    };
    const [one, other] = [limitsOf(shared), limitsOf(shared)];
    expect([await left(one), await left(one), await left(other)]).toEqual([4, 3, 4]);
    await flush();
    // The first heard of its own two, before the other one had sent its own.
    expect(counts.get('token:token-1')?.points).toBe(3);
    expect([await left(other), await left(one)]).toEqual([1, 2]);
    await flush();
    // Now the other one was first.
    expect([await left(other), await left(one)]).toEqual([0, 60]);

    isAway = true;
    await flush();
    mock.timers.tick(60_000);
    expect([await left(one), await left(other)]).toEqual([4, 4]);
  });
});
