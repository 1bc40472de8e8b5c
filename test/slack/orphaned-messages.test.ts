import { WebClient } from '@slack/web-api';
import { afterAll, beforeAll, beforeEach, expect, test } from '#jest';
import type { Message } from '../../playground/workspace.ts';
import { exportProgress } from '../../src/slack/messages/export-progress.ts';
import { startStandInSlack } from '../support/stand-in-slack.ts';
import { startDwell, type TestDwell } from '../support/start-dwell.ts';

const clock = { ahead: 0 };
let slack: Awaited<ReturnType<typeof startStandInSlack>>;
let dwell: TestDwell;
beforeAll(async () => {
  slack = await startStandInSlack({ now: () => Date.now() + clock.ahead });
  dwell = await startDwell({
    environment: { SLACK_BOT_TOKEN: slack.botToken, SLACK_SIGNING_SECRET: slack.signingSecret },
    slackApiUrl: slack.apiUrl,
  });
  slack.botAt(dwell.url);
});
afterAll(async () => {
  await dwell.stop();
  await slack.stop();
});
beforeEach(() => {
  clock.ahead += 3_600_000;
});

const open = () => slack.playground.messages('C0GENERAL').filter(({ onlyFor }) => onlyFor === undefined);
const queued = async () => (await dwell.as('U0ADA').get('/rest/export')).json.total;
const privateWord = async (): Promise<Message> => {
  const message = await slack.reply();
  expect(message.onlyFor).toBe('U0ADA');
  return message;
};

/** As it stands there when Dwell was killed before it had queued. */
async function anOrphan(): Promise<Message> {
  const web = new WebClient(slack.botToken, { slackApiUrl: slack.apiUrl });
  const told = exportProgress({ wish: 'a wish', user: 'U0ADA', userName: 'ada', completed: 0, total: 509 });
  const { ts } = await web.chat.postMessage({
    channel: 'C0GENERAL',
    text: told.text,
    blocks: [...told.blocks],
  });
  const [orphan] = open().filter((message) => message.ts === ts);
  if (orphan === undefined) throw new Error('nothing was posted');
  return orphan;
}

test('where Slack gives no answer nothing is queued, and the principal is told of the message and how to end it', async () => {
  const before = await queued();
  slack.faults.loseAnswerNext('chat.postMessage');
  await slack.types('/tis export WEB');
  const orphan = await slack.reply();
  expect(orphan.onlyFor).toBeUndefined();
  const { text } = await privateWord();
  expect(text).toContain('Slack cannot be reached at the moment. Nothing is queued.');
  expect(text).toContain('press Abort on it after half a minute');
  expect(await queued()).toBe(before);

  clock.ahead += 31_000;
  await slack.clicks('Abort', { on: orphan });
  expect((await slack.deleted()).ts).toBe(orphan.ts);
  expect((await privateWord()).text).toBe(
    'This export was never queued, or ended days ago, so its message is taken away.',
  );
  expect(open()).toEqual([]);
});

test('where Slack wants to be left alone no message is spoken of, for there is none', async () => {
  slack.faults.rateLimitNext('chat.postMessage', 30);
  await slack.types('/tis export WEB');
  expect((await privateWord()).text).toBe('Slack wants a pause of 30 seconds. Please try again then.');
  expect(open()).toEqual([]);
});

test('a message whose export may be queued any moment stays', async () => {
  const orphan = await anOrphan();
  clock.ahead += 20_000;
  await slack.clicks('Abort', { on: orphan });
  expect((await privateWord()).text).toContain('only just being queued');
  expect(open()).toHaveLength(1);

  clock.ahead += 20_000;
  slack.faults.breakNext('chat.delete', 503);
  await slack.clicks('Abort', { on: orphan });
  expect((await privateWord()).text).toContain('Slack cannot be reached');
  slack.faults.failNext('chat.delete', 'cant_delete_message');
  await slack.clicks('Abort', { on: orphan });
  expect((await privateWord()).text).toContain('its message can be ignored');

  await slack.clicks('Abort', { as: 'ben', on: orphan });
  expect((await slack.reply()).text).toBe('Only who asked for this export can abort it.');
  expect(open()).toHaveLength(1);
  await slack.clicks('Abort', { on: orphan });
  await slack.deleted();
  expect((await privateWord()).text).toContain('so its message is taken away.');
  expect(open()).toEqual([]);
});
