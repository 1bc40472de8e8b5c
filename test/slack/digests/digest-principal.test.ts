import { expect, test } from '#jest';
import type { Principal } from '../../../src/model/principal.ts';
import { digestPrincipal } from '../../../src/slack/digests/digest-principal.ts';
import type { Profile } from '../../../src/slack/people/profile.ts';
import { peopleLinked } from '../../support/people-linked.ts';
import { principalOf } from '../../support/principal-of.ts';

const member: Profile = {
  ...{ name: 'Ada', standing: 'ours', isGuest: false, email: 'ada@example.com' },
  ...{ emailConfirmed: true, timeZone: 'UTC', refused: null },
};
const known = { id: 'ada', name: 'Ada', email: 'ada@example.com' };

const principalFor = (profile: Partial<Profile>, users = [known]): Promise<Principal | null> =>
  digestPrincipal('U0ADA', {
    people: peopleLinked(new Map(users.map((user) => [user.id, user]))),
    accounts: {
      profileOf: async () => ({ ...member, ...profile }),
      withEmail: async () => null,
      called: async () => [],
    },
  });

test.each<[string, Partial<Profile>, Principal | null]>([
  ['a member', {}, principalOf('ada')],
  ['a guest', { isGuest: true }, principalOf('ada')],
  ['somebody deactivated', { standing: 'deactivated' }, null],
])('%s whom the tracker knows asks as that user, unless they are gone', async (_who, profile, principal) => {
  expect(await principalFor(profile)).toEqual(principal);
});

test('a member whom the tracker does not know asks without rights, a guest not at all', async () => {
  expect(await principalFor({}, [])).toEqual(principalOf('U0ADA', 'stranger'));
  expect(await principalFor({ isGuest: true }, [])).toBeNull();
});

test('where Slack may tell nothing, nobody asks, and which scope is missing is said', async () => {
  const untold = { refused: 'missing_scope', standing: null, email: null };
  await expect(principalFor(untold, [])).rejects.toMatchObject({
    code: 'not-allowed',
    details: [expect.stringContaining('users:read'), expect.stringContaining('/tis link')],
  });
});
