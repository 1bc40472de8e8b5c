import { millisecondsInMinute } from 'date-fns/constants';
import { afterEach, beforeEach, describe, expect, test } from '#jest';
import { createPeople, type PeopleApi } from '../../../src/api/people/create-people.ts';
import { createEncryptedTokens } from '../../../src/api/people/signing-keys.ts';
import { createTokens, type Tokens } from '../../../src/api/people/tokens.ts';
import { openTestStore, type TestStore } from '../../support/open-test-store.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const account = { account: 'U0CARL', name: 'Carl from Sales' };
const users = new Map(['ada', 'Bob', 'carl'].map((id) => [id, { id, name: id }]));
const invalid = {
  reason: 'invalid-link',
  code: 'not-found',
  message: 'The link is no longer valid: it works once, for 15 minutes. Please ask for a new one.',
};

let store: TestStore;
let tokens: Tokens;
let people: PeopleApi;
let clock: { now: number };
beforeEach(async () => {
  clock = { now: Date.parse('2026-03-02T12:00:00Z') };
  store = await openTestStore(temporaryFolder());
  tokens = createTokens({ store, now: () => clock.now });
  people = peopleOver(store, tokens);
});
afterEach(() => store.close());

function peopleOver(kept: TestStore, verifier: Tokens): PeopleApi {
  return createPeople({
    links: async () => kept.documents('sample').links,
    users: async () => users,
    tokens: verifier,
    now: () => clock.now,
  });
}

const tokenOf = (user: string, admin = false) =>
  tokens.issue({ user, admin, lifetimeMs: 60 * millisecondsInMinute });
/** The id of the token that was issued last. */
async function newestToken(): Promise<string> {
  return (await tokens.list())[0]?.id ?? '';
}

test('everybody the tracker knows is told', async () => {
  expect(await people.users()).toBe(users);
});

test('an account is linked to a user by their stored id, found again, and let go of', async () => {
  const link = { account: 'U1', user: 'Bob', by: 'ada', at: clock.now, proof: null };
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
  clock.now += millisecondsInMinute;
  await people.link('U1', 'carl', 'carl');
  expect(await people.links()).toEqual([
    { account: 'U1', user: 'carl', by: 'carl', at: clock.now, proof: null },
  ]);
});

test('nobody unknown is linked', async () => {
  await expect(people.link('U1', 'zed', 'ada')).rejects.toMatchObject({
    reason: 'unknown-person',
    code: 'not-found',
    data: { name: 'zed' },
    message: 'User with name "zed" could not be found.',
  });
  expect(await people.links()).toEqual([]);
});

test('an invitation tells who was invited for a quarter of an hour', async () => {
  const ticket = await people.createLinkToken(account);
  expect(await people.readLinkToken(ticket)).toEqual(account);
  clock.now += 15 * millisecondsInMinute - 1_000;
  expect(await people.readLinkToken(ticket)).toEqual(account);
  clock.now += 1_000;
  await expect(people.readLinkToken(ticket)).rejects.toMatchObject(invalid);
  await expect(people.accept(ticket, await tokenOf('carl'))).rejects.toMatchObject(invalid);
});

test('an invitation itself tells nothing', async () => {
  const ticket = await people.createLinkToken(account);
  const parts = ticket.split('.').map((part) => Buffer.from(part, 'base64url').toString('latin1'));
  for (const secret of ['U0CARL', 'Carl']) expect([ticket, ...parts].join(' ')).not.toContain(secret);
});

test('an invitation that was changed, made up or made elsewhere is none', async () => {
  const ticket = await people.createLinkToken(account);
  const [head = '', key = '', iv = '', text = '', tag = ''] = ticket.split('.');
  const turned = (part: string) => (part.startsWith('A') ? 'B' : 'A') + part.slice(1);
  const elsewhere = await openTestStore(temporaryFolder());
  const other = peopleOver(elsewhere, createTokens({ store: elsewhere, now: () => clock.now }));
  for (const wrong of [
    [head, key, iv, turned(text), tag].join('.'),
    [head, key, iv, text, turned(tag)].join('.'),
    [head, key, iv].join('.'),
    '',
    'nonsense',
    '💥',
    await tokenOf('carl'),
    await other.createLinkToken(account),
  ]) {
    await expect(people.readLinkToken(wrong)).rejects.toMatchObject(invalid);
  }
  elsewhere.close();
});

test('a text that was encrypted here for another purpose is no invitation', async () => {
  const parts = { keys: tokens.keys, now: () => clock.now, invalid: () => new Error() };
  const downloads = createEncryptedTokens({ purpose: 'downloads', lifetimeMs: 60_000, ...parts });
  const text = await downloads.encrypt('U0CARL', { name: 'Carl from Sales', revision: 0 });
  await expect(people.readLinkToken(text)).rejects.toMatchObject(invalid);
});

test('accepting it with a token links the account to the user of the token', async () => {
  const ticket = await people.createLinkToken(account);
  const token = await tokenOf('carl');
  const proof = { token: await newestToken(), admin: false };
  const link = { account: 'U0CARL', user: 'carl', by: 'carl', at: clock.now, proof };
  expect(await people.accept(ticket, token)).toEqual(link);
  expect(await people.linkOf('U0CARL')).toEqual(link);
});

