import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '#jest';
import type { Message } from '../../../playground/workspace.ts';
import {
  exportFile,
  isAssignedTo,
  jiraIssue,
  jiraUser,
  movesTo,
  type RawIssue,
} from '../../support/jira-export.ts';
import { until } from '../../support/local-exports.ts';
import { postsOrSays, shares } from '../../support/share-in-slack.ts';
import { slackPerson } from '../../support/slack-person.ts';
import { startDwellInSlack } from '../../support/start-slack.ts';
import { startedOnce } from '../../support/started.ts';
import { startTeamInSlack } from '../../support/team-in-slack.ts';

describe('who reads what', () => {
  /** Ada alone may see OPS. Slack knows zoe as a member, gus as a guest; the tracker knows neither. */
  const people = [
    ...[slackPerson('ada'), slackPerson('bob'), slackPerson('zoe'), slackPerson('gus', { guest: true })],
    ...[slackPerson('fay', { foreignTeam: 'T0OTHER' }), slackPerson('dee', { deactivated: true })],
  ];

  function finished(key: string, parent: string | null): RawIssue {
    const issue = jiraIssue(key, { created: '2026-03-02T09:00:00.000Z' })
      .at('2026-03-02T10:00:00.000Z', isAssignedTo('ada'))
      .at('2026-03-03T09:00:00.000Z', movesTo('In Progress'))
      .at('2026-03-10T09:00:00.000Z', movesTo('Done'))
      .onCloud();
    return {
      ...issue,
      fields: { ...issue.fields, ...(parent === null ? {} : { parent: { id: '9', key: parent } }) },
    };
  }

  const issues = [
    ...Array.from({ length: 12 }, (_, i) => finished(`WEB-${i + 1}`, 'OPS-1')),
    ...[finished('OPS-1', null), finished('OPS-2', null)],
  ];

  let place: Awaited<ReturnType<typeof startDwellInSlack>>;
  let members: string[];
  const start = async () => {
    members = ['U0ADA', 'U0BOB', 'U0ZOE'];
    place = await startDwellInSlack({
      ...{ mode: 'http', people, at: '2026-03-18T12:00:00Z' },
      channels: [
        { id: 'C0TEAM', name: 'team', members },
        { id: 'C0OPEN', name: 'open' },
      ],
      environment: { TRACKER: 'file', TIME_ZONE: 'UTC' },
    });
    await place.dwell.types('import', exportFile(issues), exportFile([jiraUser('ada'), jiraUser('bob')]));
    await place.dwell.types('access', 'OPS', '--to', 'ada');
  };
  const stop = () => place.stop();

  async function says(line: string, { as = 'ada', in: where = 'team' } = {}) {
    await place.slack.types(line, { as, in: where });
    return place.slack.privateReply();
  }

  /** What everybody in the channel reads once somebody has shared a message. */
  const shared = (message: Awaited<ReturnType<typeof says>>, as = 'ada') =>
    postsOrSays(place.slack, { as, on: message });

  /** The form that a command opens, once it is filled: the report builder for the bare one. */
  async function formOf(as: string, where: string, line = '/tis'): Promise<string> {
    await place.slack.types(line, { as, in: where });
    const shown = () => JSON.stringify(place.slack.openModals(as).at(-1)?.blocks ?? 'Opening…');
    await until(() => !/Opening…|Looking up/.test(shown()));
    return shown();
  }

  describe('who is nobody in the tracker', () => {
    beforeAll(start);
    afterAll(stop);

    test('asks as everybody may where they are a full member of the workspace', async () => {
      expect((await says('/tis project WEB list', { as: 'zoe' })).text).toContain('WEB · 12 issues');
    });

    test.each([
      ['gus', 'You are a guest here.'],
      ['fay', 'The account belongs to another workspace.'],
      ['dee', 'The account is deactivated in Slack.'],
    ])('%s is told nothing but help and how to say who they are', async (as, because) => {
      for (const line of ['project WEB list', 'WEB-1', 'weekly WEB', 'export WEB', 'status']) {
        const { text } = await says(`/tis ${line}`, { as, in: 'open' });
        expect(text).toBe(
          `Dwell answers people of this workspace. ${because} If you have a Jira account, link it with /tis link.`,
        );
      }
      const help = await says('/tis help', { as, in: 'open' });
      expect(help.text).toContain('/tis weekly');
      expect(help.text).not.toMatch(/WEB-\d/);
      expect((await says('/tis link', { as, in: 'open' })).text).toContain(
        'Link your Slack account to your Jira user.',
      );
    });

    test('reads nothing of the tracker on the Home tab of a guest, nor in the builder', async () => {
      await place.slack.opensHome('gus');
      const home = () => JSON.stringify(place.slack.home('gus')?.blocks ?? 'Opening…');
      await until(() => !home().includes('Opening…'));
      expect(home()).toContain('Dwell answers people of this workspace.');
      expect(home()).not.toMatch(/WEB|OPS/);
      for (const line of ['/tis', '/tis audience']) {
        const form = await formOf('gus', 'open', line);
        expect(form).toContain('You are a guest here.');
        expect(form).not.toMatch(/WEB|OPS/);
      }
    });
  });

  describe('who is nobody in the tracker, and not looked up yet', () => {
    beforeEach(start);
    afterEach(stop);

    test('is asked to wait while Slack is silent, and answered then', async () => {
      place.slack.faults.breakNext('users.info', 503, 1);
      expect((await says('/tis project WEB', { as: 'zoe' })).text).toContain("Slack can't be reached");
      expect((await says('/tis project WEB list', { as: 'zoe' })).text).toContain('WEB · 12 issues');
    });

    test('learns which scope is missing', async () => {
      place.slack.faults.failNext('users.info', 'missing_scope', 9);
      expect((await says('/tis project WEB', { as: 'zoe' })).text).toContain('with the scope users:read.');
    });
  });

  describe('a list of a channel with a project somebody cannot see', () => {
    beforeAll(async () => {
      await start();
      await place.dwell.types('audience', 'C0TEAM', 'allow', 'WEB', 'OPS');
    });
    afterAll(stop);

    test.each(['weekly', 'aging'])('%s is of the others', async (word) => {
      const { text } = await says(`/tis ${word}`, { as: 'bob' });
      expect(text).toContain("without 1 project you can't see");
      expect(text).not.toContain('OPS');
      expect((await says(`/tis ${word}`)).text).toContain('`OPS`, `WEB`');
    });

    test('the builder does not name it', async () => {
      const builder = await formOf('bob', 'team');
      expect(builder).toContain('WEB');
      expect(builder).not.toContain('OPS');
    });

    test('status counts it and does not name it', async () => {
      const { text } = await says('/tis status', { as: 'bob' });
      expect(text).toContain("Projects that can be shared here: `WEB`, and 1 you can't see.");
      expect(text).not.toContain('OPS');
    });
  });

  describe('a parent in a project that is not for everybody', () => {
    beforeAll(start);
    afterAll(stop);

    test('is hidden from who may not see it, and shown to who may', async () => {
      expect((await says('/tis project WEB by parent')).text).toContain('for OPS-1');
      const { text, blocks } = await says('/tis project WEB by parent', { as: 'bob' });
      expect(text).toContain('(hidden): Issues 12');
      expect(JSON.stringify([text, blocks])).not.toContain('OPS');
    });

    test('keeps an answer out of a channel', async () => {
      expect((await shared(await says('/tis project WEB by parent'))).text).toMatch(
        /^Not shared\. .*OPS.* not open to every Dwell user/,
      );
      // With the rights of who shares there is nothing in it that is not for all.
      const hidden = await shared(await says('/tis project WEB by parent', { as: 'bob' }), 'bob');
      expect(hidden.onlyFor).toBeUndefined();
      expect(JSON.stringify(hidden)).not.toContain('OPS');
    });
  });

  describe('a shared answer', () => {
    beforeEach(start);
    afterEach(stop);

    test('no one else sees the query of a shared answer, nor why they cannot ask it', async () => {
      const answer = await says('/tis jql project in (WEB, OPS) AND key != OPS-1 AND key != OPS-2');
      expect(answer.text).toContain('filter: project in (WEB, OPS)');
      const open = await shared(answer);
      expect(open.onlyFor).toBeUndefined();
      expect(JSON.stringify(open)).not.toContain('OPS');
      await place.slack.clicks('Why?', { as: 'bob', on: open });
      expect(JSON.stringify(await place.slack.modal('bob'))).not.toContain('OPS');
    });

    test('a shared answer of a saved set is paged by others, and stays what it was when the set changes', async () => {
      const admin = place.dwell.as('ada');
      const set = {
        name: 'Mine alone',
        public: false,
        parameters: { columnsBy: 'statusDuration', filterType: 'project', projectKey: 'WEB' },
      };
      const { json } = await admin.postJson('/rest/reportSettings', set);
      const open = await shared(await says('/tis saved Mine alone'));
      expect(open.onlyFor).toBeUndefined();
      await place.slack.clicks('Next', { as: 'bob', on: open });
      expect((await place.slack.privateReply()).text).toContain('Issues 11–12 of 12.');
      const changed = { ...set, parameters: { ...set.parameters, projectKey: 'OPS' } };
      const { id } = Object(json);
      expect((await admin.putJson(`/rest/reportSettings/${id}`, changed)).status).toBe(200);
      await place.slack.clicks('Next', { as: 'bob', on: open });
      expect((await place.slack.privateReply()).text).toContain('Issues 11–12 of 12.');
    });

    test('who sees fewer issues of a shared list begins with their first, and is told so', async () => {
      await place.dwell.types('audience', 'C0TEAM', 'allow', 'WEB', 'OPS');
      const open = await shared(await says('/tis jql status = Done ORDER BY key list'));
      await place.slack.clicks('Next', { as: 'bob', on: open });
      const { text } = await place.slack.privateReply();
      expect(text).toMatch(/^You can see 12 of the 14 issues, so here is your list from the start\./);
      expect(text).toContain('Issues 1–10 of 12.');
    });

    test('a guest who came since is noticed before the next answer is shared', async () => {
      expect((await shared(await says('/tis WEB-1'))).onlyFor).toBeUndefined();
      members.push('U0GUS');
      expect((await shared(await says('/tis WEB-2'))).text).toContain('This channel has guests');
    });

    test('where only two read nothing can be shared', async () => {
      const { blocks } = await says('/tis WEB-1', { in: 'dm' });
      expect(JSON.stringify(blocks)).toContain('why-answer');
      expect(JSON.stringify(blocks)).not.toContain('share-answer');
    });
  });
});

