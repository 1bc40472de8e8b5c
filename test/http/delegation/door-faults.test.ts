import { afterEach, expect, test } from '#jest';
import type { DelegationApi } from '../../../src/api/delegations/delegation-api.ts';
import { dialectAt } from '../../../src/http/failures.ts';
import { routes } from '../../../src/http/resources/index.ts';
import { AppError } from '../../../src/model/error.ts';
import { restDoor } from '../exports/rest-door.ts';
import { bases } from './credentials.ts';

const [base] = bases;
const lookUp = `${base}/delegation/getDelegates?delegator=ada&category=general`;
const record = `${base}/delegation/1`;

let door: Awaited<ReturnType<typeof restDoor>>;
afterEach(() => door.close());

async function failing(error: Error) {
  const fail = async (): Promise<never> => {
    throw error;
  };
  const played: Partial<DelegationApi> = { delegatesOf: fail, delegation: fail };
  door = await restDoor({}, played);
  return async (path: string) => {
    const answer = await door.ask(path);
    return [answer.status, await answer.json()];
  };
}

test('a bug of ours is a 500 with the reference under which the log has it, and nothing else', async () => {
  const ask = await failing(new Error('a secret of the register'));
  for (const [path, timestamp] of [
    [lookUp, Date.parse('2026-03-18T12:00:00Z')],
    [record, '2026-03-18 12:00:00 +0000'],
  ] as const) {
    expect(await ask(path)).toEqual([
      500,
      {
        status: 500,
        message: expect.stringMatching(
          /^Something went wrong on our side; the log has it under [0-9a-f-]{36}\.$/,
        ),
        ...(path === record ? { reason: expect.any(String) } : {}),
        timestamp,
      },
    ]);
  }
  expect(door.logged).toHaveLength(2);
});

test('a register that cannot be reached is a 503 in its words', async () => {
  const ask = await failing(new AppError('service-unavailable', 'The register cannot be reached.'));
  for (const [path, timestamp] of [
    [lookUp, Date.parse('2026-03-18T12:00:00Z')],
    [record, '2026-03-18 12:00:00 +0000'],
  ] as const) {
    const message = 'The register cannot be reached.';
    const reason = path === record ? { reason: 'service-unavailable' } : {};
    expect(await ask(path)).toEqual([503, { status: 503, message, ...reason, timestamp }]);
  }
});

test('failures are worded at every path as its route says', async () => {
  door = await restDoor({});
  for (const { paths, dialect = 'reporting' } of routes) {
    for (const path of paths) {
      expect([path, dialectAt(path, routes)]).toEqual([path, dialect]);
      expect([path, dialectAt(`${path.toUpperCase()}/`, routes)]).toEqual([path, dialect]);
    }
  }
  expect(dialectAt('/rest/delegation', routes)).toBe('record');
  expect(dialectAt('/rest/delegations', routes)).toBe('reporting');
});

test('every path of the contract is there under both bases', async () => {
  door = await restDoor({});
  for (const { paths, section } of routes) {
    if (section !== 'Delegations') continue;
    const [first, second, ...more] = paths;
    expect(first).toMatch(/^\/rest\/delegation\/api\/1\.0\//);
    expect([second, more]).toEqual([first.replace('/api/1.0/', '/1.0/api/'), []]);
  }
});
