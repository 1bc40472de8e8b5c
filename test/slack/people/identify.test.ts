import fc from 'fast-check';
import { describe, expect, test } from '#jest';
import { type ChatAccount, typedAs } from '../../../src/api/people/create-people.ts';
import { viewersCalled } from '../../../src/cli/viewers.ts';
import type { PersonLink } from '../../../src/model/chat.ts';
import type { User } from '../../../src/model/issue.ts';
import type { SlashInvocation } from '../../../src/slack/app/handler-types.ts';
import type { Accounts, PeopleParts, SlackParts } from '../../../src/slack/app/parts.ts';
import type { Refused } from '../../../src/slack/app/show-failure.ts';
import { askAdmin } from '../../../src/slack/delegates/cover-words.ts';
import { nameToType } from '../../../src/slack/delegates/read-cover.ts';
import { accountsOf, recognize } from '../../../src/slack/people/accounts.ts';
import { askWhich, identify, personTyped } from '../../../src/slack/people/identify.ts';
import { delegatesLink } from '../../../src/slack/people/link-accounts.ts';
import { readProfile, unknownProfile } from '../../../src/slack/people/members.ts';
import { startDelegatesInSlack } from '../../support/delegates-in-slack.ts';
import { peopleLinked, type ShortLink } from '../../support/people-linked.ts';
import { principalOf } from '../../support/principal-of.ts';
import { bob, carl, renamedPeople, robert } from '../../support/renamed-people.ts';
import { filling } from '../../support/stand-in-sync.ts';
import { startedEach } from '../../support/started.ts';