describe('who asks', () => {
  const place = startedOnce(() => startTeamInSlack());

  /** Shares what somebody asked. */
  async function shared(line: string, as = 'ada'): Promise<Message> {
    const answer = await place.says(line, { as });
    await shares(place.slack, { as, on: answer });
    return place.slack.reply();
  }

  /** What bob reads once he pressed *Why?*. */
  async function whyToBob(on: Message): Promise<string> {
    await place.slack.clicks('Why?', { as: 'bob', on });
    const settled = await until(() => {
      const shown = JSON.stringify(place.slack.openModals('bob').at(-1)?.blocks ?? '');
      return shown.includes('explain-figure') || shown.includes('Only the person who asked') ? shown : null;
    });
    await place.slack.dismisses({ as: 'bob' });
    return settled;
  }

  describe('what was asked about oneself', () => {
    test('stays about who asked, whoever turns to its other part', async () => {
      const answer = await shared('/tis jql project = WEB and assignee = currentUser() list');
      expect(JSON.stringify(answer)).not.toContain('currentUser');
      await place.slack.clicks('Next', { as: 'bob', on: answer });
      expect(JSON.stringify((await place.slack.privateReply()).blocks)).toContain('WEB-');
      const own = await place.says('/tis jql project = WEB and assignee = currentUser() list', { as: 'bob' });
      expect(JSON.stringify(own.blocks)).not.toContain('WEB-1');
    });

    test('a shared answer explains the same figures to everybody', async () => {
      const answer = await shared('/tis weekly jql project = WEB and assignee = currentUser()');
      expect(answer.text).toContain('12 finished');
      expect(await whyToBob(answer)).toContain('WEB-12');
    });

    test('who it is about stands in the headline', async () => {
      expect((await place.says('/tis aging assignee me')).text).toContain('assigned to ada');
      expect((await place.says('/tis weekly assignee me')).text).toContain('assigned to ada');
      expect((await place.says('/tis compare assignee me with WEB')).text).toContain('assigned to ada');
    });

    test('somebody who is nobody in the tracker is told why that is nobody', async () => {
      expect((await place.says('/tis weekly assignee me', { as: 'zoe' })).text).toContain(
        "I don't know your Jira user",
      );
    });
  });

  describe('a saved filter that asks who asks', () => {
    beforeAll(async () => {
      const filter = {
        id: '7',
        name: 'Mine',
        jql: 'project = WEB and assignee = currentUser()',
        owner: { accountId: 'ada' },
        sharePermissions: [{ type: 'global' }],
      };
      await place.dwell.types('import', exportFile([filter]));
    });

    test('is shared by who asked, and tells others nothing of other issues', async () => {
      const answer = await shared('/tis weekly filter Mine');
      expect(answer.text).toContain('12 finished');
      expect(await whyToBob(answer)).toContain('Only the person who asked can see this answer.');
    });

    test('is not turned to its other part by others', async () => {
      const answer = await shared('/tis filter 7 list');
      await place.slack.clicks('Next', { as: 'bob', on: answer });
      expect((await place.slack.privateReply()).text).toContain('Only the person who asked');
      await place.slack.clicks('Next', { as: 'ada', on: answer });
      expect(JSON.stringify((await place.slack.privateReply()).blocks)).toContain('WEB-');
    });
  });
});

