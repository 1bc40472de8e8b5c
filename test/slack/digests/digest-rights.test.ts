import { millisecondsInHour, millisecondsInMinute } from 'date-fns/constants';
import { afterEach, beforeEach, describe, expect, test } from '#jest';
import type { Principal } from '../../../src/model/request.ts';
import type { Profile, SlackParts } from '../../../src/slack/app/parts.ts';
import { digestActions } from '../../../src/slack/digests/digest-command.ts';
import { digestPrincipal } from '../../../src/slack/people/accounts.ts';
import { hourly } from '../../support/digest-office.ts';
import { digestReplicas, periodsIn } from '../../support/digest-replicas.ts';
import { peopleLinked } from '../../support/people-linked.ts';
import { principalOf } from '../../support/principal-of.ts';
import { type StandInSlack, startStandInSlack } from '../../support/stand-in-slack.ts';
import { startedEach } from '../../support/started.ts';
import { startTeamInSlack } from '../../support/team-in-slack.ts';

describe('digest rights', () => {
  const world = startedEach(() => startTeamInSlack());

  /** Schedules a digest of Ada's and changes its owner: what she reads then. */
  async function givesTo(owner: string, line: string): Promise<string> {
    const { blocks } = await world.says(line);
    const [, entry = ''] = /"value":"(digest-change-owner [^"]+)"/.exec(JSON.stringify(blocks)) ?? [];
    await world.slack.clicks('more', { entry });
    await world.slack.modal();
    await world.slack.submits({ owner });
    await world.slack.modal();
    return JSON.stringify(await world.slack.modal());
  }

  test('the list of a channel shows others what a digest asks where they could ask it, and no more of others', async () => {
    await world.says('/tis digest project OPS every day at 9');
    const closed = await world.says('/tis digest', { as: 'bob' });
    expect(closed.text).toContain(
      '*A digest you have no access to* in <#C0TEAM> every day at 9:00 AM (UTC)\n',
    );
    expect(closed.text).toContain('owner: <@U0ADA>');
    expect(JSON.stringify(closed)).not.toContain('OPS');
    expect((await world.says('/tis digest')).text).toContain('*project OPS*');

    await world.says('/tis digest jql project in (OPS, APP) every day at 9');
    await world.says('/tis digest aging WEB every day at 9');
    const listed = (await world.says('/tis digest', { as: 'bob' })).text;
    expect(listed).toContain('*aging WEB* in');
    expect(listed.match(/\*A digest you have no access to\*/g)).toHaveLength(2);
    expect(listed).not.toMatch(/OPS|APP/);
  });

  test('a digest that not everyone in its channel can see says so when it is scheduled', async () => {
    const { text } = await world.says('/tis digest project OPS every day at 9');
    expect(text).toContain("I'll post *project OPS* in <#C0TEAM> every day at 9:00 AM (UTC).");
    expect(text).toContain(":warning: I can't post it right now. `OPS` is");
  });

  test('a person who lacks the permissions for what a digest asks does not become its owner', async () => {
    expect(await givesTo('U0BOB', '/tis digest project OPS every day at 9 to me')).toContain(
      "The report doesn't work with bob's permissions",
    );
    expect((await world.says('/tis digest')).text).toContain('*project OPS*');
  });

  test('a new owner is asked for among people of the workspace', async () => {
    expect(await givesTo('U0NOBODY', '/tis digest aging WEB every day at 9')).toContain(
      "This account can't own a digest",
    );
  });
});

describe('digest principal', () => {
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
    ['a deactivated account', { standing: 'deactivated' }, null],
  ])(
    '%s that the tracker knows asks as that user, unless they are gone',
    async (_who, profile, principal) => {
      expect(await principalFor(profile)).toEqual(principal);
    },
  );

  test('a member the tracker does not know asks without rights, a guest not at all', async () => {
    expect(await principalFor({}, [])).toEqual(principalOf('U0ADA', 'stranger'));
    expect(await principalFor({ isGuest: true }, [])).toBeNull();
  });

  test('where Slack shows nothing, no one asks, and which scope is missing is said', async () => {
    const untold = { refused: 'missing_scope', standing: null, email: null };
    await expect(principalFor(untold, [])).rejects.toMatchObject({
      code: 'not-allowed',
      details: [expect.stringContaining('users:read'), expect.stringContaining('/tis link')],
    });
  });
});

