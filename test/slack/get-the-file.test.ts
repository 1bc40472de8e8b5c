import { afterEach, beforeEach, expect, test } from '#jest';
import type { Message } from '../../playground/workspace.ts';
import { until } from '../support/local-exports.ts';
import { startDwellInSlack } from '../support/start-slack.ts';

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
