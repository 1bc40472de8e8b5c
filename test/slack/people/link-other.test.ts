import { describe, expect, test } from '#jest';
import type { User } from '../../../src/model/issue.ts';
import type { SlashInvocation } from '../../../src/slack/app/handler-types.ts';
import type { Accounts, SlackParts } from '../../../src/slack/app/parts.ts';
import { askAdmin } from '../../../src/slack/delegates/cover-words.ts';
import { askWhich, identify, linkByOthers, linkInvitation } from '../../../src/slack/people/identify.ts';
import { delegatesLink } from '../../../src/slack/people/link-accounts.ts';
import { peopleLinked } from '../../support/people-linked.ts';
import { principalOf } from '../../support/principal-of.ts';
import { slackPerson } from '../../support/slack-person.ts';
import { startDwellInSlack } from '../../support/start-slack.ts';
import { startedOnce } from '../../support/started.ts';

describe('link other', () => {
  const place = startedOnce(() =>
    startDwellInSlack({
      at: '2026-03-18T12:00:00.000Z',
      environment: { TRACKER: 'sample', TIME_ZONE: 'UTC' },
      people: [
        slackPerson('ada'),
        slackPerson('zoe'),
        slackPerson('yuri'),
        slackPerson('guest', { guest: true }),
        slackPerson('gone', { deactivated: true }),
        slackPerson('robot', { bot: true }),
        slackPerson('partner', { foreignTeam: 'T0OTHER' }),
        // More than one page of Slack's list.
        ...Array.from({ length: 1_000 }, (_, i) => slackPerson(`member${i}`)),
        slackPerson('xena', { id: 'U0XENA', realName: 'Xena Miller' }),
        slackPerson('mia', { id: 'U0MIA1', realName: 'Mia Stone' }),
        slackPerson('mia.s', { id: 'U0MIA2', realName: 'Mia Stone' }),
        slackPerson('zed'),
        // Called as a line about zed goes on.
        slackPerson('mallory', { realName: 'zed Emil' }),
        slackPerson('bob', { id: 'U0BOBS', realName: 'Bob Carl' }),
      ],
    }),
  );

  /** What ada, an admin, reads when she links an account. */
  async function links(account: string, user = 'emil'): Promise<string> {
    await place.slack.types(`/delegates link <@${account}> ${user}`);
    for (;;) {
      const { onlyFor, text } = await place.slack.reply();
      if (onlyFor === 'U0ADA') return text;
    }
  }
  const posts = () => place.slack.calls('chat.postMessage').length;
  const linked = async () => (await place.dwell.types('people')).lines.join('\n');

  test.each([
    ['U0NOBODY', "Slack doesn't show this account (user_not_found)."],
    ['U0GONE', 'The account is deactivated in Slack.'],
    ['U0ROBOT', 'The account belongs to a bot.'],
    ['U0DWELL', 'The account belongs to a bot.'],
    ['U0PARTNER', 'The account belongs to another workspace.'],
  ])('an admin cannot link %s', async (account, because) => {
    const before = posts();
    expect(await links(account)).toBe(`<@${account}> can't be linked. ${because}`);
    expect(posts()).toBe(before);
    expect(await linked()).not.toContain(account);
  });

  test('nor anybody while Slack does not tell who that is', async () => {
    await place.slack.answerTo('/delegates mine');
    place.slack.faults.failNext('users.info', 'missing_scope');
    expect(await links('U0YURI')).toMatch(/^<@U0YURI> can't be linked\. Slack doesn't let me read/);
    expect(await linked()).not.toContain('U0YURI');
  });

  test('a guest can be linked, and whoever is linked is told by whom and to whom', async () => {
    expect(await links('U0GUEST')).toMatch(
      / is linked to Jira user \*Emil\* \(emil\)\. They were notified\.$/,
    );
    const [told] = place.slack.messages({ channel: 'dm', as: 'guest' });
    expect(told?.text).toMatch(/^\*Ada\* \(ada\) linked your Slack account to Jira user \*Emil\* \(emil\)\./);
  });

  test('an admin reads where the linked one could not be told', async () => {
    place.slack.faults.failNext('chat.postMessage', 'messages_tab_disabled');
    expect(await links('U0ZOE')).toContain("Slack didn't deliver my message to them. Please let them know.");
    place.slack.faults.loseAnswerNext('chat.postMessage');
    expect(await links('U0ZOE')).toContain('My message to them may not have arrived.');
  });

  test('who links themselves knows it', async () => {
    const before = posts();
    expect(await links('U0ADA', 'ada')).toBe('<@U0ADA> is linked to Jira user *Ada* (ada).');
    expect(posts()).toBe(before);
  });

  /** Slack hands mentions behind `/tis` on as they were typed: by handle, or by what somebody is called. */
  const typed = async (line: string) => {
    await place.slack.types(line);
    for (;;) {
      const { onlyFor, text } = await place.slack.reply();
      if (onlyFor === 'U0ADA') return text;
    }
  };

  test.each(['/tis link @xena emil', '/tis link @Xena Miller emil', '/delegates link @Xena Miller emil'])(
    'a mention that arrives as plain text is the account: %s',
    async (line) => {
      expect(await typed(line)).toContain('<@U0XENA> is linked to Jira user *Emil* (emil).');
      expect(await linked()).toContain('U0XENA');
    },
  );

  test('where several are called so, the admin reads by which names they are told apart', async () => {
    expect(await typed('/tis link @Mia Stone emil')).toBe(
      'Several people in Slack are called `Mia Stone`: <@U0MIA1> is `@mia`, <@U0MIA2> is `@mia.s`. Type one of these names, or mention the person after `/delegates link`.',
    );
    expect(await typed('/tis link @mia.s emil')).toContain('<@U0MIA2> is linked to Jira user *Emil*');
  });

  test('nobody is linked by having called themselves as the line about another goes on', async () => {
    const { text } = await place.slack.answerTo('/tis link @zed Emil emil', { as: 'ada' });
    expect(text).toContain('Several people in Slack are called `zed Emil`');
    expect(text).toContain('<@U0MALLORY> is `@mallory`');
    expect(text).toContain('<@U0ZED> is `@zed`');
    expect(await linked()).not.toMatch(/U0ZED|U0MALLORY/);
  });

  test('a handle that is also the beginning of a full name leaves the user name to the line', async () => {
    await place.slack.types('/tis link @bob carl', { as: 'ada' });
    for (;;) {
      const { onlyFor, text } = await place.slack.reply();
      if (onlyFor !== 'U0ADA') continue;
      expect(text).toMatch(/^<@U0BOBS> is linked to Jira user \*Carl\* \(carl\)\./);
      break;
    }
  });

  test('a name that nobody in Slack has is said', async () => {
    expect(await typed('/tis link @nobody emil')).toMatch(/^No one in Slack is called `nobody`\. /);
  });

  test('who is deactivated is found by name as well, and not linked', async () => {
    expect(await typed('/tis link @gone emil')).toContain('The account is deactivated in Slack.');
  });

  test('/delegates knows who is mentioned in plain text', async () => {
    await typed('/tis link @xena emil');
    expect(await typed('/delegates @Xena Miller on 2026-03-18')).toMatch(/^No one covers for \*<@U0/);
    expect(await typed('/delegates @Xena Miller on 2026-03-18')).not.toContain("I can't find");
  });
});

