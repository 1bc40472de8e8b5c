import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Invitation } from '../../src/api/people.ts';
import type { PersonLink } from '../../src/model/person-link.ts';
import type { DoorParts } from '../../src/slack/command.ts';
import { accountOf } from '../../src/slack/people/account-of.ts';
import type { Accounts, Profile } from '../../src/slack/people/accounts.ts';
import { findPerson } from '../../src/slack/people/find-person.ts';
import { identify } from '../../src/slack/people/identify.ts';
import { type PeopleParts, recognize } from '../../src/slack/people/recognize.ts';
import { startDelegatesInSlack } from '../support/delegates-in-slack.ts';

const ada = { id: 'ada', name: 'Ada', email: 'ada@example.com' };
const twins = [
  { id: 'kim1', name: 'Kim Doe', email: 'kim@example.com' },
  { id: 'kim2', name: 'kim doe', email: 'KIM@example.com' },
];
const users = new Map([ada, ...twins].map((user) => [user.id, user]));

/** What a tracker and a Slack told in a few words know. */
function knowing(
  profiles: Readonly<Record<string, string | null>>,
  links: readonly Pick<PersonLink, 'account' | 'user' | 'at'>[] = [],
): PeopleParts {
  const known = links.map((link) => ({ ...link, by: 'ada' }));
  const nobody = async () => {
    throw new Error('not asked for here');
  };
  const accounts: Accounts = {
    profileOf: async (account): Promise<Profile> => ({
      name: account,
      email: profiles[account] ?? null,
      refused: account in profiles ? null : 'user_not_found',
    }),
    withEmail: async (email) =>
      Object.keys(profiles).find((account) => profiles[account]?.toLowerCase() === email.toLowerCase()) ??
      null,
  };
  return {
    accounts,
    people: {
      users: async () => users,
      links: async () => known,
      linkOf: async (account) => known.find((link) => link.account === account) ?? null,
      link: nobody,
      unlink: nobody,
      invite: nobody,
      readInvitation: nobody,
      accept: nobody,
    },
  };
}

describe('an account is', () => {
  test('whom a link says, whatever its e-mail address', async () => {
    const parts = knowing({ U1: 'kim@example.com' }, [{ account: 'U1', user: 'ada', at: 1 }]);
    expect(await recognize('U1', parts)).toEqual({ kind: 'known', user: ada });
  });

  test('else the only one with its e-mail address, without regard to case', async () => {
    expect(await recognize('U1', knowing({ U1: 'Ada@Example.COM' }))).toEqual({ kind: 'known', user: ada });
  });

  test('asked about where several have it', async () => {
    expect(await recognize('U1', knowing({ U1: 'Kim@example.com' }))).toEqual({
      kind: 'several',
      users: twins,
    });
  });

  test.each([
    ['nobody has it', knowing({ U1: 'zed@example.com' }), /^Nobody in the tracker has the e-mail address/],
    ['Slack tells none', knowing({ U1: null }), /^Slack tells no e-mail address/],
    ['Slack tells nothing', knowing({}), /user_not_found/],
    [
      'it is linked to nobody there is',
      knowing({}, [{ account: 'U1', user: 'gone', at: 1 }]),
      /linked to gone/,
    ],
  ])('nobody where %s', async (_, parts, because) => {
    expect(await recognize('U1', parts)).toEqual({
      kind: 'unknown',
      because: expect.stringMatching(because),
    });
  });
});

test('who asks and could be several is nobody until they have said who they are', async () => {
  const { accounts, people } = knowing({ U1: 'kim@example.com' });
  const invited: Invitation[] = [];
  const invite = async (invitation: Invitation) => {
    invited.push(invitation);
    return 'a+ticket';
  };
  const parts = {
    accounts,
    people: { ...people, invite },
    baseUrl: 'https://dwell.example',
  } as unknown as DoorParts;
  const identified = await identify({ asker: { user: 'U1', admin: false }, userName: 'kim' }, parts);
  expect(invited).toEqual([{ account: 'U1', name: 'kim' }]);
  expect(identified).toMatchObject({
    refusal: { text: expect.stringMatching(/^I do not know who you are in the tracker\. Several people/) },
  });
  expect(JSON.stringify(identified)).toContain('"url":"https://dwell.example/link?ticket=a%2Bticket"');
});

