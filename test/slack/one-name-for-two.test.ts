import fc from 'fast-check';
import { describe, expect, test } from '#jest';
import { viewersCalled } from '../../src/cli/viewers.ts';
import type { User } from '../../src/model/issue.ts';
import { refuseOthers } from '../../src/slack/delegations/rights-words.ts';
import { beginningOf } from '../../src/slack/delegations/stand-in-subject.ts';
import { linkNews } from '../../src/slack/messages/link-news.ts';
import type { SlackParts } from '../../src/slack/parts.ts';
import { askWhich } from '../../src/slack/people/ask-which.ts';
import { findPerson } from '../../src/slack/people/find-person.ts';
import { identify } from '../../src/slack/people/identify.ts';
import { linkOther } from '../../src/slack/people/link-other.ts';
import { typedAs } from '../../src/slack/people/typed-as.ts';
import { peopleLinked } from '../support/people-linked.ts';
import { principalOf } from '../support/principal-of.ts';
import { bob, carl, renamedPeople, robert } from '../support/renamed-people.ts';

const links = [
  { account: 'U1', user: robert.id, at: 1 },
  { account: 'U2', user: bob.id, at: 1 },
  { account: 'U5', user: 'JIRAUSER5', at: 1 },
];
const people = peopleLinked(renamedPeople, links);
const parts = { people, timeZone: 'UTC', accounts: { profileOf: async () => null } } as unknown as SlackParts;

const personOf = (account: string) => ({ principal: principalOf(account), userName: 'x' });

async function memberOf(account: string) {
  const identified = await identify(personOf(account), parts);
  if ('refusal' in identified) throw new Error(identified.refusal.text);
  return identified.member;
}

describe('a name that is the login of one and the id of another', () => {
  test.each(['bob', 'BOB'])('is asked about in Slack when typed as %s', async (name) => {
    const self = await memberOf('U5');
    const found = await findPerson({ name }, self, parts);
    expect(found).toEqual({ kind: 'several', users: [robert, bob] });
    if (found.kind === 'known') return;
    const asking = { about: 'end', rest: '' } as const;
    const { text } = askWhich({ name }, found, asking, { hasAdmins: true, hints: [] });
    expect(text.split('\n').slice(1)).toEqual(['*Robert Old* (robert)', '*Bob New* (bob)']);
  });

  test.each([
    ['robert', robert],
    ['JIRAUSER99999', bob],
    ['Bob New', bob],
    ['CARL', carl],
  ])('is not %s', async (name, user) => {
    expect(await findPerson({ name }, await memberOf('U5'), parts)).toEqual({ kind: 'known', user });
  });

  test('links nobody, and the names that do are told', async () => {
    const { text } = await linkOther(personOf('U5'), { account: 'U9', name: 'bob' }, parts);
    expect(text).toBe(
      'Several people are called `bob`. Did you mean the user name `robert`, `JIRAUSER99999`?',
    );
  });

  test('begins no line that is suggested', () => {
    const lineAbout = (person: User) =>
      beginningOf({ direction: 'delegates', person, rest: '' }, renamedPeople);
    expect([robert, bob, carl].map(lineAbout)).toEqual([
      '/delegates @robert',
      '/delegates @JIRAUSER99999',
      '/delegates @carl',
    ]);
  });

  test('stands in no command that would permit somebody something', async () => {
    const hintFor = async (account: string) =>
      refuseOthers({ ...(await memberOf(account)), hasAdmins: false }).text;
    expect(await hintFor('U1')).toContain('delegates --view-all +robert`.');
    expect(await hintFor('U2')).toContain('delegates --view-all +JIRAUSER99999`.');
  });
});

test('people are told by login', () => {
  expect(linkNews(bob, robert).text).toMatch(/^\*Bob New\* \(bob\) has linked .* \*Robert Old\* \(robert\)/);
});

test('what a suggested command calls somebody, the command line reads as them, as several, or as nobody', () => {
  const word = fc.constantFrom('a', 'A', 'b', 'B', 'c', 'c@example.com');
  const some = fc.option(word, { nil: undefined });
  const listed = fc.uniqueArray(fc.tuple(word, some, some), { selector: ([id]) => id, minLength: 1 });
  fc.assert(
    fc.property(listed, (told) => {
      const users = new Map(
        told.map(([id, login, email]): [string, User] => [
          id,
          { id, name: `Name ${id}`, ...(login && { login }), ...(email && { email }) },
        ]),
      );
      for (const user of users.values()) {
        const read = viewersCalled(typedAs(user, users), { groups: [], users }).map(({ id }) => id);
        if (read.length === 1) expect(read).toEqual([user.id]);
      }
    }),
  );
});

test('who has no name of their own is called by an address of their own, else by none', () => {
  const old = { id: 'bob', name: 'Robert Old' };
  expect(typedAs(old, new Map([...renamedPeople, ['bob', old]]))).toBe('USERNAME');
  const reached = { ...old, email: 'robert@example.com' };
  expect(typedAs(reached, new Map([...renamedPeople, ['bob', reached]]))).toBe('robert@example.com');
});
