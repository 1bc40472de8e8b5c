import { afterAll, beforeAll, describe, expect, test } from '#jest';
import type { Json } from '../../../playground/slack-json.ts';
import type { Message } from '../../../playground/workspace.ts';
import { checkView } from '../../../src/block-kit/check-blocks.ts';
import { until } from '../../support/local-exports.ts';
import { startDwellInSlack } from '../../support/start-slack.ts';

const people = ['ada', 'bob', 'carl', 'dora', 'zoe'].map((name) => ({
  id: `U0${name.toUpperCase()}`,
  name,
  realName: name,
  email: `${name}@example.com`,
  tz: 'Europe/Berlin',
}));

let place: Awaited<ReturnType<typeof startDwellInSlack>>;
const start = (mode: 'http' | 'socket') =>
  startDwellInSlack({
    ...{ mode, people },
    at: '2026-03-18T12:00:00.000Z',
    environment: { TRACKER: 'sample', TIME_ZONE: 'UTC', BASE_URL: 'https://dwell.example' },
  });

const blocks = (as: string): readonly Json[] => place.slack.home(as)?.blocks ?? [];
const shown = (as = 'bob') => JSON.stringify(blocks(as));

/** Opens somebody's Home tab and waits until it is full. */
async function opens(as = 'bob'): Promise<string> {
  await place.slack.opensHome(as);
  await until(() => !shown(as).includes('Still counting'));
  return shown(as);
}

const direct = (as = 'bob'): readonly Message[] =>
  place.slack.messages({ channel: 'dm', as }).filter(({ byApp }) => byApp);

/** Presses a button of the tab by its text; resolves to what the app says in the conversation. */
async function presses(text: string, as = 'bob', blockId?: string): Promise<Message> {
  const before = direct(as).length;
  await place.slack.clicks(text, { as, on: 'home', ...(blockId === undefined ? {} : { blockId }) });
  await until(() => direct(as).length > before);
  const message = direct(as).at(-1);
  if (message === undefined) throw new Error('Nothing was said');
  return message;
}

describe.each(['http', 'socket'] as const)('over %s', (mode) => {
  beforeAll(async () => {
    place = await start(mode);
  });
  afterAll(() => place.stop());

  test('the tab tells what waits, who covers whom, the weeks, digests, watches and what it rests on', async () => {
    const text = await opens();
    expect(checkView({ type: 'home', blocks: blocks('bob') })).toEqual([]);
    for (const part of [
      'What waits on you',
      'Whom you cover',
      'Your teams’ last week',
      'Your digests',
      'Your watches',
      'Tracker sample (an invented company)',
      'You are *Bob* (bob)',
    ]) {
      expect(text).toContain(part);
    }
    expect(text).toMatch(/WEB-\d+ .* for \*[^*]+\*, usual ≤ [^*]+, \*over by /);
    expect(text).toMatch(/\*Finished: \d+\*\\n\d+ (fewer|more) than the week before/);
  });

  test.each([
    ['Whole week', /finished.* in WEB in week 11/],
    ['This week', /Who covers for whom/],
    ['Help', /\/tis KEY/],
  ])('%s answers in the conversation, for who pressed it alone', async (button, told) => {
    await opens();
    expect((await presses(button)).text).toMatch(told);
    expect(place.slack.messages()).toEqual([]);
  });

  test('Refresh tells what is true by now', async () => {
    await opens();
    place.dwell.clock.now = Date.parse('2026-03-18T13:30:00Z');
    await place.slack.clicks('Refresh', { as: 'bob', on: 'home' });
    await until(() => shown().includes('2026-03-18 13:30 UTC'));
  });

  test('Settings choose projects and the hours that count, and the tab follows', async () => {
    await opens('ada');
    await place.slack.clicks('Settings', { as: 'ada', on: 'home' });
    await until(() => JSON.stringify(place.slack.openModals('ada')).includes('Projects whose week'));
    const [form] = place.slack.openModals('ada');
    expect(
      checkView({ type: 'modal', title: form?.title, submit: form?.submit, blocks: form?.blocks }),
    ).toEqual([]);
    await place.slack.submits({ projects: ['APP'] }, { as: 'ada' });
    await until(() => JSON.stringify(place.slack.openModals('ada')).includes('Your Home tab shows it'));
    expect(shown('ada')).toContain('*APP*, week 11');
    expect(shown('ada')).toContain('The projects you chose');
    expect(shown('ada')).not.toContain('*WEB*, week 11');
  });

  test('Hand work over opens the form', async () => {
    await opens();
    await place.slack.clicks('Hand work over', { as: 'bob', on: 'home' });
    await until(() => JSON.stringify(place.slack.openModals('bob')).includes('Who stands in'));
  });

  test('Ask something opens the report builder', async () => {
    await opens();
    await place.slack.clicks('Ask something', { as: 'bob', on: 'home' });
    await until(() => place.slack.openModals('bob').length > 0);
  });
});

describe('somebody', () => {
  beforeAll(async () => {
    place = await start('http');
  });
  afterAll(() => place.stop());

  test('whom nobody knows is invited, and has what works without that', async () => {
    const text = await opens('zoe');
    expect(text).toContain('I do not know who you are in the tracker');
    expect(text).toContain('Link my account');
    expect(text).toMatch(/`\/tis [A-Z]+-\d+` tells where/);
    expect(text).not.toContain('What waits on you');
    expect(text).toContain('New digest');
    expect((await presses('Help', 'zoe')).text).toMatch(/\/tis KEY/);
  });

  test('sees their own, and nothing of others', async () => {
    await opens();
    await opens('ada');
    expect(shown('ada')).toContain('You are *Ada* (ada)');
    expect(shown('ada')).not.toContain('You are *Bob*');
    expect(shown('ada')).toMatch(/\d open issues/);
  });

  test('finds their exports there, with the file', async () => {
    await place.slack.types('/tis export csv WEB-490', { as: 'bob' });
    await until(async () => (await opens()).includes('Get the file'));
    expect(shown()).toContain('Status Duration of WEB-490 as CSV');
    expect((await presses('Get the file')).text).toContain('Download the file');
  });

  test('finds their digests there', async () => {
    await place.slack.types('/tis digest weekly WEB every monday at 9', { as: 'bob' });
    // The next reply may still be that the export is ready.
    await until(async () => (await opens()).includes('every Monday'));
    const text = shown();
    expect(text).toMatch(/every Monday at 09:00 · next Mon 23 Mar 09:00 \(UTC\)/);
    expect(text).toContain('New digest');
    expect((await presses('All digests')).text).toContain('every Monday at 09:00');
  });

  test('sees there at once what they changed in the conversation', async () => {
    await place.slack.types('/tis watch "In Review" longer than usual in WEB tell me', { as: 'carl' });
    await place.slack.reply();
    expect(await opens('carl')).toContain('In Review longer than usual');
    expect(shown('carl')).not.toContain('· paused');
    await place.slack.types('/tis watch', { as: 'carl' });
    await until(() => JSON.stringify(place.slack.messages({ as: 'carl' })).includes('watch-pause'));
    await place.slack.clicks('Pause', { as: 'carl' });
    await until(() => shown('carl').includes('· paused'));
  });

  test('another tab of the app is left alone', async () => {
    await place.slack.playground.openHome('U0DORA', 'messages');
    expect(place.slack.home('dora')).toBeUndefined();
  });
});