describe('a typed name is', () => {
  test('an id, else a full name, and never a guess', async () => {
    const parts = knowing({});
    expect(await findPerson({ name: 'KIM1' }, parts)).toEqual({ kind: 'known', user: twins[0] });
    expect(await findPerson({ name: 'Kim Doe' }, parts)).toEqual({ kind: 'several', users: twins });
    expect(await findPerson({ name: 'kim' }, parts)).toMatchObject({ kind: 'unknown', similar: twins });
    expect(await findPerson({ name: 'zzz' }, parts)).toMatchObject({ kind: 'unknown', similar: [] });
  });
});

describe('somebody reads', () => {
  test('the account that was linked last', async () => {
    const links = [
      { account: 'U1', user: 'ada', at: 1 },
      { account: 'U2', user: 'ada', at: 2 },
    ];
    expect(await accountOf(ada, knowing({ U3: 'ada@example.com' }, links))).toBe('U2');
  });

  test('else the one with their e-mail address, unless it is somebody else’s', async () => {
    expect(await accountOf(ada, knowing({ U3: 'ada@example.com' }))).toBe('U3');
    const taken = knowing({ U3: 'ada@example.com' }, [{ account: 'U3', user: 'kim1', at: 1 }]);
    expect(await accountOf(ada, taken)).toBeNull();
    for (const twin of twins) expect(await accountOf(twin, knowing({ U4: 'kim@example.com' }))).toBeNull();
    expect(await accountOf({ id: 'x', name: 'X' }, knowing({}))).toBeNull();
  });
});

describe('in a workspace', () => {
  let place: Awaited<ReturnType<typeof startDelegatesInSlack>>;
  beforeEach(async () => {
    place = await startDelegatesInSlack();
  });
  afterEach(() => place.stop());

  test('who is unknown gets a link of their own, and an admin can say it', async () => {
    const asked = await place.says('mine', 'zoe');
    expect(asked.text).toMatch(/^I do not know who you are in the tracker\. Nobody in the tracker has/);
    const button = asked.blocks?.find(({ type }) => type === 'actions')?.elements;
    expect(button).toMatchObject([{ action_id: 'open-link-page', url: expect.any(String) }]);
    expect(JSON.stringify(button)).toContain(`${place.dwell.url}/link?ticket=`);
    expect((await place.slack.clicks('Link my account', { as: 'zoe' })).outcome).toBe('ok');

    expect((await place.says('link @zoe emil', 'bob')).text).toMatch(/^Only an admin can say who others are/);
    expect((await place.says('link @zoe em')).text).toContain('Did you mean the user name `emil`');
    expect((await place.says('link @zoe')).text).toBe(
      'Type their user name of the tracker behind the mention.',
    );
    expect((await place.says('link zoe emil')).text).toMatch(/^Mention the person/);
    expect((await place.says('link @zoe EMIL')).text).toBe('<@U0ZOE> is *Emil* (emil) in the tracker now.');
    expect((await place.says('mine', 'zoe')).text).toMatch(/^\*You have handed over/);
    expect((await place.says('link', 'zoe')).text).toMatch(/^You are \*Emil\* \(emil\) in the tracker\./);
  });

  test('what Slack tells of somebody is believed for five minutes', async () => {
    const asked = () => place.slack.calls('users.info').length;
    await place.says('mine');
    await place.says('mine');
    expect(asked()).toBe(1);
    place.dwell.clock.now += 5 * 60_000;
    await place.says('mine');
    expect(asked()).toBe(2);
  });

  test('a scope that is missing is said, and asked for anew the next time', async () => {
    place.slack.faults.failNext('users.info', 'missing_scope');
    expect((await place.says('mine')).text).toContain('with the scopes users:read and users:read.email');
    expect((await place.says('mine')).text).toMatch(/^\*You have handed over/);
  });

  test('a Slack that cannot be reached is no unknown person', async () => {
    place.slack.faults.breakNext('users.info', 503);
    expect((await place.says('mine')).text).toBe(
      'Slack cannot be reached at the moment. Please try again later.',
    );
    expect((await place.says('mine')).text).toMatch(/^\*You have handed over/);
  });
});
