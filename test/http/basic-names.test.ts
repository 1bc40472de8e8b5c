import { expect, test } from '#jest';
import { NotAuthenticated, principalOfHeader, type Tokens } from '../../src/api/people/tokens.ts';
import { principalOf } from '../support/principal-of.ts';
import { renamedPeople } from '../support/renamed-people.ts';
import { basic } from './delegation/credentials.ts';

const notTheirs = 'The token is not one of the user that is named.';

/** Whom a name with a token means; the token is for somebody, and holds or has lapsed. */
async function asks(name: string, holder: string, { lapsed = false, isAsked = true } = {}) {
  const verify: Tokens['verify'] = async () => {
    if (lapsed) throw new NotAuthenticated('tisjwt is expired.', { lapsedOf: holder });
    return principalOf(holder);
  };
  const users = async () => {
    if (!isAsked) throw new Error('people are asked for');
    return renamedPeople;
  };
  const tokens = { verify } as unknown as Tokens;
  return principalOfHeader(basic(name, 'secret').Authorization, { tokens, people: { users } });
}

test.each([
  ['carl', 'JIRAUSER6'],
  ['Carl', 'JIRAUSER6'],
  ['JIRAUSER6', 'carl'],
  ['bob', 'JIRAUSER99999'],
  ['robert', 'bob'],
])('Basic as %s holds with a token for %s, for they are one person', async (name, holder) => {
  expect(await asks(name, holder)).toEqual(principalOf(holder));
  await expect(asks(name, holder, { lapsed: true })).rejects.toMatchObject({
    details: ['tisjwt is expired.'],
  });
});

test.each([
  ['carl', 'JIRAUSER99999'],
  ['robert', 'JIRAUSER99999'],
  ['JIRAUSER99999', 'bob'],
  ['zed', 'carl'],
  ['Bi-Tool', 'bi-tool'],
  ['', 'carl'],
])(
  'Basic as "%s" is not valid with a token for %s, and does not tell whether that does',
  async (name, holder) => {
    for (const lapsed of [false, true]) {
      await expect(asks(name, holder, { lapsed })).rejects.toMatchObject({ details: [notTheirs] });
    }
  },
);

test('where the token is for the very name, nobody asks who that is', async () => {
  expect(await asks('bi-tool', 'bi-tool', { isAsked: false })).toMatchObject({ account: 'bi-tool' });
});
