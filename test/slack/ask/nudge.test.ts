import { afterAll, beforeAll, expect, test } from '#jest';
import { exportFile, isAssignedTo, jiraIssue, movesTo } from '../../support/jira-export.ts';
import { startDwellInSlack } from '../../support/start-slack.ts';

const person = (name: string) => ({
  ...{ id: `U0${name.toUpperCase()}`, name, realName: name, email: `${name}@example.com`, tz: 'UTC' },
});
const user = (id: string) => ({ accountId: id, displayName: id, emailAddress: `${id}@example.com` });

const created = '2026-03-02T09:00:00.000Z';
/** Work that waits since March 14, of which ben has WEB-6 and dora, who is not in Slack, WEB-7. */
const waiting = (key: string, assignee: string) =>
  jiraIssue(key, { created })
    .at('2026-03-02T10:00:00.000Z', isAssignedTo(assignee))
    .at('2026-03-14T12:00:00.000Z', movesTo('In Progress'));

let place: Awaited<ReturnType<typeof startDwellInSlack>>;
beforeAll(async () => {
  place = await startDwellInSlack({
    people: [person('ada'), person('ben'), person('cleo')],
    channels: [{ id: 'C0TEAM', name: 'team', members: ['U0ADA', 'U0BEN', 'U0CLEO'] }],
    at: '2026-03-18T12:00:00Z',
    environment: { TRACKER: 'file', TIME_ZONE: 'UTC' },
  });
  const issues = [waiting('WEB-6', 'ben'), waiting('WEB-7', 'dora')].map((issue) => issue.onCloud());
  const users = ['ada', 'ben', 'dora'].map(user);
  await place.dwell.types('import', exportFile(issues), exportFile(users));
});
afterAll(() => place.stop());

const asks = async (line: string, where = 'team') => {
  await place.slack.types(line, { as: 'ada', in: where });
  return place.slack.reply();
};

/** The channel of the message that mentions ben, and what ada is told. */
async function nudges(on: Awaited<ReturnType<typeof asks>>) {
  await place.slack.clicks('Nudge ben', { as: 'ada', on });
  const nudge = await place.slack.reply();
  expect(nudge.text).toContain('<@U0BEN>');
  return nudge.channel;
}

test('in the conversation with the app, the assignee is reminded in theirs', async () => {
  expect(await nudges(await asks('WEB-6', 'dm'))).toBe('D0BEN');
  expect((await place.slack.reply()).text).toBe('I sent <@U0BEN> a message about WEB-6.');
});

test('below a shared answer all read it, until the project is not for this channel any more', async () => {
  await place.slack.clicks('Share', { as: 'ada', on: await asks('/tis WEB-6') });
  const shared = await place.slack.reply();
  expect(await nudges(shared)).toBe('C0TEAM');
  place.dwell.clock.now += 61_000;
  await place.dwell.types('audience', 'C0TEAM', 'allow', 'APP');
  expect(await nudges(shared)).toBe('D0BEN');
  expect((await place.slack.reply()).onlyFor).toBe('U0ADA');
});

test('no button nudges a person who is not in Slack', async () => {
  const buttons = async (key: string) => JSON.stringify((await asks(`/tis ${key}`)).blocks);
  expect(await buttons('WEB-6')).toContain('nudge-assignee');
  expect(await buttons('WEB-7')).not.toContain('nudge-assignee');
});

test('people are looked up once in ten minutes, those who are not in Slack as well', async () => {
  const lookups = () => place.slack.calls('users.lookupByEmail').length;
  place.dwell.clock.now += 600_000;
  const before = lookups();
  for (const key of ['WEB-6', 'WEB-7', 'WEB-6', 'WEB-7']) await asks(`/tis ${key}`);
  expect(lookups()).toBe(before + 2);
});

test.each(['missing_scope', 'internal_error'])(
  'an answer comes with names where Slack says %s',
  async (word) => {
    place.dwell.clock.now += 600_000;
    place.slack.faults.failNext('users.lookupByEmail', word, 4);
    const answer = await asks('/tis WEB-6');
    expect(answer.text).toMatch(/^WEB-6 .*@ben/s);
  },
);
