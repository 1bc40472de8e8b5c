import { WebClient } from '@slack/web-api';
import { afterEach, beforeEach, describe, expect, test } from '#jest';
import type { Message } from '../../../playground/workspace.ts';
import { exportProgress } from '../../../src/slack/exports/export-messages.ts';
import { anExport, aWish } from '../../support/an-export.ts';
import { until } from '../../support/local-exports.ts';
import { openTestStore } from '../../support/open-test-store.ts';
import { principalOf } from '../../support/principal-of.ts';
import { startDwellInSlack } from '../../support/start-slack.ts';
import { startTeamInSlack } from '../../support/team-in-slack.ts';

describe('export rights', () => {
  let place: Awaited<ReturnType<typeof startTeamInSlack>>;
  beforeEach(async () => {
    place = await startTeamInSlack();
  });
  afterEach(() => place.stop());

  /** The file that came into a channel. */
  const fileIn = (channel = 'C0TEAM') =>
    until(() => place.openIn(channel).find(({ files = [] }) => files.length > 0)?.files?.[0] ?? null);

  /** The newest export of a user of the tracker. */
  async function newest(user: string) {
    const store = openTestStore(place.dwell.dataDir);
    const { records } = await store.exports.list(principalOf(user), { start: 0, size: 1 });
    store.close();
    return records[0];
  }

  describe('/tis export', () => {
    test('asks with the rights of the user somebody is in the tracker', async () => {
      await place.slack.types('/tis export csv OPS', { in: 'dm' });
      expect((await fileIn('D0ADA')).content.toString()).toContain('OPS-1');
      expect((await newest('ada'))?.input.request.principal).toEqual(principalOf('ada'));

      expect((await place.says('/tis export csv OPS', { as: 'bob' })).text).toContain('could not be found');
      expect((await place.says('/tis export csv OPS', { as: 'zoe' })).text).toContain('could not be found');
    });

    test('brings nothing into a channel whose people may not read it, and says what helps', async () => {
      const { text } = await place.says('/tis export csv OPS');
      expect(text).toContain('This file is not for this channel.');
      expect(text).toContain('`npm run --silent dwell -- audience C0TEAM allow OPS`');
      expect(text).toContain('In your conversation with me');
      expect(place.openIn()).toEqual([]);
      expect(await newest('ada')).toBeUndefined();
      await place.dwell.types('audience', 'C0TEAM', 'allow', 'OPS');
      await place.slack.types('/tis export csv OPS');
      expect((await fileIn()).content.toString()).toContain('OPS-1');
    });

    test('nor into one with guests, nor issues with a security level', async () => {
      expect((await place.says('/tis export csv WEB', { in: 'with-guests' })).text).toContain('has guests');
      expect((await place.says('/tis export csv APP')).text).toContain('security level');
      await place.slack.types('/tis export csv jql project = APP AND level is EMPTY');
      const content = (await fileIn()).content.toString();
      expect(content).toContain('APP-2');
      expect(content).not.toContain('APP-1');
    });

    test('a project that is closed while the file is made is not shared; its principal is told why and gets it', async () => {
      const release = place.slack.faults.holdNext('chat.update');
      const releasePost = place.slack.faults.holdNext('chat.postMessage');
      await place.slack.types('/tis export csv WEB');
      await until(() => place.slack.calls('chat.postMessage').length === 1);
      await place.dwell.types('audience', 'C0TEAM', 'allow', 'APP');
      releasePost();
      release();
      const word = await place.privateWord();
      expect(word.text).toContain('Your file stays between us. `WEB` is not among the projects');
      const told = await until(
        () => place.openIn().find(({ text }) => text.includes('Not everybody here may read')) ?? null,
      );
      expect(told.text).not.toContain('audience');
      expect(place.slack.files()).toEqual([]);
      await place.slack.clicks('Get the file', { on: told });
      expect((await place.privateWord()).text).toContain('Download the file');
      await place.slack.clicks('Get the file', { as: 'bob', on: told });
      expect((await place.privateWord()).text).toContain('Only who asked for this file');
    });
  });

  describe('an export asked for before anybody knew who its account is', () => {
    const account = principalOf('U0ADA');

    async function clicked(name: string, on: Message): Promise<string> {
      await place.slack.clicks(name, { on });
      return (await place.privateWord()).text;
    }

    test('can still be got', async () => {
      place.slack.faults.failNext('files.getUploadURLExternal', 'file_upload_disabled');
      await place.slack.types('/tis export csv WEB-1', { as: 'zoe', in: 'dm' });
      const told = await until(
        () => place.openIn('D0ZOE').find(({ text }) => text.includes('do not let me upload')) ?? null,
      );
      expect((await newest('U0ZOE'))?.input.request.principal).toMatchObject(
        principalOf('U0ZOE', 'stranger'),
      );
      await place.dwell.types('people', '--link', 'U0ZOE', '--to', 'bob');
      await place.slack.clicks('Get the file', { as: 'zoe', on: told });
      expect((await place.privateWord()).text).toContain('Download the file');
    });

    test('can still be ended, and while Slack is silent its message is not taken for an orphan', async () => {
      const progress = await aQueuedExport();
      place.slack.faults.breakNext('users.info', 503);
      expect(await clicked('Abort', progress)).toContain('Slack cannot be reached');
      expect(place.openIn()).toEqual([progress]);
      await place.slack.clicks('Abort', { on: progress });
      await until(async () => (await newest('U0ADA'))?.state === 'Aborted');
    });

    /** Somebody else works on it, so that it does not end by itself; the message about it. */
    async function aQueuedExport(): Promise<Message> {
      const [channel, user, userName] = ['C0TEAM', 'U0ADA', 'ada'];
      const web = new WebClient(place.slack.botToken, { slackApiUrl: place.slack.apiUrl });
      const { text, blocks } = exportProgress({ wish: 'a wish', user, userName, completed: 0, total: 12 });
      const { ts: messageTs = '' } = await web.chat.postMessage({ channel, text, blocks: [...blocks] });
      const note = { channel, messageTs, threadTs: '', user, userName };
      const createdAt = place.dwell.clock.now;
      const store = openTestStore(place.dwell.dataDir);
      await store.exports.add(
        anExport('old', {
          ...{ createdAt, total: 12, input: aWish({ principal: account }) },
          delivery: { door: 'slack', note, pending: true },
        }),
        10,
      );
      await store.exports.claim(createdAt, { holder: 'elsewhere', until: createdAt + 10_000 }, []);
      store.close();
      const [progress] = place.openIn();
      if (progress === undefined) throw new Error('nothing was posted');
      return progress;
    }
  });

  describe('Export under an answer', () => {
    /** The form on somebody's screen; null until it is there. */
    const formOf = (as: string) => {
      const view = place.slack.openModals(as).at(-1);
      return view?.callback_id === 'export-form' ? JSON.stringify(view) : null;
    };

    const submitted = async (as: string, on: Message, entries: Record<string, string> = {}) => {
      await place.slack.clicks('Export', { as, on });
      await until(() => place.slack.openModals(as).at(-1)?.callback_id === 'export-form');
      await place.slack.submits({ format: 'csv', ...entries }, { as });
    };

    test('opens the form for its list, and the file holds the issues as they were then', async () => {
      const answer = await place.says('/tis project WEB p85');
      place.dwell.clock.now += 86_400_000;
      await submitted('ada', answer);
      const content = (await fileIn()).content.toString();
      expect(content.match(/WEB-\d+/g)?.length).toBeGreaterThanOrEqual(12);
      const record = await newest('ada');
      expect(record?.input.request).toMatchObject({
        statistic: null,
        page: null,
        asOf: Date.parse('2026-03-18T12:00:00Z'),
      });
    });

    test.each([
      ['/tis WEB-1', 1],
      ['/tis weekly WEB', 12],
      ['/tis aging APP', 1],
    ])('%s: the file holds its issues, of the report that is chosen', async (line, issues) => {
      const answer = await place.says(line, { in: 'dm' });
      await submitted('ada', answer, { report: 'statusCount' });
      const text = `as CSV: ${issues} issue`;
      const told = await until(() => place.openIn('D0ADA').find((one) => one.text.includes(text)) ?? null);
      expect(told.text).toContain('Status Count of');
    });

    test('under a week it says that the file is of issues, and where the figures of the week are told', async () => {
      const answer = await place.says('/tis weekly WEB', { in: 'dm' });
      await place.slack.clicks('Export', { on: answer });
      const form = await until(() => formOf('ada'));
      expect(form).toContain(
        'A file of *12 issues of WEB finished in week 11 of 2026*, by the report you choose.',
      );
      const [, address = ''] = /`(http[^`]*)`/.exec(form.replaceAll('&amp;', '&')) ?? [];
      const { pathname, searchParams } = new URL(address);
      const { text } = await place.dwell.as('ada').get(pathname, Object.fromEntries(searchParams));
      expect(text).toContain('2026-W11,all,,finished,12,issues,');
      await place.slack.submits({ format: 'csv' }, { as: 'ada' });
      const { title } = await fileIn('D0ADA');
      expect(title).toBe('Status Duration of 12 issues of WEB finished in week 11 of 2026');
    });

    test('under a week in which nothing was finished there is no form, but the figures all the same', async () => {
      const answer = await place.says('/tis weekly WEB 2026-W10', { in: 'dm' });
      await place.slack.clicks('Export', { on: answer });
      const told = await until(() => {
        const view = JSON.stringify(place.slack.openModals('ada').at(-1) ?? '');
        return view.includes('no issues behind') ? view : null;
      });
      expect(told).toContain('week=2026-W10');
    });

    test('under ages it is a file of ages from the start', async () => {
      const answer = await place.says('/tis aging APP', { in: 'dm' });
      await place.slack.clicks('Export', { on: answer });
      const form = await until(() => formOf('ada'));
      expect(form).toContain('A file of *1 started issue of APP by age*, by the report you choose.');
      expect(form).not.toContain('/rest/');
      await place.slack.submits({ format: 'csv' }, { as: 'ada' });
      const { title } = await fileIn('D0ADA');
      expect(title).toBe('Current State Age of 1 started issue of APP by age');
    });

    test('in a channel whose people may not read it the modal says so, and nothing is posted', async () => {
      const answer = await place.says('/tis project OPS');
      await submitted('ada', answer);
      await until(() => JSON.stringify(place.slack.openModals()).includes('not for this channel'));
      expect(place.openIn()).toEqual([]);
    });
  });
});

describe('get the file', () => {
  let place: Awaited<ReturnType<typeof startDwellInSlack>>;
  let refused: Message;
  beforeEach(async () => {
    place = await startDwellInSlack({ environment: { BASE_URL: 'https://dwell.example' } });
    place.slack.faults.failNext('files.getUploadURLExternal', 'file_upload_disabled');
    await place.slack.types('/tis export csv WEB-1');
    refused = await until(
      () =>
        place.slack.playground
          .messages('C0GENERAL')
          .find(({ text }) => text.includes('do not let me upload this file')) ?? null,
    );
  });
  afterEach(() => place.stop());

  const link = /https?:\/\/[^|"]+\/rest\/export\/download\?ticket=[^|"]+/;

  test('what everybody sees opens nothing', () => {
    expect(JSON.stringify(refused)).toContain('get-export-file');
    expect(JSON.stringify(refused)).not.toMatch(link);
  });

  test('who asked for the export gets a link that only they see, as often as they ask', async () => {
    for (const _ of [1, 2]) {
      await place.slack.clicks('Get the file', { on: refused });
      const told = await place.slack.reply();
      expect(told.onlyFor).toBe('U0ADA');
      const [address = ''] = link.exec(told.text) ?? [];
      expect(JSON.stringify(told.blocks)).toContain(address);
      const { pathname, search } = new URL(address);
      const answer = await place.dwell.get(pathname + search, {}, {});
      expect([answer.status, answer.type]).toEqual([200, 'text/csv; charset=utf-8']);
      expect(answer.text).toContain('WEB-1');
      expect((await place.slack.clicks('Download the file', { on: told })).outcome).toBe('ok');
    }
  });

  test('everybody else gets a private word', async () => {
    await place.slack.clicks('Get the file', { as: 'ben', on: refused });
    const told = await place.slack.reply();
    expect(told.onlyFor).toBe('U0BEN');
    expect(told.text).toBe('Only who asked for this file can get it, and only while it is kept.');
  });

  test('a file that is not kept any more is told as such', async () => {
    place.dwell.clock.now += 86_400_001;
    await place.slack.clicks('Get the file', { on: refused });
    const told = await place.slack.reply();
    expect(told).toMatchObject({
      onlyFor: 'U0ADA',
      text: 'The file is not kept any more. Please ask again.',
    });
  });

  test('without an address that others reach nothing leads to this machine, and everybody reads who can change that', async () => {
    const alone = await startDwellInSlack();
    try {
      alone.slack.faults.failNext('files.getUploadURLExternal', 'file_upload_disabled');
      await alone.slack.types('/tis export csv WEB-1');
      const inVain = await until(
        () =>
          alone.slack.playground
            .messages('C0GENERAL')
            .find(({ text }) => text.includes('do not let me upload this file')) ?? null,
      );
      await alone.slack.clicks('Get the file', { on: inVain });
      expect((await alone.slack.reply()).text).toMatch(
        /^I cannot link to the file: this Dwell has no address that others reach\. An admin can set `BASE_URL`\. /,
      );
      const [linking] = await alone.asks('/delegates link');
      expect(linking?.text).toMatch(
        /^Say who you are in the tracker\. For a link of your own an admin has to set `BASE_URL`/,
      );
      const [weekly] = await alone.asks('/tis weekly WEB');
      if (weekly === undefined) throw new Error('No answer');
      await alone.slack.clicks('Export', { on: weekly });
      const form = await until(() => {
        const blocks = JSON.stringify(alone.slack.openModals('ada').at(-1)?.blocks ?? '');
        return blocks.includes('static_select') ? blocks : null;
      });
      for (const shown of [form, JSON.stringify(alone.slack.messages())])
        expect(shown).not.toMatch(/127\.0\.0\.1|localhost/);
    } finally {
      await alone.stop();
    }
  });
});