describe('turn page', () => {
  const place = startedOnce(() => startTeamInSlack());

  const list = '/tis project WEB list';
  const keysIn = (message: { readonly blocks?: unknown }) =>
    new Set(JSON.stringify(message.blocks).match(/WEB-\d+/g) ?? []);

  test('a private list becomes its other part, of the same instant, and back', async () => {
    const first = await place.says(list, { as: 'bob' });
    expect(keysIn(first).size).toBe(10);
    const before = /as of [^·]+/.exec(first.text)?.[0];
    place.dwell.clock.now += 3_600_000;
    await place.slack.clicks('Next', { as: 'bob', on: first });
    const second = await place.slack.updated();
    expect([second.ts, second.onlyFor]).toEqual([first.ts, 'U0BOB']);
    expect(keysIn(second).size).toBe(2);
    expect([...keysIn(second)].filter((key) => keysIn(first).has(key))).toEqual([]);
    expect(second.text).toContain(before);
    await place.slack.clicks('Previous', { as: 'bob', on: second });
    expect(keysIn(await place.slack.updated())).toEqual(keysIn(first));
    expect(place.openIn()).toEqual([]);
  });

  test('the other part of a shared list is for who clicks alone', async () => {
    const first = await place.says(list);
    await shares(place.slack, { on: first });
    const shared = await place.slack.reply();
    await place.slack.clicks('Next', { as: 'bob', on: shared });
    const second = await place.slack.privateReply();
    expect(second.onlyFor).toBe('U0BOB');
    expect(keysIn(second).size).toBe(2);
    expect(place.openIn()).toEqual([shared]);
  });

  test('the person who clicks sees no more than they can see in Jira', async () => {
    await place.dwell.types('audience', 'C0TEAM', 'allow', 'WEB,OPS');
    const answer = await place.says(
      '/tis jql key in (OPS-1, WEB-1, WEB-2) OR project = WEB ORDER BY key list',
    );
    await shares(place.slack, { on: answer });
    const shared = await place.slack.reply();
    expect(JSON.stringify(shared)).toContain('OPS-1');
    await place.slack.clicks('Next', { as: 'bob', on: shared });
    const other = await place.slack.privateReply();
    expect(other.onlyFor).toBe('U0BOB');
    expect(JSON.stringify(other)).not.toContain('What OPS-1');
  });

  test('who may see nothing of it is told so, and not what it is', async () => {
    await place.dwell.types('audience', 'C0TEAM', 'allow', 'WEB,OPS');
    const answer = await place.says('/tis jql project in (WEB, OPS) ORDER BY key list');
    await shares(place.slack, { on: answer });
    const shared = await place.slack.reply();
    await place.slack.clicks('Next', { as: 'bob', on: shared });
    expect((await place.slack.privateReply()).text).toBe("You can't see this, or it no longer exists.");
  });
});
