import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { createPeople } from '../../../src/api/create-people.ts';
import type { PeopleApi } from '../../../src/api/people.ts';
import { createTokens, type Tokens } from '../../../src/api/tokens.ts';
import { openSqliteStore } from '../../../src/store/sqlite/open-sqlite-store.ts';
import type { Store } from '../../../src/store/store.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const MINUTE = 60_000;
const account = { account: 'U0CARL', name: 'Carl from Sales' };
const users = new Map(['ada', 'Bob', 'carl'].map((id) => [id, { id, name: id }]));
const invalid = {
  code: 'not-found',
  message:
    'The invitation is not valid, or not any more; invitations hold for 15 minutes. Please ask for a new one.',
};

let store: Store;
let tokens: Tokens;
let people: PeopleApi;
let clock: { now: number };
beforeEach(() => {
  clock = { now: Date.parse('2026-03-02T12:00:00Z') };
  store = openSqliteStore(temporaryFolder());
  tokens = createTokens(store.tokens, () => clock.now);
  people = peopleOver(store, tokens);
});
afterEach(() => store.close());

function peopleOver(kept: Store, verifier: Tokens): PeopleApi {
  return createPeople({
    links: async () => kept.links('sample'),
    users: async () => users,
    tokens: verifier,
    now: () => clock.now,
  });
}

const tokenOf = (user: string) => tokens.issue({ user, admin: false, lifetimeMs: 60 * MINUTE });

test('everybody the tracker knows is told', async () => {
  expect(await people.users()).toBe(users);
});

test('an account is linked to a user by their stored id, found again, and let go of', async () => {
  const link = { account: 'U1', user: 'Bob', by: 'ada', at: clock.now };
  expect(await people.link('U1', 'bob', 'ada')).toEqual(link);
  expect(await people.linkOf('U1')).toEqual(link);
  expect(await people.links()).toEqual([link]);
  expect(await people.linkOf('U2')).toBeNull();
  expect(await people.unlink('U1')).toBe(true);
  expect(await people.unlink('U1')).toBe(false);
  expect(await people.links()).toEqual([]);
});

test('what is said later replaces what was said', async () => {
  await people.link('U1', 'Bob', 'ada');
  clock.now += MINUTE;
  await people.link('U1', 'carl', 'carl');
  expect(await people.links()).toEqual([{ account: 'U1', user: 'carl', by: 'carl', at: clock.now }]);
});

test('nobody unknown is linked', async () => {
  await expect(people.link('U1', 'zed', 'ada')).rejects.toMatchObject({
    code: 'not-found',
    message: 'User with name "zed" could not be found.',
  });
  expect(await people.links()).toEqual([]);
});

test('an invitation tells who was invited for a quarter of an hour', async () => {
  const ticket = await people.invite(account);
  expect(await people.readInvitation(ticket)).toEqual(account);
  clock.now += 15 * MINUTE - 1_000;
  expect(await people.readInvitation(ticket)).toEqual(account);
  clock.now += 1_000;
  await expect(people.readInvitation(ticket)).rejects.toMatchObject(invalid);
  await expect(people.accept(ticket, await tokenOf('carl'))).rejects.toMatchObject(invalid);
});

test('an invitation itself tells nothing', async () => {
  const ticket = await people.invite(account);
  const parts = ticket.split('.').map((part) => Buffer.from(part, 'base64url').toString('latin1'));
  for (const secret of ['U0CARL', 'Carl']) expect([ticket, ...parts].join(' ')).not.toContain(secret);
});

test('an invitation that was changed, made up or made elsewhere is none', async () => {
  const ticket = await people.invite(account);
  const [head = '', key = '', iv = '', text = '', tag = ''] = ticket.split('.');
  const turned = (part: string) => (part.startsWith('A') ? 'B' : 'A') + part.slice(1);
  const elsewhere = openSqliteStore(temporaryFolder());
  const other = peopleOver(
    elsewhere,
    createTokens(elsewhere.tokens, () => clock.now),
  );
  for (const wrong of [
    [head, key, iv, turned(text), tag].join('.'),
    [head, key, iv, text, turned(tag)].join('.'),
    [head, key, iv].join('.'),
    '',
    'nonsense',
    '💥',
    await tokenOf('carl'),
    await other.invite(account),
  ]) {
    await expect(people.readInvitation(wrong)).rejects.toMatchObject(invalid);
  }
  elsewhere.close();
});

test('accepting it with a token links the account to the user of the token', async () => {
  const ticket = await people.invite(account);
  const link = { account: 'U0CARL', user: 'carl', by: 'carl', at: clock.now };
  expect(await people.accept(ticket, await tokenOf('carl'))).toEqual(link);
  expect(await people.linkOf('U0CARL')).toEqual(link);
  expect(await people.accept(ticket, await tokenOf('Bob'))).toMatchObject({ user: 'Bob', by: 'Bob' });
});

test('a token that does not hold, or is of nobody the tracker knows, links nothing', async () => {
  const ticket = await people.invite(account);
  for (const wrong of ['', 'nonsense', ticket]) {
    await expect(people.accept(ticket, wrong)).rejects.toMatchObject({ code: 'not-authenticated' });
  }
  await expect(people.accept(ticket, await tokenOf('zed'))).rejects.toMatchObject({
    code: 'not-found',
    message: 'User with name "zed" could not be found.',
  });
  const revoked = await tokenOf('carl');
  for (const { id } of await tokens.list()) await tokens.setActive(id, false);
  await expect(people.accept(ticket, revoked)).rejects.toMatchObject({ code: 'not-authenticated' });
  expect(await people.links()).toEqual([]);
});
