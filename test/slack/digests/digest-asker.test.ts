import { expect, test } from '#jest';
import type { Asker } from '../../../src/model/request.ts';
import { digestAsker } from '../../../src/slack/digests/digest-asker.ts';
import type { Profile } from '../../../src/slack/people/profile.ts';
import { peopleLinked } from '../../support/people-linked.ts';

const member: Profile = {
  ...{ name: 'Ada', standing: 'ours', isGuest: false, email: 'ada@example.com' },
  ...{ emailConfirmed: true, timeZone: 'UTC', refused: null },
};
const known = { id: 'ada', name: 'Ada', email: 'ada@example.com' };

const askerFor = (profile: Partial<Profile>, users = [known]): Promise<Asker | null> =>
  digestAsker('U0ADA', {
    people: peopleLinked(new Map(users.map((user) => [user.id, user]))),
    accounts: {
      profileOf: async () => ({ ...member, ...profile }),
      withEmail: async () => null,
      called: async () => [],
    },
  });

test.each<[string, Partial<Profile>, Asker | null]>([
  ['a member', {}, { user: 'ada', admin: false }],
  ['a guest', { isGuest: true }, { user: 'ada', admin: false }],
  ['somebody deactivated', { standing: 'deactivated' }, null],
])('%s whom the tracker knows asks as that user, unless they are gone', async (_who, profile, asker) => {
  expect(await askerFor(profile)).toEqual(asker);
});

test('a member whom the tracker does not know asks without rights, a guest not at all', async () => {
  expect(await askerFor({}, [])).toEqual({ user: 'U0ADA', admin: false, isStranger: true });
  expect(await askerFor({ isGuest: true }, [])).toBeNull();
});

test('where Slack may tell nothing, nobody asks, and which scope is missing is said', async () => {
  const untold = { refused: 'missing_scope', standing: null, email: null };
  await expect(askerFor(untold, [])).rejects.toMatchObject({
    code: 'not-allowed',
    details: [expect.stringContaining('users:read'), expect.stringContaining('/tis link')],
  });
});
