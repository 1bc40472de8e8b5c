import { setTimeout } from 'node:timers/promises';
import { millisecondsInMinute } from 'date-fns/constants';
import { expect, test } from '#jest';
import { startDwellInSlack } from '../../support/start-slack.ts';
import { startedEach } from '../../support/started.ts';

const place = startedEach(() =>
  startDwellInSlack({ at: '2026-03-18T12:10:30Z', slackWait: () => setTimeout(5) }),
);

/** Minutes pass, and the clock calls after each step of them. */
async function passes(minutes: number, step = 1): Promise<void> {
  for (let minute = 0; minute < minutes; minute += step) {
    place.dwell.clock.now += step * millisecondsInMinute;
    await place.dwell.tellsDigests();
    await place.dwell.tellsWatches();
  }
}

async function isReady(slack: 'refused' | undefined): Promise<void> {
  while ((await place.dwell.get('/readyz', {}, {})).json.slack !== slack) await setTimeout(5);
}

const posted = () => place.slack.messages({ channel: 'general' }).map(({ text }) => text);

test('a digest that is due while Slack refuses the token is posted once it accepts it again', async () => {
  await place.slack.answerTo('/tis digest aging WEB cron 15 12 * * * in UTC');
  await passes(2);
  place.slack.faults.refuseToken('bot', 'account_inactive');
  await passes(14 * 60, 10);
  await isReady('refused');
  expect(posted().filter((text) => text.startsWith('Digest'))).toEqual([]);
  place.slack.faults.refuseToken('bot', null);
  await isReady(undefined);
  await passes(2);
  const digests = posted().filter((text) => text.startsWith('Digest'));
  expect(digests).toEqual([expect.stringContaining('late, with the figures of 2026-03-18 12:15 UTC')]);
  const list = await place.slack.answerTo('/tis digest');
  expect(list.text).not.toContain('failed');
});

test('who reads in a channel is not what stands in the way', async () => {
  const answer = await place.slack.answerTo('/tis WEB-497');
  place.slack.faults.refuseToken('bot', 'token_revoked');
  await place.slack.clicks('Share', answer === undefined ? {} : { on: answer });
  const { text } = await place.slack.reply();
  expect(text).toContain("Slack no longer accepts Dwell's token.");
  expect(text).not.toContain('channel');
});