test('the link remembers whether the token was an admin’s', async () => {
  const link = await people.accept(await people.createLinkToken(account), await tokenOf('ada', true));
  expect(link).toMatchObject({ user: 'ada', proof: { token: await newestToken(), admin: true } });
});

describe('an invitation is good for one link', () => {
  const expectVoid = async (ticket: string) => {
    await expect(people.readLinkToken(ticket)).rejects.toMatchObject(invalid);
    await expect(people.accept(ticket, await tokenOf('Bob'))).rejects.toMatchObject(invalid);
  };

  test('and not for a second one, also after the first was taken back', async () => {
    const ticket = await people.createLinkToken(account);
    const link = await people.accept(ticket, await tokenOf('carl'));
    await expectVoid(ticket);
    expect(await people.linkOf('U0CARL')).toEqual(link);
    await people.unlink('U0CARL');
    await expectVoid(ticket);
    expect(await people.linkOf('U0CARL')).toBeNull();
  });

  test('of several made at the same instant, one', async () => {
    const [first, second] = [await people.createLinkToken(account), await people.createLinkToken(account)];
    await people.accept(second, await tokenOf('carl'));
    await expectVoid(first);
    // One that is made afterwards replaces one's own word.
    const later = await people.createLinkToken(account);
    expect(await people.accept(later, await tokenOf('Bob'))).toMatchObject({ user: 'Bob' });
    await expectVoid(second);
  });

  test('accepted twice at once, one of the two', async () => {
    const ticket = await people.createLinkToken(account);
    const given = await Promise.all([tokenOf('carl'), tokenOf('Bob')]);
    const answers = await Promise.allSettled(given.map((token) => people.accept(ticket, token)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  });

  test('and not once anything else was said of the account', async () => {
    const before = await people.createLinkToken(account);
    await people.link('U0CARL', 'Bob', 'ada');
    await people.unlink('U0CARL');
    await expectVoid(before);
    expect(await people.readLinkToken(await people.createLinkToken(account))).toEqual(account);
  });
});

test('what an admin said is not replaced by any invitation', async () => {
  const before = await people.createLinkToken(account);
  await people.link('U0CARL', 'carl', 'ada');
  for (const ticket of [before, await people.createLinkToken(account)]) {
    const refused = {
      reason: 'admin-only',
      code: 'not-allowed',
      message: 'An admin (ada) has linked this account to carl; ask them, or another admin, to change that.',
    };
    await expect(people.readLinkToken(ticket)).rejects.toMatchObject(refused);
    await expect(people.accept(ticket, await tokenOf('Bob'))).rejects.toMatchObject(refused);
  }
  expect(await people.linkOf('U0CARL')).toMatchObject({ user: 'carl', by: 'ada' });
});

test('a link holds while its token is switched on, also after that has expired', async () => {
  const link = await people.accept(await people.createLinkToken(account), await tokenOf('carl'));
  const said = await people.link('U1', 'Bob', 'ada');
  const id = await newestToken();
  clock.now += 61 * millisecondsInMinute;
  expect(await people.linkOf('U0CARL')).toEqual(link);

  await tokens.setActive(id, false);
  expect(await people.linkOf('U0CARL')).toBeNull();
  expect([await people.links(), await people.dormantLinks()]).toEqual([[said], [link]]);

  await tokens.setActive(id, true);
  expect(await people.linkOf('U0CARL')).toEqual(link);
  expect([await people.links(), await people.dormantLinks()]).toEqual([[link, said], []]);
});

test('a link that is not valid any more can be proved anew, and taken back', async () => {
  await people.accept(await people.createLinkToken(account), await tokenOf('carl'));
  await tokens.setActive(await newestToken(), false);
  expect(await people.accept(await people.createLinkToken(account), await tokenOf('Bob'))).toMatchObject({
    user: 'Bob',
  });
  for (const { id } of await tokens.list()) await tokens.setActive(id, false);
  expect(await people.unlink('U0CARL')).toBe(true);
  expect(await people.dormantLinks()).toEqual([]);
});

test('a token that is not valid, or is of nobody the tracker knows, links nothing', async () => {
  const ticket = await people.createLinkToken(account);
  for (const wrong of ['', 'nonsense', ticket]) {
    await expect(people.accept(ticket, wrong)).rejects.toMatchObject({ code: 'not-authenticated' });
  }
  await expect(people.accept(ticket, await tokenOf('zed'))).rejects.toMatchObject({
    reason: 'unknown-person',
    code: 'not-found',
    data: { name: 'zed' },
    message: 'User with name "zed" could not be found.',
  });
  const revoked = await tokenOf('carl');
  for (const { id } of await tokens.list()) await tokens.setActive(id, false);
  await expect(people.accept(ticket, revoked)).rejects.toMatchObject({ code: 'not-authenticated' });
  expect(await people.links()).toEqual([]);
});
