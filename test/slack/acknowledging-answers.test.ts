import { afterAll, beforeAll, describe, expect, test } from '#jest';
import { startTeamInSlack } from '../support/team-in-slack.ts';

describe.each(['http', 'socket'] as const)('over %s Slack is answered before anything is done', (mode) => {
  let place: Awaited<ReturnType<typeof startTeamInSlack>>;
  beforeAll(async () => {
    place = await startTeamInSlack(mode);
  });
  afterAll(() => place.stop());

  /** A click while one of Slack's methods keeps us waiting; resolves when that is over. */
  async function clickedWhile(method: string, name: string, entry?: string): Promise<string> {
    const release = place.slack.faults.holdNext(method);
    const { outcome } = await place.slack.clicks(name, entry === undefined ? {} : { entry });
    release();
    return outcome;
  }

  test('Share, Next, Export and Why? with its menu', async () => {
    await place.says('/tis project WEB list');
    expect(await clickedWhile('conversations.info', 'Share to channel')).toBe('ok');
    await place.slack.reply();

    await place.says('/tis project WEB list', { as: 'bob' });
    const release = place.slack.faults.holdNext('users.info');
    expect((await place.slack.clicks('Next', { as: 'zoe' })).outcome).toBe('ok');
    release();
    await place.privateWord();

    await place.says('/tis project WEB list');
    expect(await clickedWhile('views.open', 'Export')).toBe('ok');
    await place.slack.modal();
    await place.slack.dismisses();

    expect(await clickedWhile('views.open', 'Why?')).toBe('ok');
    await place.slack.modal();
    const view = await place.slack.modal();
    const [figure = ''] = JSON.stringify(view.blocks).match(/(?<="value":")[^"]+/) ?? [];
    expect(await clickedWhile('views.update', 'explain-figure', figure)).toBe('ok');
    await place.slack.modal();
    await place.slack.dismisses();
  });

  test('/tis audience', async () => {
    place.dwell.clock.now += 10 * 60_000;
    const release = place.slack.faults.holdNext('conversations.info');
    expect((await place.slack.types('/tis audience')).ack?.outcome).toBe('ok');
    release();
    expect((await place.privateWord()).text).toContain('Only people of this workspace read here.');
  });
});
