import { afterEach, beforeEach, expect, jest, test } from '#jest';
import { createTokens, type Tokens } from '../../src/api/people/tokens.ts';
import { openTestStore, type TestStore } from '../support/open-test-store.ts';
import { storeEngine } from '../support/store-engine.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const HOUR = 3_600_000;

let dataDir: string;
let stores: TestStore[];
let now: number;
beforeEach(async () => {
  dataDir = temporaryFolder();
  stores = [await openTestStore(dataDir), await openTestStore(dataDir)];
  now = 1_000;
});
afterEach(() => {
  for (const one of stores) one.close();
});

const storeOf = (i: number) => {
  const opened = stores[i];
  if (opened === undefined) throw new Error(`There is no store ${i}.`);
  return opened;
};
const tokensOf = (i: number): Tokens => createTokens({ store: storeOf(i), now: () => now });
test('tokens are stored, listed newest first, and switched off and on', async () => {
  const [tokens, others] = [tokensOf(0), tokensOf(1)];
  const first = await tokens.issue({ user: 'ada', admin: true, lifetimeMs: HOUR });
  now = 2_000;
  await others.issue({ user: 'bob', admin: false, lifetimeMs: HOUR });
  const [bobs, adas] = await tokens.list();
  expect([bobs, adas]).toMatchObject([
    { user: 'bob', admin: false, createdAt: 2_000, active: true },
    { user: 'ada', admin: true, createdAt: 1_000, expiresAt: 1_000 + HOUR, active: true },
  ]);
  const id = adas?.id ?? '';
  await others.setActive(id, false);
  expect(await tokens.isActive(id)).toBe(false);
  await expect(tokens.verify(first)).rejects.toMatchObject({ lapsedOf: 'ada' });
  await others.setActive(id, true);
  expect(await tokens.recordOf(first)).toEqual(adas);
  await expect(tokens.setActive('c', true)).rejects.toMatchObject({ reason: 'unknown-token' });
  expect(await tokens.isActive('c')).toBe(false);
});

test('the signing key is made once, by whichever process is first', async () => {
  const [key, another] = await Promise.all([0, 1].map((i) => tokensOf(i).keys.current()));
  expect(another).toEqual(key);
  expect(key?.bytes).toHaveLength(32);
});

test('a token can be checked while an import writes', async () => {
  const token = await tokensOf(0).issue({ user: 'ada', admin: true, lifetimeMs: HOUR });
  const end = await storeEngine.writeElsewhere(dataDir);
  expect(await tokensOf(1).verify(token)).toMatchObject({ account: 'ada' });
  await end();
});

test('a check of a token reads nothing but whether something has changed', async () => {
  const token = await tokensOf(1).issue({ user: 'ada', admin: true, lifetimeMs: HOUR });
  const onStatement = jest.fn<(sql: string) => undefined>();
  const opened = await storeEngine.openStore(dataDir, { onStatement });
  const tokens = createTokens({ store: opened.forTenant(storeOf(0).tenant), now: () => now });
  await tokens.verify(token);
  onStatement.mockClear();
  await tokens.verify(token);
  expect(onStatement.mock.calls.filter(([sql]) => !sql.includes('"area"'))).toEqual([]);
  await tokensOf(1).setActive((await tokens.list())[0]?.id ?? '', false);
  await expect(tokens.verify(token)).rejects.toThrow('Unauthorized');
  opened.close();
});
