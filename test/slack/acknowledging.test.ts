import { afterAll, beforeAll, describe, expect, test } from '#jest';
import { until } from '../support/local-exports.ts';
import { startDwellInSlack } from '../support/start-slack.ts';

describe.each(['http', 'socket'] as const)('over %s Slack is answered before anything is done', (mode) => {
  let place: Awaited<ReturnType<typeof startDwellInSlack>>;
  beforeAll(async () => {
    place = await startDwellInSlack({ mode });
  });
  afterAll(() => place.stop());

  const posts = () => place.slack.calls('chat.postMessage').length;
  const files = () => place.slack.files().length;

  test('a command', async () => {
    const release = place.slack.faults.holdNext('chat.postMessage');
    const before = { posts: posts(), files: files() };
    expect((await place.slack.types('/tis export csv WEB-1')).ack?.outcome).toBe('ok');
    await until(() => posts() === before.posts + 1);
    release();
    await until(() => files() === before.files + 1);
  });

  test('a button, and the modal it opens', async () => {
    await place.slack.types('/tis WEB-1');
    await place.slack.reply();
    const releaseView = place.slack.faults.holdNext('views.open');
    const { outcome } = await place.slack.clicks('Export');
    expect(outcome).toBe('ok');
    releaseView();
    await place.slack.modal();

    const releasePost = place.slack.faults.holdNext('chat.postMessage');
    const before = { posts: posts(), files: files() };
    const { ack } = await place.slack.submits({ format: 'csv' });
    expect(ack).toMatchObject({ outcome: 'ok', body: { response_action: 'update' } });
    expect(JSON.stringify(place.slack.openModals())).toContain('Asking for the file…');
    await until(() => posts() === before.posts + 1);
    releasePost();
    await until(() => JSON.stringify(place.slack.openModals()).includes('on its way'));
    await until(() => files() === before.files + 1);
    await place.slack.dismisses();
  });
});