describe('without admins', () => {
  const line = 'npx dwell people --link U2 --to USERNAME';
  const person = { principal: principalOf('U1'), userName: 'ada' };

  /** The Slack door of a tracker with two people, of whom the second may be an admin. */
  function doorParts({ admin }: { readonly admin: boolean }): SlackParts {
    const users = new Map<string, User>([
      ['ada', { id: 'ada', name: 'Ada' }],
      ['bob', { id: 'bob', name: 'Bob', admin }],
    ]);
    const accounts: Accounts = {
      profileOf: async () => {
        throw new Error('not asked for');
      },
      withEmail: async () => null,
      called: async () => [],
    };
    const people = peopleLinked(users, [{ account: 'U1', user: 'ada', at: 1 }]);
    return { accounts, people, timeZone: 'UTC' } as unknown as SlackParts;
  }

  const adaOf = (parts: SlackParts) => identify(person, parts);

  describe('where nobody is an admin of the tracker, the command line is named instead', () => {
    test('to who has not the right', async () => {
      const command = '`npx dwell delegates --view-all +ada`.';
      const of = async (admin: boolean) => askAdmin(await adaOf(doorParts({ admin })), '--view-all');
      expect(await of(false)).toBe(`Change it on the command line: ${command}`);
      expect(await of(true)).toBe('Ask an admin to change that.');
      const admin = await adaOf(doorParts({ admin: true }));
      expect(
        askAdmin({ ...admin, principal: { ...admin.principal, rights: 'admin' } }, '--view-all'),
      ).toContain(command);
    });

    test('to who would link somebody', async () => {
      const invocation = { ...person, text: '<@U2> bob' } as SlashInvocation;
      const links = async (admin: boolean) =>
        (await delegatesLink.answer(invocation, doorParts({ admin })))[0]?.text;
      expect(await links(false)).toMatch(`No Dwell admin yet. On the server: \`${line}\`.`);
      expect(await links(true)).toMatch(/^Only an admin can link other people\./);
    });

    test('to who is not known, or asks about somebody who is not', () => {
      const link = 'https://dwell.example/link';
      const invitation = linkInvitation('Who are you?', link, linkByOthers('U2', false));
      const nobody = { kind: 'unknown', because: 'Nobody has the address.', similar: [] } as const;
      const asking = { hasAdmins: false, users: new Map(), lineAbout: (name: string) => name };
      const which = askWhich({ account: 'U2' }, nobody, asking);
      for (const { text } of [invitation, which]) {
        expect(text).toContain(`\`${line}\``);
        expect(text).not.toContain('admin');
      }
    });
  });
});