describe('people', () => {
  const ada = { id: 'ada', name: 'Ada', email: 'ada@example.com' };
  const twins = [
    { id: 'kim1', name: 'Kim Doe', email: 'kim@example.com' },
    { id: 'kim2', name: 'kim doe', email: 'KIM@example.com' },
  ];
  const users = new Map([ada, ...twins].map((user) => [user.id, user]));

  /** What a tracker and a Slack told in a few words know. */
  function knowing(
    profiles: Readonly<Record<string, string | null>>,
    links: readonly ShortLink[] = [],
  ): PeopleParts {
    const accounts: Accounts = {
      profileOf: async (account) => {
        const email = profiles[account];
        if (email === undefined) return unknownProfile(account, 'user_not_found');
        const user = { team_id: 'T1', profile: email === null ? {} : { email } };
        return readProfile(account, user, { team: 'T1', enterprise: null });
      },
      called: async () => [],
      withEmail: async (email) =>
        Object.keys(profiles).find((account) => profiles[account]?.toLowerCase() === email.toLowerCase()) ??
        null,
    };
    return { accounts, people: peopleLinked(users, links) };
  }

  const invitationTo = (userName: string, parts: SlackParts) =>
    identify({ principal: principalOf('U1'), userName }, parts).then(
      () => Promise.reject(new Error('the person is known')),
      ({ reply }: Refused) => reply,
    );

  describe('an account is', () => {
    test('whom a link says, whatever its email address', async () => {
      const parts = knowing({ U1: 'kim@example.com' }, [{ account: 'U1', user: 'ada', at: 1 }]);
      const link = await parts.people.linkOf('U1');
      expect(link).not.toBeNull();
      expect(await recognize('U1', parts)).toEqual({ kind: 'known', user: ada, link });
    });

    test('else the only one with its email address, without regard to case', async () => {
      expect(await recognize('U1', knowing({ U1: 'Ada@Example.COM' }))).toEqual({ kind: 'known', user: ada });
    });

    test('asked about where several have it', async () => {
      expect(await recognize('U1', knowing({ U1: 'Kim@example.com' }))).toEqual({
        kind: 'several',
        users: twins,
      });
    });

    test.each([
      ['nobody has it', knowing({ U1: 'zed@example.com' }), /^No one in Jira has the email address/],
      ['Slack tells none', knowing({ U1: null }), /^Slack doesn't show the email address/],
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
    const invited: ChatAccount[] = [];
    const createLinkToken = async (invitation: ChatAccount) => {
      invited.push(invitation);
      return 'a+ticket';
    };
    const parts = {
      accounts,
      people: { ...people, createLinkToken },
      baseUrl: 'https://dwell.example',
    } as unknown as SlackParts;
    const { text, blocks } = await invitationTo('kim', parts);
    expect(invited).toEqual([{ account: 'U1', name: 'kim' }]);
    expect(text).toMatch(/^Your Slack account is not linked to a Jira user yet\. Several people/);
    expect(JSON.stringify(blocks)).toContain('"url":"https://dwell.example/link?ticket=a%2Bticket"');
  });

  describe('an admin of the tracker is one in Slack as well', () => {
    const boss = new Map<string, User>([
      ...users,
      ['boss', { id: 'boss', name: 'Boss', email: 'boss@example.com', admin: true }],
    ]);
    const rightsOf = async (email: string, user: string | null, proof: PersonLink['proof'] = null) => {
      const { accounts, people } = knowing(
        { U1: email },
        user === null ? [] : [{ account: 'U1', user, at: 1, proof }],
      );
      const parts = { accounts, people: { ...people, users: async () => boss }, timeZone: 'UTC' };
      const principal = principalOf('U1');
      return identify({ principal, userName: 'x' }, parts as unknown as SlackParts);
    };
    const rights = (user: string, admin: boolean) => ({
      principal: principalOf(user, admin ? 'admin' : 'user'),
    });

    test('known by e-mail, by an admin’s word, or by an admin’s token', async () => {
      expect(await rightsOf('boss@example.com', null)).toMatchObject(rights('boss', true));
      expect(await rightsOf('other@example.com', 'boss')).toMatchObject(rights('boss', true));
      const proof = { token: 't', admin: true };
      expect(await rightsOf('other@example.com', 'boss', proof)).toMatchObject(rights('boss', true));
    });

    test('but not known by a token of lesser rights, whatever the email address', async () => {
      const proof = { token: 't', admin: false };
      expect(await rightsOf('boss@example.com', 'boss', proof)).toMatchObject(rights('boss', false));
    });

    test('and nobody else is, whatever their token', async () => {
      const proof = { token: 't', admin: true };
      expect(await rightsOf('boss@example.com', 'ada', proof)).toMatchObject(rights('ada', false));
    });
  });

  describe('a typed name is', () => {
    test('an id, else a full name, and never a guess', async () => {
      const parts = knowing({});
      const self = { user: { id: 'ada', name: 'Ada' } };
      const found = async (name: string) => (await personTyped(name, self, parts))?.found;
      expect(await found('Me')).toEqual({ kind: 'known', user: self.user });
      expect(await found('KIM1')).toEqual({ kind: 'known', user: twins[0] });
      expect(await found('Kim Doe')).toEqual({ kind: 'several', users: twins });
      expect(await found('kim')).toMatchObject({ kind: 'unknown', similar: twins });
      expect(await found('zzz')).toMatchObject({ kind: 'unknown', similar: [] });
    });
  });

  describe('somebody reads', () => {
    const accountsTo = async (user: User, parts: PeopleParts) => {
      const read: string[] = [];
      for await (const account of accountsOf(user, parts)) read.push(account);
      return read;
    };

    test('the account that was linked last, then others of theirs, then the one with their email address', async () => {
      const links = [
        { account: 'U1', user: 'ada', at: 1 },
        { account: 'U2', user: 'ada', at: 2 },
      ];
      expect(await accountsTo(ada, knowing({ U3: 'ada@example.com' }, links))).toEqual(['U2', 'U1', 'U3']);
    });

    test('but none with their email address that is, or may be, somebody else’s', async () => {
      expect(await accountsTo(ada, knowing({ U3: 'ada@example.com' }))).toEqual(['U3']);
      const taken = knowing({ U3: 'ada@example.com' }, [{ account: 'U3', user: 'kim1', at: 1 }]);
      expect(await accountsTo(ada, taken)).toEqual([]);
      for (const twin of twins)
        expect(await accountsTo(twin, knowing({ U4: 'kim@example.com' }))).toEqual([]);
      expect(await accountsTo({ id: 'x', name: 'X' }, knowing({}))).toEqual([]);
    });
  });

  describe('in a workspace', () => {
    const place = startedEach(() => startDelegatesInSlack());

    test('whom an admin has linked is told whom to ask, for no link of their own would change that', async () => {
      await place.says('link @zoe emil');
      const asked = await place.says('link', 'zoe');
      expect(asked.text).toBe(
        'Linked to Jira user *Emil* (emil). You see what Emil can see in Jira. An admin (ada) linked your account to emil. Ask an admin to change that.',
      );
      expect(asked.blocks?.some(({ type }) => type === 'actions')).toBe(false);
    });

    test('who is unknown gets a link of their own, and an admin can say it', async () => {
      const asked = await place.says('mine', 'zoe');
      expect(asked.text).toMatch(/^Your Slack account is not linked to a Jira user yet\. No one in Jira has/);
      const button = asked.blocks?.find(({ type }) => type === 'actions')?.elements;
      expect(button).toMatchObject([{ action_id: 'open-link-page', url: expect.any(String) }]);
      expect(JSON.stringify(button)).toContain('https://dwell.example/link?ticket=');
      expect((await place.slack.clicks('Link my account', { as: 'zoe' })).outcome).toBe('ok');

      expect((await place.says('link @zoe emil', 'bob')).text).toMatch(
        /^Only an admin can link other people\./,
      );
      expect((await place.says('link @zoe em')).text).toContain('Did you mean the user name `emil`');
      expect((await place.says('link @zoe')).text).toBe('Add their Jira user name after the mention.');
      expect((await place.says('link zoe emil')).text).toMatch(/^Mention the person/);
      expect((await place.says('link @zoe EMIL')).text).toBe(
        '<@U0ZOE> is linked to Jira user *Emil* (emil). They were notified.',
      );
      expect(place.toldDirectly('zoe')).toEqual([
        '*Ada* (ada) linked your Slack account to Jira user *Emil* (emil). You see what Emil can see in Jira. If that is wrong, ask an admin to change it.',
      ]);
      expect((await place.says('mine', 'zoe')).text).toContain('covers for you');
      expect((await place.says('link', 'zoe')).text).toMatch(/^Linked to Jira user \*Emil\* \(emil\)\./);
    });

    test('an admin who proved it with a token of lesser rights is none, and told so', async () => {
      const ticketOf = async (name: string) => {
        const { blocks } = await place.says('link', name);
        const [, ticket = ''] = /\/link\?ticket=([^"]+)"/.exec(JSON.stringify(blocks)) ?? [];
        return decodeURIComponent(ticket);
      };
      const proves = async (...options: string[]) => {
        const { lines } = await place.dwell.types('token', '--user', 'ada', ...options);
        const form = { ticket: await ticketOf('zoe'), token: lines[0] ?? '' };
        return (await place.dwell.post('/link', form, {})).text;
      };
      expect(await proves()).toContain('You do not get admin rights');
      expect((await place.says('link', 'zoe')).text).toMatch(
        /^Linked to Jira user \*Ada\* \(ada\)\. .* You don't have admin rights here: /,
      );
      expect((await place.says('link @bob', 'zoe')).text).toMatch(/^Only an admin/);
      expect(await proves('--admin')).not.toContain('do not come along');
      expect((await place.says('link', 'zoe')).text).toMatch(/^Linked to .* Not you\? Link another user\./);
      expect((await place.says('link @bob', 'zoe')).text).toMatch(/^Add their Jira user name/);

      const [admin] = (await place.dwell.types('tokens')).lines.filter((line) =>
        line.includes('ada (admin)'),
      );
      await place.dwell.types('tokens', '--off', admin?.split(' ')[0] ?? '');
      expect((await place.says('mine', 'zoe')).text).toMatch(/^Your Slack account is not linked/);
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
      expect((await place.says('mine')).text).toContain('covers for you');
    });

    test('a Slack that cannot be reached is no unknown person', async () => {
      place.slack.faults.breakNext('users.info', 503);
      expect((await place.says('mine')).text).toBe("Slack can't be reached at the moment. Try again later.");
      expect((await place.says('mine')).text).toContain('covers for you');
    });
  });

  test('who asks during the first fill is told to wait for it, not to set what is set', async () => {
    const { accounts, people } = knowing({ U1: 'kim@example.com' });
    const parts = {
      accounts,
      people: { ...people, users: async () => new Map() },
      sync: { progress: async () => filling },
    } as unknown as SlackParts;
    const { text } = await invitationTo('kim', parts);
    expect(text).toContain(
      'There are no Jira users here yet: they come with the initial sync from example.atlassian.net, which is running.',
    );
    expect(text).not.toContain('JIRA_');
  });
});

describe('one name for two', () => {
  const links = [
    { account: 'U1', user: robert.id, at: 1 },
    { account: 'U2', user: bob.id, at: 1 },
    { account: 'U5', user: 'JIRAUSER5', at: 1 },
  ];
  const people = peopleLinked(renamedPeople, links);
  const parts = {
    people,
    timeZone: 'UTC',
    accounts: { profileOf: async () => null },
  } as unknown as SlackParts;

  const personOf = (account: string) => ({ principal: principalOf(account), userName: 'x' });

  const memberOf = (account: string) => identify(personOf(account), parts);

  describe('a name that is the login of one and the id of another', () => {
    test.each(['bob', 'BOB'])('is asked about in Slack when typed as %s', async (name) => {
      const self = await memberOf('U5');
      const found = (await personTyped(name, self, parts))?.found;
      expect(found).toEqual({ kind: 'several', users: [robert, bob] });
      if (found?.kind !== 'several') return;
      const lineAbout = (typed: string) => `/delegates ${typed}`;
      const asked = askWhich({ name }, found, { hasAdmins: true, users: renamedPeople, lineAbout });
      expect(asked.text.split('\n').slice(1)).toEqual(['*Robert Old* (robert)', '*Bob New* (bob)']);
      expect(asked.blocks).toMatchObject([
        {},
        { accessory: { value: '/delegates @robert' } },
        { accessory: { value: '/delegates @JIRAUSER99999' } },
      ]);
    });

    test.each([
      ['robert', robert],
      ['JIRAUSER99999', bob],
      ['Bob New', bob],
      ['CARL', carl],
    ])('is not %s', async (name, user) => {
      const typed = await personTyped(name, await memberOf('U5'), parts);
      expect(typed?.found).toEqual({ kind: 'known', user });
    });

    test('links nobody, and the names that do are told', async () => {
      const invocation = { ...personOf('U5'), text: '<@U9> bob' } as SlashInvocation;
      const [answer] = await delegatesLink.answer(invocation, parts);
      expect(answer?.text).toBe(
        'Several people match `bob`. Did you mean the user name `robert`, `JIRAUSER99999`?',
      );
    });

    test('begins no line that is suggested', () => {
      const typed = [robert, bob, carl].map((person) => nameToType(person, renamedPeople));
      expect(typed).toEqual(['@robert', '@JIRAUSER99999', '@carl']);
    });

    test('stands in no command that would permit somebody something', async () => {
      const hintFor = async (account: string) =>
        askAdmin({ ...(await memberOf(account)), hasAdmins: false }, '--view-all');
      expect(await hintFor('U1')).toContain('delegates --view-all +robert`.');
      expect(await hintFor('U2')).toContain('delegates --view-all +JIRAUSER99999`.');
    });
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
});
