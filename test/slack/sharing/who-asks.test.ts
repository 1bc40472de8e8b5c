import { afterEach, beforeEach, describe, expect, test } from '#jest';
import type { Message } from '../../../playground/workspace.ts';
import { exportFile } from '../../support/jira-export.ts';
import { until } from '../../support/local-exports.ts';
import { startTeamInSlack } from '../../support/team-in-slack.ts';

let place: Awaited<ReturnType<typeof startTeamInSlack>>;
beforeEach(async () => {
  place = await startTeamInSlack();
});
afterEach(() => place.stop());

/** Shares what somebody asked. */
async function shared(line: string, as = 'ada'): Promise<Message> {
  const answer = await place.says(line, { as });
  await place.slack.clicks('Share to channel', { as, on: answer });
  return place.slack.reply();
}

/** What bob reads once he pressed *Why?*. */
async function whyToBob(on: Message): Promise<string> {
  await place.slack.clicks('Why?', { as: 'bob', on });
  const settled = await until(() => {
    const told = JSON.stringify(place.slack.openModals('bob').at(-1)?.blocks ?? '');
    return told.includes('explain-figure') || told.includes('depends on who asks') ? told : null;
  });
  return settled;
}

describe('what was asked about oneself', () => {
  test('stays about who asked, whoever turns to its other part', async () => {
    const answer = await shared('/tis jql project = WEB and assignee = currentUser() list');
    expect(JSON.stringify(answer)).not.toContain('currentUser');
    await place.slack.clicks('Next', { as: 'bob', on: answer });
    expect(JSON.stringify((await place.privateWord()).blocks)).toContain('WEB-');
    const own = await place.says('/tis jql project = WEB and assignee = currentUser() list', { as: 'bob' });
    expect(JSON.stringify(own.blocks)).not.toContain('WEB-1');
  });

  test('a shared answer explains the same figures to everybody', async () => {
    const answer = await shared('/tis weekly jql project = WEB and assignee = currentUser()');
    expect(answer.text).toContain('12 issues');
    expect(await whyToBob(answer)).toContain('WEB-12');
  });

  test('who it is about stands in the headline', async () => {
    expect((await place.says('/tis aging assignee me')).text).toContain('assigned to ada');
    expect((await place.says('/tis weekly assignee me')).text).toContain('assigned to ada');
    expect((await place.says('/tis compare assignee me with WEB')).text).toContain('assigned to ada');
  });

  test('somebody who is nobody in the tracker is told why that is nobody', async () => {
    expect((await place.says('/tis weekly assignee me', { as: 'zoe' })).text).toContain(
      'I do not know who you are in the tracker',
    );
  });
});

describe('a saved filter that asks who asks', () => {
  beforeEach(async () => {
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
    expect(answer.text).toContain('12 issues');
    expect(await whyToBob(answer)).toContain('This answer depends on who asks, and somebody else asked.');
  });

  test('is not turned to its other part by others', async () => {
    const answer = await shared('/tis filter 7 list');
    await place.slack.clicks('Next', { as: 'bob', on: answer });
    expect((await place.privateWord()).text).toContain('This answer depends on who asks');
    await place.slack.clicks('Next', { as: 'ada', on: answer });
    expect(JSON.stringify((await place.privateWord()).blocks)).toContain('WEB-');
  });
});
