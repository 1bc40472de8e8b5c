import { afterAll, beforeAll, expect, test } from '#jest';
import type { Message } from '../../../playground/workspace.ts';
import { exportFile, isAssignedTo, jiraIssue, movesTo } from '../../support/jira-export.ts';
import { startDwellInSlack } from '../../support/start-slack.ts';

type Place = Awaited<ReturnType<typeof startDwellInSlack>>;
let place: Place;

const person = (name: string) => ({
  ...{ id: `U0${name.toUpperCase()}`, name, realName: name, email: `${name}@example.com`, tz: 'UTC' },
});
const user = (id: string) => ({ accountId: id, displayName: id, emailAddress: `${id}@example.com` });
const created = '2026-03-02T09:00:00.000Z';

/** Five issues that took a day each, one that bob has worked on for four days, and two that no one has started. */
const issues = [
  ...Array.from({ length: 5 }, (_, i) =>
    jiraIssue(`WEB-${i + 1}`, { created })
      .at('2026-03-03T09:00:00.000Z', movesTo('In Progress'))
      .at('2026-03-04T09:00:00.000Z', movesTo('Done')),
  ),
  jiraIssue('WEB-6', { created })
    .at('2026-03-02T10:00:00.000Z', isAssignedTo('bob'))
    .at('2026-03-14T12:00:00.000Z', movesTo('In Progress')),
  jiraIssue('WEB-7', { created }).at('2026-03-02T10:00:00.000Z', isAssignedTo('bob')),
  jiraIssue('WEB-8', { created }),
].map((issue) => issue.onCloud());

beforeAll(async () => {
  place = await startDwellInSlack({
    people: [person('ada'), person('bob')],
    channels: [{ id: 'C0TEAM', name: 'team', members: ['U0ADA', 'U0BOB'] }],
    at: '2026-03-18T12:00:00Z',
    environment: { TRACKER: 'file', TIME_ZONE: 'UTC', BASE_URL: 'https://dwell.example' },
  });
  await place.dwell.types('import', exportFile(issues), exportFile([user('ada'), user('bob')]));
});
afterAll(() => place.stop());

async function says(line: string, as = 'ada'): Promise<Message> {
  await place.slack.types(line, { as });
  return place.slack.reply();
}

test('aging shows started issues, counts the others, and lists them on request', async () => {
  const started = await says('/tis aging WEB');
  expect(started.text).toMatch(
    /^The one started issue in WEB has been in its status longer than usual\. WEB-6: × usual 🟠 4×, For 4d, In Progress, @bob, What WEB-6 is about\. 2 issues are not started \(oldest 16d 3h\): `\/tis aging WEB with backlog`\./,
  );
  expect((await says('/tis aging WEB with backlog')).text).toMatch(
    /^All 3 open issues in WEB have been .* WEB-7: × usual 🟠 4\.2×, For 16d 3h, To Do, @bob, .*; WEB-8: .*; WEB-6: .* In Progress/,
  );
});

test('the assignee of the first issue is nudged in their conversation with the app', async () => {
  const answer = await says('/tis aging WEB');
  await place.slack.clicks('Nudge bob', { on: answer });
  const nudge = await place.slack.reply();
  expect(nudge.text).toBe('<@U0BOB> WEB-6: In Progress for 4d, 4× usual. <@U0ADA> asks for an update.');
  expect(nudge.channel).not.toBe('C0TEAM');
  expect((await place.slack.reply()).text).toBe('I sent <@U0BOB> a message about WEB-6.');
});

test('mine has started issues first, and needs no column of people', async () => {
  const { text, blocks } = await says('/tis mine', 'bob');
  expect(text).toMatch(
    /^2 open issues assigned to you · 1 longer than usual\. WEB-6: × usual 🟠 4×, .*; WEB-7: × usual –, For 16d 3h, To Do, /,
  );
  expect(JSON.stringify(blocks)).not.toContain('Assign');
});

test('without an open issue what else can be asked is said', async () => {
  expect((await says('/tis aging jql project = WEB and key = WEB-1')).text).toMatch(
    /^No open issues matching the filter that you can see\. Try other issues, or see what was finished: `\/tis weekly`\./,
  );
});
