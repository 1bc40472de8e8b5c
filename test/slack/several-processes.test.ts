import { afterAll, beforeAll, beforeEach, expect, test } from '#jest';
import { startBalancer } from '../support/balancer.ts';
import { until } from '../support/local-exports.ts';
import { startDwell, type TestDwell } from '../support/start-dwell.ts';
import { startTeamInSlack } from '../support/team-in-slack.ts';

// Two processes behind a balancer. The machine of the second one is ahead by more than a lease lasts, as it has measured.
let place: Awaited<ReturnType<typeof startTeamInSlack>>;
let other: TestDwell;
let balancer: Awaited<ReturnType<typeof startBalancer>>;
beforeAll(async () => {
  place = await startTeamInSlack();
  other = await startDwell({
    dataDir: place.dwell.dataDir,
    at: '2026-03-18T12:00:40Z',
    clockOffset: async () => -40_000,
    slackWait: () => new Promise((resolve) => setTimeout(resolve, 10)),
    slackApiUrl: place.slack.apiUrl,
    environment: {
      ...{ TRACKER: 'file', BASE_URL: 'https://dwell.example' },
      ...{ SLACK_BOT_TOKEN: place.slack.botToken, SLACK_SIGNING_SECRET: place.slack.signingSecret },
    },
  });
  balancer = await startBalancer([place.dwell.url, other.url]);
});
afterAll(async () => {
  await balancer.stop();
  await other.stop();
  await place.stop();
});

const isAnswered = () => JSON.stringify(place.slack.openModals()).includes('The file is in');

beforeEach(() => place.slack.botAt(balancer.url));

async function opensForm(): Promise<void> {
  await place.says('/tis project WEB');
  await place.slack.clicks('Export');
  await place.slack.modal();
}

test('a submission that Slack repeats to another process is done once, and answered again', async () => {
  await opensForm();
  const [uploads, files] = [
    place.slack.calls('files.getUploadURLExternal').length,
    place.slack.files().length,
  ];
  const release = place.slack.faults.holdNext('files.getUploadURLExternal');
  expect((await place.slack.submits({ format: 'csv' })).ack?.outcome).toBe('ok');
  await until(() => place.slack.calls('files.getUploadURLExternal').length > uploads);
  const updates = place.slack.calls('views.update').length;
  // While it is under way, and when it is done.
  expect(await balancer.repeatsLast()).toBe(200);
  release();
  await until(isAnswered);
  expect(await balancer.repeatsLast()).toBe(200);
  expect(await balancer.repeatsLast()).toBe(200);
  await until(() => place.slack.calls('views.update').length === updates + 4);
  expect(isAnswered()).toBe(true);
  expect(place.slack.calls('files.getUploadURLExternal')).toHaveLength(uploads + 1);
  expect(place.slack.files()).toHaveLength(files + 1);
});

test('a Home tab that one process shows follows what is done at another', async () => {
  const { slack, dwell } = place;
  const shown = () => JSON.stringify(slack.home('ada')?.blocks);
  slack.botAt(dwell.url);
  await slack.opensHome('ada');
  expect(shown()).not.toContain('Every Monday');
  slack.botAt(other.url);
  await place.says('/tis digest weekly WEB every Monday at 9:00 to me');
  await until(() => shown().includes('Monday'));
});

test('an answer of one process is explained by another', async () => {
  const { slack, dwell } = place;
  slack.botAt(dwell.url);
  const answer = await place.says('/tis project WEB average');
  slack.botAt(other.url);
  await slack.clicks('Why?', { on: answer });
  expect(JSON.stringify(await slack.modal())).not.toContain('has expired');
});
