import { afterEach, beforeEach, expect, test } from '#jest';
import { backgroundClient } from '../support/background-client.ts';
import { type StandInSlack, startStandInSlack } from '../support/stand-in-slack.ts';

const metadata = { event_type: 'a_kind', event_payload: { run: 'd1 5' } };
const post = { channel: 'C0GENERAL', text: 'Hello', metadata };

let slack: StandInSlack;
let web: ReturnType<typeof backgroundClient>;
beforeEach(async () => {
  slack = await startStandInSlack();
  web = backgroundClient(slack);
});
afterEach(() => slack.stop());

test('what an app keeps beside a message is told to who asks for it, in channels and in threads', async () => {
  const { ts = '' } = await web.chat.postMessage(post);
  await web.chat.postMessage({ ...post, thread_ts: ts });
  const channel = 'C0GENERAL';
  const plain = await web.conversations.history({ channel });
  expect(plain.messages?.map((message) => message.metadata)).toEqual([undefined]);
  const all = await web.conversations.history({ channel, include_all_metadata: true });
  expect(all.messages?.map((message) => message.metadata)).toEqual([metadata]);
  const thread = await web.conversations.replies({ channel, ts, include_all_metadata: true });
  expect(thread.messages).toHaveLength(2);
  expect(JSON.stringify(thread.messages?.[1])).toContain('"run":"d1 5"');
});

test.each([
  ['breakNext', 0],
  ['breakAfterNext', 1],
  ['loseNext', 0],
  ['loseAnswerNext', 1],
] as const)('%s leaves %s messages behind a call that fails', async (fault, posted) => {
  if (fault === 'breakNext' || fault === 'breakAfterNext') slack.faults[fault]('chat.postMessage', 503);
  else slack.faults[fault]('chat.postMessage');
  await expect(web.chat.postMessage(post)).rejects.toThrow();
  expect(slack.playground.messages('C0GENERAL')).toHaveLength(posted);
  await web.chat.postMessage(post);
  expect(slack.playground.messages('C0GENERAL')).toHaveLength(posted + 1);
});
