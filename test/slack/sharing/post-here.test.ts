import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from '#jest';
import { notice } from '../../../src/slack/messages/notice.ts';
import type { Pictures } from '../../../src/slack/pictures/pictures.ts';
import { postHere } from '../../../src/slack/sharing/post-here.ts';
import { backgroundClient } from '../../support/background-client.ts';
import { type StandInSlack, startStandInSlack } from '../../support/stand-in-slack.ts';

let slack: StandInSlack;
beforeEach(async () => {
  slack = await startStandInSlack();
});
afterEach(() => slack.stop());

const pictures: Pictures = {
  drawnBySlack: async () => true,
  refusedBySlack: async () => {},
  draw: async () => null,
};

/** What became of a post, how long was waited, and what stands in the channel. */
async function posted(plant: (faults: StandInSlack['faults']) => void, threadTs: string | null = null) {
  const waited: number[] = [];
  plant(slack.faults);
  const parts = {
    web: backgroundClient(slack),
    wait: async (ms: number) => void waited.push(ms),
    pictures,
    log: pino({ level: 'silent' }),
  };
  const outcome = await postHere(notice('Hello.'), { channel: 'C0GENERAL', threadTs }, parts);
  return { outcome, waited, messages: slack.messages().length };
}

test('where Slack wants us to wait a little it is posted then, once', async () => {
  const { outcome, waited, messages } = await posted((faults) => faults.rateLimitNext('chat.postMessage', 7));
  expect([outcome.kind, waited, messages]).toEqual(['posted', [7_000], 1]);
});

test.each<[string, (faults: StandInSlack['faults']) => void, string, number]>([
  ['a lost answer', (faults) => faults.loseAnswerNext('chat.postMessage'), 'unknown', 1],
  ['a 503', (faults) => faults.breakNext('chat.postMessage', 503), 'unknown', 0],
  ['a long 429', (faults) => faults.rateLimitNext('chat.postMessage', 31), 'refused', 0],
  ['two 429', (faults) => faults.rateLimitNext('chat.postMessage', 1, 2), 'refused', 0],
  ['not_in_channel', (faults) => faults.failNext('chat.postMessage', 'not_in_channel'), 'refused', 0],
])('%s is never posted again', async (_what, plant, kind, count) => {
  const { outcome, messages } = await posted(plant);
  expect([outcome.kind, messages]).toEqual([kind, count]);
  expect(slack.calls('chat.postMessage').length).toBeLessThanOrEqual(2);
});

test('where the thread is gone, that is said', async () => {
  const { outcome } = await posted(() => {}, '1.000001');
  expect(outcome).toEqual({
    kind: 'refused',
    because: 'The thread is gone. Ask in the channel instead.',
  });
});
