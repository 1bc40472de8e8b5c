import { afterAll, beforeAll, expect, test } from '#jest';
import { until } from '../support/local-exports.ts';
import { startDwellInSlack } from '../support/start-slack.ts';

let place: Awaited<ReturnType<typeof startDwellInSlack>>;
beforeAll(async () => {
  place = await startDwellInSlack();
});
afterAll(() => place.stop());

/** Submits the modal opened in a channel, and closes it before the answer is there. */
async function submitAndClose(where: string): Promise<void> {
  await place.slack.types('/tis WEB-1', { in: where });
  await place.slack.reply();
  await place.slack.clicks('Export', { in: where });
  await place.slack.modal();
  const release = place.slack.faults.holdNext('chat.postMessage');
  const before = place.slack.calls('chat.postMessage').length;
  await place.slack.submits({ format: 'csv' });
  await until(() => place.slack.calls('chat.postMessage').length > before);
  await place.slack.dismisses();
  release();
}

test('who has closed the modal is told privately in the channel why there will be no file', async () => {
  place.slack.faults.failNext('chat.postMessage', 'restricted_action');
  await submitAndClose('general');
  const told = await place.slack.reply();
  expect(told).toMatchObject({ channel: 'C0GENERAL', onlyFor: 'U0ADA' });
  expect(told.text).toContain('rules of this workspace');
});

test('where the app is not in the channel they are told in their conversation with it', async () => {
  await submitAndClose('quiet');
  const told = await place.slack.reply();
  expect(told.channel).toBe('D0ADA');
  expect(told.text).toMatch(/^About what you asked for in <#C0QUIET>: I am not in this channel\./);
  expect(JSON.stringify(told.blocks)).toContain('/invite @Dwell');
});

test('what is told nowhere leaves Dwell as it was', async () => {
  place.slack.faults.failNext('chat.postMessage', 'restricted_action');
  place.slack.faults.failNext('chat.postMessage', 'messages_tab_disabled');
  place.slack.faults.failNext('chat.postEphemeral', 'user_not_in_channel');
  const before = place.slack.calls('chat.postMessage').length;
  await submitAndClose('general');
  await until(() => place.slack.calls('chat.postMessage').length === before + 2);
  expect((await place.asks('/tis WEB-1'))[0]?.text).toMatch(/^WEB-1 /);
});

test('an answer that has a modal is told there and nowhere else', async () => {
  const before = place.slack.calls('chat.postEphemeral').length;
  place.slack.faults.failNext('chat.postMessage', 'restricted_action');
  await place.slack.types('/tis WEB-1');
  await place.slack.reply();
  await place.slack.clicks('Export');
  await place.slack.modal();
  await place.slack.submits();
  await until(() => JSON.stringify(place.slack.openModals()).includes('rules of this workspace'));
  expect(place.slack.openModals()[0]?.title).toMatchObject({ text: 'That did not work' });
  expect(place.slack.calls('chat.postEphemeral')).toHaveLength(before);
  await place.slack.dismisses();
});
