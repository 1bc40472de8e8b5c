import { afterEach, beforeEach, expect, jest, test } from '#jest';
import { createPeople } from '../../src/api/people/create-people.ts';
import type { PeopleApi } from '../../src/api/people/people-api.ts';
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
const users = new Map(['ada', 'bob'].map((id) => [id, { id, name: id }]));
/** What a process knows of whose accounts are whose of a tracker's users. */
const peopleOf = (i: number, tracker = 'sample'): PeopleApi =>
  createPeople({
    links: async () => storeOf(i).documents(tracker).links,
    users: async () => users,
    tokens: tokensOf(i),
    now: () => now,
  });
const invitation = (account: string) => ({ account, name: 'Somebody' });
const invalid = { reason: 'invalid-link' };

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
  const [key, another] = await Promise.all([tokensOf(0).key(), tokensOf(1).key()]);
  expect(another).toEqual(key);
  expect(key).toHaveLength(32);
});

test('a token can be checked while an import writes', async () => {
  const token = await tokensOf(0).issue({ user: 'ada', admin: true, lifetimeMs: HOUR });
  const end = await storeEngine.writeElsewhere(dataDir);
  expect(await tokensOf(1).verify(token)).toMatchObject({ account: 'ada' });
  await end();
});

test('a check of a token reads nothing but whether something has changed', async () => {
  const token = await tokensOf(1).issue({ user: 'ada', admin: true, lifetimeMs: HOUR });
  const onStatement = jest.fn<(sql: string) => void>();
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

test('links are kept by account, also for another process, and apart for each tracker', async () => {
  const people = peopleOf(0);
  const ada = await people.link('U02', 'ada', 'ada');
  const bob = await people.link('U01', 'bob', 'ada');
  expect(await people.links()).toEqual([bob, ada]);
  expect(await peopleOf(1).linkOf('U02')).toEqual(ada);
  expect(await peopleOf(1).linkOf('U03')).toBeNull();
  expect(await peopleOf(1, 'file').linkOf('U02')).toBeNull();
  expect(await peopleOf(1, 'file').links()).toEqual([]);
});

test('what is said last of an account counts, and can be taken back', async () => {
  const people = peopleOf(0);
  await people.link('U02', 'ada', 'ada');
  const ada = await peopleOf(0, 'file').link('U02', 'ada', 'ada');
  const bob = await peopleOf(1).link('U02', 'bob', 'ada');
  expect(await people.links()).toEqual([bob]);
  expect(await people.unlink('U02')).toBe(true);
  expect(await people.unlink('U02')).toBe(false);
  expect(await people.linkOf('U02')).toBeNull();
  expect(await peopleOf(0, 'file').linkOf('U02')).toEqual(ada);
});

test('an invitation holds until something is said of its account, also that it is nobody’s any more', async () => {
  const people = peopleOf(0);
  const token = await tokensOf(0).issue({ user: 'ada', admin: true, lifetimeMs: HOUR });
  expect(await people.unlink('U02')).toBe(false);
  const first = await people.createLinkToken(invitation('U02'));
  const elsewhere = await peopleOf(0, 'file').createLinkToken(invitation('U02'));
  await people.accept(first, token);
  await expect(people.accept(first, token)).rejects.toMatchObject(invalid);
  const second = await people.createLinkToken(invitation('U02'));
  await peopleOf(1).unlink('U02');
  expect(await people.links()).toEqual([]);
  await expect(people.accept(second, token)).rejects.toMatchObject(invalid);
  const third = await people.createLinkToken(invitation('U02'));
  expect(await people.accept(third, token)).toMatchObject({ user: 'ada', proof: { admin: true } });
  expect((await storeOf(1).documents('sample').links.get('U02'))?.revision).toBe(3);
  // Nothing was said of the account in the other tracker.
  expect(await peopleOf(1, 'file').accept(elsewhere, token)).toMatchObject({ user: 'ada' });
});

test('of two who accept one invitation at once, one is refused', async () => {
  const ticket = await peopleOf(0).createLinkToken(invitation('U02'));
  const tokens = [
    await tokensOf(0).issue({ user: 'ada', admin: false, lifetimeMs: HOUR }),
    await tokensOf(0).issue({ user: 'bob', admin: false, lifetimeMs: HOUR }),
  ];
  const outcomes = await Promise.allSettled(tokens.map((token, i) => peopleOf(i).accept(ticket, token)));
  const [done] = outcomes.filter(({ status }) => status === 'fulfilled');
  const [refused] = outcomes.filter(({ status }) => status === 'rejected');
  expect(refused).toMatchObject({ reason: invalid });
  expect(done).toMatchObject({ value: await peopleOf(1).linkOf('U02') });
});