describe('telling owners', () => {
  const POST = 'chat.postMessage';

  let slack: StandInSlack;
  let close = () => {};
  beforeEach(async () => {
    slack = await startStandInSlack();
  });
  afterEach(async () => {
    close();
    await slack.stop();
  });

  async function office(more: Parameters<typeof digestReplicas>[2] = {}) {
    const opened = await digestReplicas(1, slack, more);
    close = opened.close;
    return opened;
  }

  const toAda = () => slack.playground.messages('D0ADA').map(({ text }) => text);

  test.each<[string, () => void]>([
    ['refuses it for a while', () => slack.faults.breakNext(POST, 503, 3)],
    ['wants to be left alone', () => slack.faults.rateLimitNext(POST, 300, 2)],
    ['takes it, and its answer is lost', () => slack.faults.loseAnswerNext(POST)],
  ])('the word to an owner comes once where Slack %s', async (_, plant) => {
    const { passes } = await office();
    await passes(millisecondsInHour / 2 - millisecondsInMinute);
    slack.faults.failNext(POST, 'not_in_channel');
    plant();
    await passes(30 * millisecondsInMinute);
    expect(toAda()).toEqual([expect.stringContaining("I couldn't post *Open work*")]);
  });

  test('the message to an owner is sent again where no one can look whether it came', async () => {
    const { passes } = await office();
    await passes(millisecondsInHour / 2 - millisecondsInMinute);
    slack.faults.failNext(POST, 'not_in_channel');
    slack.faults.loseNext(POST);
    slack.faults.failNext('conversations.history', 'missing_scope', 99);
    await passes(10 * millisecondsInMinute);
    expect(toAda()).toHaveLength(1);
  });

  test('a digest whose owner left says so once in its channel, and who reads there takes it over', async () => {
    let isGone = true;
    const { passes, first, id } = await office({
      changeDoor: (door) => ({
        ...door,
        people: { ...door.people, users: async () => new Map(), linkOf: async () => null },
        accounts: {
          ...door.accounts,
          profileOf: async (account) => ({
            ...(await door.accounts.profileOf(account)),
            standing: account === 'U0ADA' && isGone ? 'deactivated' : 'ours',
          }),
        },
      }),
    });
    await passes(3 * millisecondsInHour);
    const said = slack.playground.messages('C0GENERAL');
    expect(said).toHaveLength(1);
    expect(said[0]?.text).toBe(
      'I stopped posting *Open work*, because its owner is no longer active here. To resume it, become its owner; it then runs with your permissions.',
    );
    expect(JSON.stringify(said[0]?.blocks)).toContain(`"digest-take-over"`);
    expect(slack.playground.messages('D0ADA')).toEqual([]);

    const press = async (user: string, channel: string) => {
      const click = {
        value: id,
        principal: principalOf(user),
        userName: user,
        place: { channel, threadTs: null },
        messageTs: said[0]?.ts ?? '',
        view: null,
        replace: null,
        open: async () => {},
      };
      const parts: SlackParts = Object.assign(Object.create(null), first.door, { digests: first.digests });
      const become = digestActions.find((one) => one.id === 'digest-take-over');
      return ((await become?.run(click, parts)) ?? []).map(({ text }) => text).join(' ');
    };
    await expect(press('U0BEN', 'C0WEBTEAM')).rejects.toMatchObject({ code: 'not-found' });
    isGone = false;
    await expect(press('U0BEN', 'C0GENERAL')).rejects.toMatchObject({ code: 'not-allowed' });
    isGone = true;
    expect(await press('U0BEN', 'C0GENERAL')).toContain('*Open work* is yours now');
    expect(await press('U0BEN', 'C0GENERAL')).toContain('*Open work* is yours.');
    await expect(press('U0CHI', 'C0GENERAL')).rejects.toMatchObject({ code: 'not-allowed' });
    await passes(millisecondsInHour);
    expect(periodsIn(slack, 'C0GENERAL')).toHaveLength(2);
    expect(slack.playground.messages('C0GENERAL').at(-1)?.text).toContain('missed before: ');
  });

  test('a digest to its owner alone, who left, is shown to no one', async () => {
    const { passes } = await office({
      wish: { ...hourly, place: { kind: 'owner' } },
      changeDoor: (door) => ({
        ...door,
        accounts: {
          ...door.accounts,
          profileOf: async (account) => ({
            ...(await door.accounts.profileOf(account)),
            standing: 'deactivated',
          }),
        },
      }),
    });
    await passes(3 * millisecondsInHour);
    expect(slack.calls(POST)).toEqual([]);
  });
});
