import { WebClient } from '@slack/web-api';
import { describe, expect, test } from '#jest';
import type { Message } from '../../../playground/workspace.ts';
import { newNote, preparing } from '../../../src/slack/exports/export-notifier.ts';
import { anExport, aWish } from '../../support/an-export.ts';
import { until } from '../../support/local-exports.ts';
import { openTestStore } from '../../support/open-test-store.ts';
import { principalOf } from '../../support/principal-of.ts';
import { startDwellInSlack } from '../../support/start-slack.ts';
import { startedEach } from '../../support/started.ts';
import { storedExports } from '../../support/stored-exports.ts';
import { startTeamInSlack } from '../../support/team-in-slack.ts';

describe('export rights', () => {
  const place = startedEach(() => startTeamInSlack());

  /** The file that came into a channel. */
  const fileIn = (channel = 'C0TEAM') =>
    until(() => place.openIn(channel).find(({ files = [] }) => files.length > 0)?.files?.[0] ?? null);

  /** The newest export of a user of the tracker. */
  async function newest(user: string) {
    const store = await openTestStore(place.dwell.dataDir);
    const records = await store.exports.list({ owner: user }, 1);
    store.close();
    return records[0];
  }

  describe('/tis export', () => {
    test('asks with the rights of the user that the person is in the tracker', async () => {
      await place.slack.types('/tis export csv OPS', { in: 'dm' });
      expect((await fileIn('D0ADA')).content.toString()).toContain('OPS-1');
      expect((await newest('ada'))?.input.request.principal).toEqual(principalOf('ada'));

      expect((await place.says('/tis export csv OPS', { as: 'bob' })).text).toContain("I couldn't find");
      expect((await place.says('/tis export csv OPS', { as: 'zoe' })).text).toContain("I couldn't find");
    });

    test('posts nothing in a channel whose people cannot see it, and says what helps; Send to me', async () => {
      const refused = await place.says('/tis export csv OPS');
      expect(refused.text).toContain("This file can't be posted in this channel.");
      expect(refused.text).toContain('`npx dwell audience C0TEAM allow OPS`');
      expect(place.openIn()).toEqual([]);
      expect(await newest('ada')).toBeUndefined();
      const sent = place.slack.privateReply();
      await place.slack.clicks('Send to me', { on: refused });
      expect((await fileIn('D0ADA')).content.toString()).toContain('OPS-1');
      expect((await sent).text).toContain('The file is in our direct messages.');
      await place.slack.clicks('Send to me', { on: refused });
      expect((await place.slack.privateReply()).text).toContain('less than a minute ago');
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
  });

  describe('an export asked for before anybody knew who its account is', () => {
    const account = principalOf('U0ADA');

    test('can still be got', async () => {
      place.slack.faults.failNext('files.getUploadURLExternal', 'file_upload_disabled');
      await place.slack.types('/tis export csv WEB-1', { as: 'zoe', in: 'dm' });
      const sent = await until(
        () => place.openIn('D0ZOE').find(({ text }) => text.includes("don't let me upload")) ?? null,
      );
      expect((await newest('U0ZOE'))?.input.request.principal).toMatchObject(
        principalOf('U0ZOE', 'stranger'),
      );
      await place.dwell.types('people', '--link', 'U0ZOE', '--to', 'bob');
      await place.slack.clicks('Get the file', { as: 'zoe', on: sent });
      expect((await fileIn('D0ZOE')).content.toString()).toContain('WEB-1');
    });

    test('can still be stopped, and by no one else; a silent Slack is not taken for its end', async () => {
      const line = await aQueuedExport();
      const clicked = async (as: string) => {
        await place.slack.clicks('Stop', { as, on: line });
        return (await place.slack.privateReply()).text;
      };
      place.slack.faults.breakNext('users.info', 503);
      expect(await clicked('ada')).toContain("Slack can't be reached");
      expect(await clicked('bob')).toBe('This export has already finished.');
      expect((await newest('U0ADA'))?.state).toBe('Running');
      expect(await clicked('ada')).toBe('Stopped. No file was created.');
      expect((await newest('U0ADA'))?.state).toBe('Aborted');
    });

    /** Another process works on it, so that it does not end by itself; the line about it. */
    async function aQueuedExport(): Promise<Message> {
      const web = new WebClient(place.slack.botToken, { slackApiUrl: place.slack.apiUrl });
      const { text, blocks } = preparing('a file', 'our direct messages', 'old');
      await web.chat.postMessage({ channel: 'C0TEAM', text, blocks: [...blocks] });
      const note = newNote({ channel: 'C0TEAM', threadTs: null }, { user: 'U0ADA', userName: 'ada' });
      const createdAt = place.dwell.clock.now;
      const store = await openTestStore(place.dwell.dataDir);
      const exports = storedExports(store.exports);
      await exports.add(
        anExport('old', {
          ...{ createdAt, total: 12, input: aWish({ principal: account }) },
          delivery: { door: 'slack', note, pending: true },
        }),
        10,
      );
      await exports.claim(createdAt, { holder: 'elsewhere', until: createdAt + 10_000 }, []);
      store.close();
      const [line] = place.openIn();
      if (line === undefined) throw new Error('nothing was posted');
      return line;
    }
  });

  describe('Export under an answer', () => {
    /** The form on a person's screen; null until it is there. */
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
      await submitted('ada', answer, { target: 'here' });
      const content = (await fileIn()).content.toString();
      expect(content.match(/WEB-\d+/g)?.length).toBeGreaterThanOrEqual(12);
      const record = await newest('ada');
      expect(record?.input.request).toMatchObject({
        statistic: null,
        page: null,
        asOf: Date.parse('2026-03-18T12:00:00Z'),
      });
    });

    test('sends it to the person unless they choose to post it', async () => {
      const answer = await place.says('/tis project WEB');
      await submitted('ada', answer);
      expect((await fileIn('D0ADA')).content.toString()).toContain('WEB-12');
      await until(() =>
        JSON.stringify(place.slack.openModals()).includes('The file is in our direct messages.'),
      );
      expect(place.openIn()).toEqual([]);
    });

    test.each([
      ['/tis WEB-1', 1],
      ['/tis weekly WEB', 12],
      ['/tis aging APP', 1],
    ])('%s: the file holds its issues, of the report that is chosen', async (line, issues) => {
      const answer = await place.says(line, { in: 'dm' });
      await submitted('ada', answer, { report: 'statusCount' });
      const text = `as CSV* · ${issues} issue`;
      const sent = await until(() => place.openIn('D0ADA').find((one) => one.text.includes(text)) ?? null);
      expect(sent.text).toContain('Status Count of');
    });

    test('under a week it offers the figures of the week beside its issues', async () => {
      const answer = await place.says('/tis weekly WEB', { in: 'dm' });
      await place.slack.clicks('Export', { on: answer });
      const form = await until(() => formOf('ada'));
      expect(form).toContain('*12 issues of WEB finished in week 11 of 2026*');
      expect(form).toContain('"label":{"type":"plain_text","text":"Week"}');
      expect(form).toContain('"label":{"type":"plain_text","text":"Issues"}');
      expect(form).not.toMatch(/https?:|\/rest\//);
      await place.slack.submits({ format: 'csv' }, { as: 'ada' });
      const { title, content } = await fileIn('D0ADA');
      expect(title).toBe('Figures of week 2026-W11 of project WEB');
      expect(content.toString()).toContain('Finished,issues,,,,,12,0,0\r\n');
    });

    test('under a week in which nothing was finished there are the figures alone', async () => {
      const answer = await place.says('/tis weekly WEB 2026-W10', { in: 'dm' });
      await place.slack.clicks('Export', { on: answer });
      expect(await until(() => formOf('ada'))).not.toContain('Status Count');
      await place.slack.submits({}, { as: 'ada' });
      expect((await fileIn('D0ADA')).title).toBe('Figures of week 2026-W10 of project WEB');
    });

    test('the figures of a week are checked against who reads in the channel', async () => {
      expect((await place.says('/tis export weekly OPS')).text).toContain("can't be posted in this channel");
      await place.slack.clicks('Send to me', { on: await place.says('/tis export weekly OPS') });
      expect((await fileIn('D0ADA')).title).toContain('of project OPS');
    });

    test('under ages it is a file of ages from the start', async () => {
      const answer = await place.says('/tis aging APP', { in: 'dm' });
      await place.slack.clicks('Export', { on: answer });
      const form = await until(() => formOf('ada'));
      expect(form).toContain('*1 started issue of APP by age*');
      await place.slack.submits({ format: 'csv' }, { as: 'ada' });
      const { title } = await fileIn('D0ADA');
      expect(title).toBe('Current State Age of 1 started issue of APP by age');
    });

    test('in a channel whose people cannot see it the form comes back with the reason, and can send it', async () => {
      const answer = await place.says('/tis project OPS');
      await submitted('ada', answer, { target: 'here' });
      const form = await until(() => {
        const view = formOf('ada');
        return view?.includes("can't be posted in this channel") ? view : null;
      });
      expect(form).toContain('"value":"csv"}}');
      expect(place.openIn()).toEqual([]);
      await place.slack.submits({ target: 'me' }, { as: 'ada' });
      expect((await fileIn('D0ADA')).content.toString()).toContain('OPS-1');
    });
  });
});

describe('get the file', () => {
  /** A Dwell whose workspace takes no files, and the private message about one. */
  async function refused(environment: Readonly<Record<string, string>>) {
    const place = await startDwellInSlack({ environment });
    place.slack.faults.failNext('files.getUploadURLExternal', 'file_upload_disabled', 2);
    await place.slack.types('/tis export csv WEB-1');
    const message = await until(
      () =>
        place.slack.playground
          .messages('D0ADA')
          .find(({ text }) => text.includes("don't let me upload this file")) ?? null,
    );
    await until(() =>
      place.slack.messages().some(({ text }) => text.startsWith("I couldn't create the file.")),
    );
    return { ...place, message };
  }

  const link = /https?:\/\/[^|"]+\/rest\/export\/download\?ticket=[^|"]+/;

  test('uploads it to the conversation; where Slack takes no file, a link to it is behind a button', async () => {
    const place = await refused({ BASE_URL: 'https://dwell.example' });
    try {
      expect(JSON.stringify(place.message)).not.toMatch(link);
      place.slack.faults.failNext('files.getUploadURLExternal', 'file_upload_disabled');
      await place.slack.clicks('Get the file', { on: place.message });
      const sent = await until(
        () => place.slack.playground.messages('D0ADA', 'U0ADA').find(({ text }) => link.test(text)) ?? null,
      );
      expect(sent.onlyFor).toBe('U0ADA');
      const [address = ''] = link.exec(sent.text) ?? [];
      const { pathname, search } = new URL(address);
      const answer = await place.dwell.get(pathname + search, {}, {});
      expect([answer.status, answer.type]).toEqual([200, 'text/csv; charset=utf-8']);
      expect(answer.text).toContain('WEB-1');
      const shown = JSON.stringify(sent.blocks).replace(`"url":"${address}"`, '');
      expect(shown).not.toMatch(link);
      expect((await place.slack.clicks('Download the file', { on: sent })).outcome).toBe('ok');

      await place.slack.clicks('Get the file', { on: place.message });
      expect((await place.slack.reply()).files?.[0]?.content.toString()).toContain('WEB-1');

      place.dwell.clock.now += 86_400_001;
      await place.slack.clicks('Get the file', { on: place.message });
      expect((await place.slack.reply()).text).toBe('This file has expired. Please export again.');
    } finally {
      await place.stop();
    }
  });

  test('without BASE_URL nothing leads to this machine, and the words say what is missing', async () => {
    const place = await refused({});
    try {
      place.slack.faults.failNext('files.getUploadURLExternal', 'file_upload_disabled');
      await place.slack.clicks('Get the file', { on: place.message });
      const { text } = await until(
        () =>
          place.slack.playground.messages('D0ADA', 'U0ADA').find(({ onlyFor }) => onlyFor !== undefined) ??
          null,
      );
      expect(text).toContain('An admin can set `BASE_URL` so that I can send a link instead.');
      expect(JSON.stringify(place.slack.playground.messages('D0ADA', 'U0ADA'))).not.toMatch(
        /127\.0\.0\.1|localhost/,
      );
    } finally {
      await place.stop();
    }
  });
});
