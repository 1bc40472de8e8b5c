import fc from 'fast-check';
import { afterEach, describe, expect, test } from '#jest';
import type { Channel } from '../../../playground/playground-options.ts';
import type { buildTracker } from '../../../src/compose/build-tracker.ts';
import type { AllowedProject } from '../../../src/model/chat.ts';
import type { AudienceScope, BrowsePermissions, BrowseScope } from '../../../src/model/request.ts';
import type { Outsiders } from '../../../src/slack/app/parts.ts';
import { audienceProblem } from '../../../src/slack/channels/audience.ts';
import { principalOf } from '../../support/principal-of.ts';
import { shareOutcome, shares } from '../../support/share-in-slack.ts';
import { slackPerson } from '../../support/slack-person.ts';
import { aSync, standInSync } from '../../support/stand-in-sync.ts';
import { startDwellInSlack } from '../../support/start-slack.ts';
import { startTeamInSlack } from '../../support/team-in-slack.ts';

describe('why not here', () => {
  const silent: Outsiders = { kind: 'unknown', because: 'Slack is silent.', passes: true };
  const guests: Outsiders = { kind: 'some', what: 'has guests' };
  const shared: Outsiders = { kind: 'some', what: 'is shared with other workspaces' };
  const none: Outsiders = { kind: 'none' };

  const about = (...projects: string[]): AudienceScope => ({ projects, issues: 4, withLevel: 0 });
  const allowed = (...keys: string[]): AllowedProject[] => keys.map((key) => ({ key, withGuests: false }));
  const allowedWithGuests = (...keys: string[]): AllowedProject[] =>
    keys.map((key) => ({ key, withGuests: true }));

  /** A channel with what is known of it; OPS is the one project that is not open to everybody. */
  const reasons = (
    contents: AudienceScope | null,
    {
      projects = null,
      outsiders = none,
      scope = { closedProjects: ['OPS'], openLevels: [], everything: false },
      admin = true,
    }: {
      projects?: readonly AllowedProject[] | null;
      outsiders?: Outsiders;
      scope?: BrowseScope;
      admin?: boolean;
    } = {},
    channel = 'C0WEB',
  ) =>
    audienceProblem(contents, channel, {
      channels: {
        channel: async () => ({
          ...{ channel, timeZone: null, calendar: null, projects, unfurls: false },
          ...{ changedBy: null, changedAt: null },
        }),
      },
      channelFacts: { outsidersIn: async () => outsiders },
      people: { tenant: 'default', users: async () => new Map([['ada', { id: 'ada', name: 'Ada', admin }]]) },
      reporting: {
        browseScope: async (principal) => {
          expect(principal).toEqual(principalOf(''));
          return scope;
        },
      },
    });

  describe('without a list', () => {
    test('open projects may be told where only people of the workspace read', async () => {
      expect(await reasons(about('APP', 'WEB'))).toEqual([]);
    });

    test('a closed project cannot, and an admin sees what to type', async () => {
      expect(await reasons(about('OPS', 'WEB'))).toEqual([
        '`OPS` is not open to every Dwell user.',
        'An admin can share it in this channel: `/tis audience allow OPS`.',
      ]);
    });

    test('where the tracker itself decides that is said, and what is needed', async () => {
      const scope = { openProjects: [], openIssues: [] };
      expect(await reasons(about('LARK', 'WEB'), { scope })).toEqual([
        'Nothing can be shared here until projects are chosen.',
        'An admin can share them in this channel: `/tis audience allow LARK,WEB`.',
      ]);
      expect(await reasons(about('LARK'), { scope, projects: allowed('LARK') })).toEqual([]);
    });

    test('where the tracker tells of no admins whoever runs Dwell is told the whole line to type', async () => {
      const line = '`npx dwell audience C0WEB allow LARK WEB`';
      const scope = { openProjects: [], openIssues: [] };
      const here = about('LARK', 'WEB');
      const curesOf = async (of: Parameters<typeof reasons>[1]) =>
        (await reasons(here, { ...of, admin: false })).slice(1);
      expect(await curesOf({ scope })).toEqual([
        `The person who runs Dwell can share them in this channel: ${line}.`,
      ]);
      expect(await curesOf({ projects: [] })).toEqual([`The person who runs Dwell can add them: ${line}.`]);
      expect(await curesOf({ outsiders: guests })).toEqual([
        `The person who runs Dwell can still allow it: ${line.slice(0, -1)} --with-guests\`.`,
      ]);
      expect(await reasons({ ...about('LARK'), withLevel: null }, { admin: false })).toContain(
        "The person who runs Dwell can add the project to this channel's list if everyone here can see all its issues: `npx dwell audience C0WEB allow LARK`.",
      );
    });

    test.each([true, false])(
      'a line for very many projects stays one that can be typed (admins: %s)',
      async (admin) => {
        const many = about(...Array.from({ length: 21 }, (_, i) => `P${i}`));
        const [, cure] = await reasons(many, { projects: [], admin });
        expect(cure).toMatch(/ allow PROJECT[ ,]PROJECT`\.$/);
      },
    );

    test.each([
      [guests, 'This channel has guests'],
      [shared, 'This channel is shared with other workspaces'],
      [silent, "I don't know if guests can read this channel. Slack is silent."],
    ])('%j: nothing may be told', async (outsiders, lead) => {
      const [first, cure, ...more] = await reasons(about('WEB'), { outsiders });
      expect(first).toContain(lead);
      expect(cure).toContain('`/tis audience allow WEB with guests`');
      expect(more).toEqual([]);
    });

    test('nothing is said of an answer without any issue either where guests read', async () => {
      expect(await reasons({ projects: [], issues: 0, withLevel: 0 }, { outsiders: guests })).not.toEqual([]);
    });
  });

  describe('with a list', () => {
    test('its projects may be told, closed ones too', async () => {
      expect(await reasons(about('OPS', 'WEB'), { projects: allowed('OPS', 'WEB') })).toEqual([]);
    });

    test('others may not, and all that are missing are named', async () => {
      expect(await reasons(about('APP', 'OPS', 'WEB'), { projects: allowed('WEB') })).toEqual([
        '`APP`, `OPS` are not in the project list of this channel.',
        'An admin can add them: `/tis audience allow APP,OPS`.',
      ]);
    });

    test.each([guests, shared, silent])(
      '%j: only projects allowed with guests can be posted',
      async (outsiders) => {
        const projects = [...allowedWithGuests('WEB'), ...allowed('APP')];
        expect(await reasons(about('WEB'), { projects, outsiders })).toEqual([]);
        const refused = await reasons(about('APP', 'WEB'), { projects, outsiders });
        expect(refused.join(' ')).toContain('`/tis audience allow APP with guests`');
      },
    );
  });

  test('an issue with a security level is never posted, whatever the list says', async () => {
    const projects = allowedWithGuests('WEB');
    const one = { projects: ['WEB'], issues: 1, withLevel: 1 };
    expect(await reasons(one, { projects })).toEqual([
      "The issue has a security level, so it's not for everyone here.",
    ]);
    expect(await reasons({ ...one, issues: 9 }, { projects })).toEqual([
      "1 of the 9 issues has a security level, so it's not for everyone here. A filter with `AND level is EMPTY` leaves such issues out.",
    ]);
    expect(await reasons({ ...one, issues: 9, withLevel: 2 })).toEqual([
      "2 of the 9 issues have a security level, so they're not for everyone here. A filter with `AND level is EMPTY` leaves such issues out.",
    ]);
  });

  test('neither is one that is restricted to roles', async () => {
    const some = { projects: ['WEB'], issues: 9, withLevel: 2 };
    expect(await reasons({ ...some, issues: 1, withLevel: 1, withRoles: 1 })).toEqual([
      "The issue has a restriction to roles, so it's not for everyone here.",
    ]);
    expect(await reasons({ ...some, withRoles: 2 })).toEqual([
      "2 of the 9 issues have a restriction to roles, so they're not for everyone here. A filter with `AND issuerestriction is EMPTY` leaves such issues out.",
    ]);
    expect(await reasons({ ...some, withRoles: 1 })).toEqual([
      "2 of the 9 issues have a security level or a restriction to roles, so they're not for everyone here. A filter with `AND level is EMPTY AND issuerestriction is EMPTY` leaves such issues out.",
    ]);
  });

  test('what nobody can tell the contents of is never told', async () => {
    expect(await reasons(null, { projects: allowedWithGuests('WEB') })).toEqual([
      "I don't know which projects this is about, so it's only visible to you.",
    ]);
  });

  test('in the conversation with the app, by its id or the account, everything may be told', async () => {
    for (const channel of ['D0ADA', 'U0ADA', 'W0ADA']) {
      expect(await reasons({ projects: ['OPS'], issues: 1, withLevel: 1 }, {}, channel)).toEqual([]);
      expect(await reasons(null, {}, channel)).toEqual([]);
    }
  });

  test('in a conversation of two people without the app nothing is told', async () => {
    const outsiders: Outsiders = { kind: 'some', what: "is a conversation I'm not in" };
    expect(await reasons(about('WEB'), { outsiders }, 'D0OTHERS')).toEqual([
      "I'm not part of this conversation, so I can't share anything here.",
    ]);
  });

  test('whatever is in it and whoever reads there: told only if every project is allowed to all of them', async () => {
    const key = fc.constantFrom('APP', 'OPS', 'WEB');
    const list = fc.option(
      fc.uniqueArray(fc.record({ key, withGuests: fc.boolean() }), { selector: (one) => one.key }),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(key, { minLength: 1 }),
        fc.nat({ max: 2 }),
        list,
        fc.constantFrom(none, guests, shared, silent),
        async (projects, withLevel, allowedHere, outsiders) => {
          const may = projects.every((project) => {
            if (allowedHere === null) return project !== 'OPS' && outsiders.kind === 'none';
            return allowedHere.some(
              (one) => one.key === project && (one.withGuests || outsiders.kind === 'none'),
            );
          });
          const told = await reasons(
            { projects, issues: 2, withLevel },
            { projects: allowedHere, outsiders },
          );
          expect(told.length === 0).toBe(may && withLevel === 0);
        },
      ),
    );
  });
});

describe('tis audience', () => {
  const members = ['U0ADA', 'U0BOB'];
  const channels: readonly Channel[] = [
    { id: 'C0WEB', name: 'web', members },
    { id: 'C0OPEN', name: 'open' },
  ];

  /** The sample's company, in which ada is an admin. */
  const startCompany = () =>
    startDwellInSlack({
      ...{ people: [slackPerson('ada'), slackPerson('bob'), slackPerson('gus', { guest: true })], channels },
      environment: { TRACKER: 'sample', TIME_ZONE: 'UTC' },
    });

  let place: Awaited<ReturnType<typeof startDwellInSlack>>;
  afterEach(() => place.stop());

  async function said(line: string, { as = 'ada', in: where = 'web' } = {}): Promise<string> {
    const { onlyFor, text } = await place.slack.answerTo(
      line === '' ? '/tis status' : `/tis audience ${line}`,
      { as, in: where },
    );
    expect(onlyFor).toBe(`U0${as.toUpperCase()}`);
    return text;
  }

  describe('where the tracker has admins', () => {
    test('an admin allows, forbids and resets; everybody may read what holds', async () => {
      place = await startCompany();
      const bob = { as: 'bob' };
      expect(await said('', bob)).toMatch(
        /can be shared here.*An admin can change it: `\/tis audience allow PROJECT`/,
      );
      expect(await said('', bob)).toContain('Anything every Dwell user can see can be shared here.');
      expect(await said('allow web, app')).toContain('Done. Projects that can be shared here: `APP`, `WEB`.');
      expect(await said('allow OPS with guests')).toContain('`APP`, `OPS` (with guests), `WEB`');
      expect(await said('forbid APP')).toContain('`OPS` (with guests), `WEB`.');
      expect(await said('', bob)).toContain('`OPS` (with guests), `WEB`.');
      expect(await said('', { in: 'open' })).toContain('This channel has guests.');
      expect(await said('forbid OPS,WEB')).toContain('No project can be shared here.');
      expect(await said('reset')).toContain('can be shared here');
    });

    test('no one else changes it', async () => {
      place = await startCompany();
      for (const line of ['allow WEB', 'forbid WEB', 'reset']) {
        expect(await said(line, { as: 'bob' })).toBe(
          'Only an admin can change which projects can be shared here.',
        );
      }
      expect(await said('', { as: 'bob' })).toContain('can be shared here');
    });

    test.each([
      ['allow', 'project is missing after allow'],
      ['allow NOPE', "Project 'NOPE' could not be found"],
      ['allow W-1', "Project 'W-1' is not a project key"],
      ['allow <!channel>', "Project '&lt;!channel&gt;' is not a project key"],
      ['forbid WEB', "Project 'WEB' is not in the channel's list; in it: none."],
      ['reset WEB', 'Reset takes nothing after it.'],
      ['open', `I don't understand "open". Try: allow, forbid, reset`],
    ])('%s is refused with what is allowed', async (line, words) => {
      place = await startCompany();
      const text = await said(line);
      expect(text).toContain(words);
      expect(text).toContain('You can run `/tis settings` or `/tis help audience`.');
      expect(await said('')).toContain('can be shared here');
    });

    test('in the conversation with the app there is nothing to say', async () => {
      place = await startCompany();
      expect(await said('', { in: 'dm' })).toContain('Only you and I are in this conversation.');
    });
  });

  describe('where the tracker has no admins', () => {
    test('the command line is named, word by word', async () => {
      const team = await startTeamInSlack();
      place = team;
      expect(await said('allow WEB,OPS with guests', { in: 'team' })).toContain(
        'No Dwell admin yet. On the server: `npx dwell audience C0TEAM allow WEB OPS --with-guests`',
      );
      const { lines } = await team.dwell.types('audience', 'C0TEAM', 'allow', 'WEB', 'OPS', '--with-guests');
      expect(lines).toEqual([
        'Projects that can be shared in C0TEAM:',
        'OPS  with guests',
        'WEB  with guests',
      ]);
      expect(await said('', { in: 'team' })).toMatch(
        /`OPS` \(with guests\), `WEB` \(with guests\).* The person who runs Dwell can change it: `npx dwell audience C0TEAM allow PROJECT`\./,
      );
    });

    test('a project somebody cannot see is counted, not named', async () => {
      const team = await startTeamInSlack();
      place = team;
      await team.dwell.types('audience', 'C0TEAM', 'allow', 'WEB,OPS');
      const text = await said('', { as: 'bob', in: 'team' });
      expect(text).toContain("`WEB`, and 1 you can't see.");
      expect(text).not.toContain('OPS');
    });
  });
});

describe('where the tracker decides', () => {
  const problem = {
    at: Date.parse('2026-03-18T11:00:00Z'),
    message: 'https://jira.internal:8443 is silent.',
  };
  const { trackerBuilder: kept } = standInSync({ status: aSync({ issues: 12_345, problem }) });

  const permissionsOf = (...projects: string[]): BrowsePermissions => ({
    ...{ projects: new Set(projects), closedProjects: new Set<string>() },
    ...{ issues: new Set<string>(), unasked: 0 },
  });

  /** Issues that are kept fresh; the tracker itself opens WEB to ada, and nothing to anybody else. */
  const trackerBuilder: typeof buildTracker = async (config, parts) => {
    const built = await kept(config, parts);
    return {
      ...built,
      async mirror() {
        const mirror = await built.mirror();
        return {
          ...mirror,
          directoryFor: async ({ account: user }) => ({
            ...(await mirror.directory()),
            permissions: user === 'ada' ? permissionsOf('WEB') : permissionsOf(),
          }),
        };
      },
    };
  };

  let place: { readonly stop: () => Promise<void> };
  afterEach(() => place.stop());

  async function startTeam() {
    const team = await startTeamInSlack('http', { trackerBuilder });
    place = team;
    return team;
  }

  test('who sees no issue is not told that there are none, and who is not known reads what to do', async () => {
    const { says } = await startTeam();
    const zoe = (await says('/tis WEB-404', { as: 'zoe' })).text;
    expect(zoe).toContain(
      "I can't find an issue that everyone can see, and I don't know your Jira user. You can run `/tis link` or `/tis status`.",
    );
    const bob = (await says('/tis WEB-404', { as: 'bob' })).text;
    expect(bob).toContain("I can't find an issue that you can see. You can run `/tis status`.");
    for (const text of [zoe, bob]) expect(text).not.toMatch(/no issues here yet|import/i);
    expect((await says('/tis WEB-404')).text).toMatch(/You can run `\/tis WEB-\d+`/);
  });

  test('where issues are imported, who sees none reads how some come here, or whom to ask', async () => {
    const person = { id: 'U0ADA', name: 'ada', realName: 'ada', email: 'ada@example.com', tz: 'UTC' };
    const empty = await startDwellInSlack({
      ...{ people: [person], channels: [{ id: 'C0WEB', name: 'web', members: ['U0ADA'] }] },
      environment: { TRACKER: 'file', TIME_ZONE: 'UTC' },
    });
    place = empty;
    expect((await empty.slack.answerTo('/tis WEB-404', { as: 'ada', in: 'web' })).text).toContain(
      'Import issues with `npx dwell import FILE`, or ask an admin which you can see.',
    );
  });

  test('a channel of which no admin has said anything reads nothing, and is told what is needed', async () => {
    const { says, slack, openIn } = await startTeam();
    const shut = 'Nothing can be shared here until projects are chosen.';
    await shares(slack, { on: await says('/tis project WEB') });
    expect(await shareOutcome(slack)).toBe(
      'Not shared. Nothing can be shared here until projects are chosen. The person who runs Dwell can share it in this channel: `npx dwell audience C0TEAM allow WEB`.',
    );
    expect(openIn()).toEqual([]);
    const status = (await says('/tis status')).text;
    expect(status).toContain(shut);
    expect(status).toContain('`npx dwell audience C0TEAM allow PROJECT`');
  });

  test('/tis status tells who is no admin how fresh the data is and what they may see, that it fails, not how much there is', async () => {
    const { says } = await startTeam();
    const { text } = await says('/tis status');
    expect(text).toContain('*Tracker* example.atlassian.net, fresh as of');
    expect(text).toContain('*Issues* 12 that you can see.');
    expect(text).toMatch(
      /The last sync failed at .*; the person who runs Dwell finds out why with `npx dwell sync`/,
    );
    expect(text).not.toMatch(/12,345|stored|internal/);
  });
});
