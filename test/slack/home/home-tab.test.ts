import { afterAll, beforeAll, describe, expect, test } from '#jest';
import type { Json } from '../../../playground/slack-json.ts';
import type { Message } from '../../../playground/workspace.ts';
import { checkView } from '../../../src/slack/blocks/check-blocks.ts';
import { until } from '../../support/local-exports.ts';
import { slackPerson } from '../../support/slack-person.ts';
import { startDwellInSlack } from '../../support/start-slack.ts';
import { transports } from '../../support/transports.ts';

describe('home', () => {
  const people = ['ada', 'bob', 'carl', 'dora', 'zoe'].map((name) =>
    slackPerson(name, { tz: 'Europe/Berlin' }),
  );

  let place: Awaited<ReturnType<typeof startDwellInSlack>>;
  const start = (mode: 'http' | 'socket') =>
    startDwellInSlack({
      ...{ mode, people },
      at: '2026-03-18T12:00:00.000Z',
      environment: { TRACKER: 'sample', TIME_ZONE: 'UTC', BASE_URL: 'https://dwell.example' },
    });

  const blocks = (as: string): readonly Json[] => place.slack.home(as)?.blocks ?? [];
  const shown = (as = 'bob') => JSON.stringify(blocks(as));

  /** Opens someone's Home tab and waits until it is full. */
  async function opens(as = 'bob'): Promise<string> {
    await place.slack.playground.openHome(`U0${as.toUpperCase()}`);
    await until(() => shown(as) !== '[]' && !shown(as).includes('Counting…'));
    return shown(as);
  }

  /** The same of someone who has opened it before. */
  async function opensAgain(as = 'bob'): Promise<string> {
    await opens(as);
    await opens(as);
    await until(() => shown(as).includes('*Hello, '));
    return shown(as);
  }

  const direct = (as = 'bob'): readonly Message[] =>
    place.slack.messages({ channel: 'dm', as }).filter(({ byApp }) => byApp);

  /** Presses a button of the tab by its text; resolves to what the app says in the conversation. */
  async function presses(text: string, as = 'bob'): Promise<Message> {
    const before = direct(as).length;
    await place.slack.clicks(text, { as, on: 'home' });
    await until(() => direct(as).length > before);
    await until(() => place.slack.openModals(as).length > 0);
    expect(JSON.stringify(place.slack.openModals(as))).toContain('The answer is in *Messages*.');
    await place.slack.dismisses({ as });
    const message = direct(as).at(-1);
    if (message === undefined) throw new Error('Nothing was said');
    return message;
  }

  describe.each(transports)('over %s', (mode) => {
    beforeAll(async () => {
      place = await start(mode);
    });
    afterAll(() => place.stop());

    test('the first opening greets with three things to try, and later ones with what people do', async () => {
      expect(await opens()).toContain('*Welcome, Bob!*');
      expect((await presses('Run')).text).toMatch(/^[A-Z]+-\d+ /);
      expect(await opensAgain()).not.toContain('"Run"');
    });

    test('the tab shows what is assigned, the cover, the week, digests and where it all comes from', async () => {
      const text = await opens();
      expect(checkView({ type: 'home', blocks: blocks('bob') })).toEqual([]);
      for (const part of [
        'Assigned to you* · ',
        'Out-of-office cover',
        'Your week',
        'Digests and watches',
        'Sample data of a fictional company',
        'Linked to Jira user Bob (bob) · hours 24/7, Europe/Berlin',
      ]) {
        expect(text).toContain(part);
      }
      expect(text).toMatch(/WEB-\d+[^\\]*\\n(?:🟡|🟠) [^*]+\*[^*]+\* · usual up to /);
      expect(text).toMatch(/\*WEB\* · week 11 \(Mar 9–15\)/);
      expect(text).toMatch(/\*\d+ finished\* [▲▼]/);
    });

    test('an opening publishes at most two views, and none where nothing has changed', async () => {
      const calls = () =>
        place.slack.calls('views.publish').filter(({ args }) => args.user_id === 'U0CARL').length;
      await opens('carl');
      await until(() => shown('carl').includes(' finished*'));
      expect(calls()).toBe(2);
      await opensAgain('carl');
      expect(calls()).toBe(3);
      await opens('carl');
      await place.slack.answerTo('help', { as: 'carl', in: 'dm' });
      expect(calls()).toBe(3);
    });

    test.each([
      ['Open', /^WEB · week 11 /],
      ['This week', /^\*Cover Mar 16–22\*/],
    ])('%s answers in the conversation, for the person who pressed it alone', async (button, answer) => {
      await opens();
      expect((await presses(button)).text).toMatch(answer);
      expect(place.slack.messages()).toEqual([]);
    });

    test('an issue has one menu: its time in status comes in the conversation, and snoozed it is gone', async () => {
      await opens('dora');
      const row = JSON.stringify(blocks('dora')).match(/home-snooze ([A-Z]+-\d+) \d+/);
      const [option = '', key = ''] = row ?? [];
      const count = direct('dora').length;
      const choose = (value: string) => place.slack.clicks('more', { as: 'dora', on: 'home', entry: value });
      await choose(`run-line /tis ${key}`);
      await until(() => direct('dora').length > count);
      expect(direct('dora').at(-1)?.text).toContain(key);
      await choose(option);
      await until(() => shown('dora').includes('1 snoozed'));
      expect(shown('dora')).not.toContain(option);
      await place.slack.clicks('Show snoozed', { as: 'dora', on: 'home' });
      await until(() => shown('dora').includes(option));
    });

    test('Set cover and Schedule open their forms, and Ask the report builder', async () => {
      await opensAgain();
      for (const name of ['Set cover', 'Schedule', 'Ask']) {
        await place.slack.clicks(name, { as: 'bob', on: 'home' });
        await until(() => place.slack.openModals('bob').length > 0);
        await place.slack.dismisses({ as: 'bob' });
      }
    });
  });

  describe('someone', () => {
    beforeAll(async () => {
      place = await start('http');
    });
    afterAll(() => place.stop());

    test('a person the tracker does not know is invited, and has what works without that', async () => {
      const text = await opens('zoe');
      expect(text).toContain('Link my account');
      expect(text).toContain('"value":"/tis weekly');
      expect(text).not.toContain('Assigned to you');
      expect(text).toContain('Digests and watches');
    });

    test('who clicks twice at once gets one answer, and the tab says where', async () => {
      await opens('bob');
      const before = direct('bob').length;
      const modals = () => place.slack.calls('views.open').length;
      const modalsBefore = modals();
      for (const _ of [1, 2]) await place.slack.clicks('This week', { as: 'bob', on: 'home' });
      await until(() => modals() === modalsBefore + 2);
      expect(direct('bob').length).toBe(before + 1);
      place.dwell.clock.now += 10_000;
      await presses('This week', 'bob');
    });

    test('sees their own, and nothing of others', async () => {
      await opens();
      await opens('ada');
      expect(shown('ada')).toContain('Linked to Jira user Ada (ada)');
      expect(shown('ada')).not.toContain('Jira user Bob');
      expect(shown('ada')).toMatch(/\d open/);
    });

    test('finds their digests there, with the next one in their own time', async () => {
      await place.slack.answerTo('/tis digest weekly WEB every monday at 9', { as: 'bob' });
      await opens();
      await until(() => shown().includes('every Monday'));
      expect(shown()).toMatch(/in <#C0GENERAL>, every Monday at 9:00 AM/);
      expect((await presses('Manage')).text).toContain('every Monday at 9:00 AM');
    });

    test('sees there at once what they changed in the conversation', async () => {
      await place.slack.answerTo('/tis watch "In Review" longer than usual in WEB tell me', { as: 'carl' });
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
});
