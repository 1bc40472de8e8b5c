import { read, utils } from '@e965/xlsx';
import { WebClient } from '@slack/web-api';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '#jest';
import type { Message } from '../../playground/workspace.ts';
import { checkView } from '../../src/block-kit/check-blocks.ts';
import { button } from '../../src/slack/messages/button.ts';
import { heldExports } from '../support/held-exports.ts';
import { until } from '../support/local-exports.ts';
import { openTestStore } from '../support/open-test-store.ts';
import { principalOf } from '../support/principal-of.ts';
import { startDwellInSlack } from '../support/start-slack.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

type Place = Awaited<ReturnType<typeof startDwellInSlack>>;

/** Messages of the app that everybody in a channel sees. */
const openIn = ({ slack }: Place, channel = 'C0GENERAL') =>
  slack.playground.messages(channel).filter(({ byApp }) => byApp);

/** Resolves when nothing more is to come of what was asked, so that the next test hears only what it asks itself. */
const settled = (place: Place) =>
  until(() =>
    ['C0GENERAL', 'C0WEBTEAM', 'D0ADA'].every(
      (channel) => !JSON.stringify(openIn(place, channel)).includes('abort-export'),
    ),
  );

/** What the next message, which tells the progress of an export, has become in the end. */
async function outcome(place: Place): Promise<{ progress: Message; result: Message }> {
  const progress = await place.slack.reply();
  await settled(place);
  const [result] = openIn(place, progress.channel).filter(({ ts }) => ts === progress.ts);
  if (result === undefined) throw new Error('the message about an export is gone');
  return { progress, result };
}

describe.each(['http', 'socket'] as const)('over %s', (mode) => {
  let place: Place;
  beforeAll(async () => {
    place = await startDwellInSlack({ mode });
  });
  afterAll(() => place.stop());

  test('/tis export brings a workbook into the channel, and its progress becomes the result', async () => {
    await place.slack.types('/tis export WEB');
    const { progress, result } = await outcome(place);
    expect(progress.text).toMatch(
      /^ada asked for Status Duration of project WEB as XLSX: 0 of \d+ issues\.$/,
    );
    expect(progress.onlyFor).toBeUndefined();
    expect(result.text).toMatch(
      /: \d+ issues\. (Not complete: .*\. )?Run [0-9a-f]{8} · durations in hours · calendar 24\/7 · as of /,
    );
    const [withFile] = openIn(place).filter(({ files = [] }) => files.length > 0);
    const [file] = withFile?.files ?? [];
    expect(file?.name).toMatch(/^dwell-statusDuration-.*\.xlsx$/);
    const book = read(file?.content);
    const [sheet = ''] = book.SheetNames;
    const rows = utils.sheet_to_json<unknown[]>(book.Sheets[sheet] ?? {}, { header: 1 });
    const issues = Number(/: (\d+) issues/.exec(result.text)?.[1]);
    expect(rows.flat().filter((cell) => /^WEB-\d+$/.test(String(cell)))).toHaveLength(issues);
    const table = result.blocks?.find(({ type }) => type === 'table');
    expect(table?.rows).toHaveLength(Math.min(5, issues) + 1);
  });
});

describe('in a workspace', () => {
  let place: Place;
  beforeAll(async () => {
    place = await startDwellInSlack();
  });
  afterAll(() => place.stop());
  afterEach(() => settled(place));

  const privately = async (line: string, where?: string): Promise<Message> => {
    const before = openIn(place).length;
    await place.slack.types(line, where === undefined ? {} : { in: where });
    const message = await place.slack.reply();
    expect(message.onlyFor).toBe('U0ADA');
    expect(openIn(place)).toHaveLength(before);
    return message;
  };

  test('every format arrives as itself', async () => {
    for (const [format, begins] of [
      ['csv', '\ufeff'],
      ['json', '{'],
      ['xls', '\ufffd'],
    ] as const) {
      await place.slack.types(`/tis export ${format} WEB-1 in minutes`);
      await outcome(place);
      const file = place.slack.files().find(({ name }) => name.endsWith(`.${format}`));
      expect(file?.content.toString('utf8').startsWith(begins)).toBe(true);
    }
  });

  test('what is queued counts deleted statuses, as the answers of /tis do, and speaks for who asked', async () => {
    await place.slack.types('/tis export WEB-2 in days by statusCount');
    await outcome(place);
    const store = openTestStore(place.dwell.dataDir);
    const { records } = await store.exports.list(principalOf('U0ADA'), { start: 0, size: 1 });
    store.close();
    expect(records[0]?.input).toMatchObject({
      type: 'XLSX',
      unit: 'days',
      request: {
        principal: principalOf('U0ADA', 'stranger'),
        reportType: 'statusCount',
        selection: { by: 'keys', keys: ['WEB-2'] },
        includeDeletedStatuses: true,
      },
    });
  });

  test('in a direct message with the app', async () => {
    await place.slack.types('/tis export csv WEB-1', { in: 'dm' });
    const { result } = await outcome(place);
    expect(result.channel).toBe('D0ADA');
    expect(result.text).toContain('WEB-1 as CSV: 1 issue.');
    expect(openIn(place, 'D0ADA').filter(({ files = [] }) => files.length > 0)).toHaveLength(1);
  });

  test('alone it tells how it is used, with examples that work', async () => {
    const { text } = await privately('/tis export');
    expect(text).toContain('FILTER: `project KEY`');
    const examples = [...text.matchAll(/`(\/tis export [^`[]+)`/g)].map(([, line = '']) => line);
    expect(examples).toHaveLength(3);
    for (const example of examples) {
      await place.slack.types(example);
      expect((await outcome(place)).progress.text).toMatch(/^ada asked for .*: 0 of \d+ issues?\.$/);
    }
  });

  test.each([
    ['/tis export NOPE', "project 'NOPE' could not be found. Try: the key of a project that has issues."],
    ['/tis export filter 404', "filter '404' could not be found"],
    ['/tis export sprint 404', "sprint '404' could not be found"],
    ['/tis export status = = Done', 'JQL: '],
    ['/tis export pdf WEB', "format 'pdf' is not known. Try: xlsx, xls, csv, json."],
    ['/tis export WEB in weeks', "unit 'weeks' is not known. Try: hours, days, minutes, seconds."],
    ['/tis export created < "2001-01-01"', 'No issue matches'],
    ['/tis export status = "<!channel>"', '&lt;!channel&gt;'],
  ])('%s is refused privately, with an example', async (line, words) => {
    const { text } = await privately(line);
    expect(text).toContain(words);
    expect(text).toMatch(/Try `\/tis export [A-Z]+`/);
    expect(text).not.toContain('<!');
  });

  test('an issue nobody knows is refused privately', async () => {
    expect((await privately('/tis export WEB-404404')).text).toContain(
      "issueKey 'WEB-404404' could not be found.",
    );
  });

  test('a channel the app is not in is told how to invite it', async () => {
    expect((await privately('/tis export WEB', 'quiet')).text).toContain('/invite @Dwell');
    expect(openIn(place, 'C0QUIET')).toEqual([]);
  });

  test.each([
    ['channel_not_found', '/invite @Dwell'],
    ['is_archived', 'This channel is archived.'],
    ['restricted_action', 'rules of this workspace'],
    ['missing_scope', 'chat:write, files:write and files:read'],
  ])('%s: a private answer says what to do, and nothing is queued', async (error, cure) => {
    place.slack.faults.failNext('chat.postMessage', error);
    const messages = openIn(place).length;
    expect((await privately('/tis export WEB')).text).toContain(cure);
    expect(openIn(place)).toHaveLength(messages);
  });

  test.each([
    [
      'a failure of Slack',
      () => place.slack.faults.breakNext('chat.postMessage', 503),
      'Slack cannot be reached at the moment.',
    ],
    [
      'a wish to be left alone',
      () => place.slack.faults.rateLimitNext('chat.postMessage', 30),
      'Slack wants a pause of 30 seconds.',
    ],
  ])('%s is told privately', async (_what, plant, told) => {
    plant();
    expect((await privately('/tis export WEB')).text).toContain(told);
  });
});

describe('the button under an issue', () => {
  let place: Place;
  beforeAll(async () => {
    place = await startDwellInSlack();
  });
  afterAll(() => place.stop());
  afterEach(() => settled(place));

  const opened = async (where = 'general') => {
    await place.slack.types('/tis WEB-1', { in: where });
    await place.slack.reply();
    await place.slack.clicks('Export', { in: where });
    return place.slack.modal();
  };

  test('opens a modal within the limits of Slack whose every report works', async () => {
    const view = await opened();
    expect(view.callback_id).toBe('export-form');
    const { id: _, blocks, type, title, submit, close, callback_id, private_metadata } = view;
    expect(checkView({ type, title, submit, close, callback_id, private_metadata, blocks })).toEqual([]);
    const [menu] = blocks.flatMap((block) => (block.block_id === 'report' ? [block] : []));
    const options: { value: string }[] = JSON.parse(JSON.stringify(menu)).element.options;
    expect(options.length).toBeGreaterThan(10);
    for (const { value } of options) {
      await opened();
      await place.slack.submits({ report: value, format: 'csv', unit: 'days' });
      expect((await outcome(place)).result.text).toContain('WEB-1 as CSV: 1 issue.');
    }
  });

  test('the modal says that the file is on its way, and the file comes to where the button was', async () => {
    await opened('web-team');
    const { errors } = await place.slack.submits();
    expect(errors).toEqual({});
    const { result } = await outcome(place);
    expect(result.channel).toBe('C0WEBTEAM');
    const view = await until(() => {
      const [shown] = place.slack.openModals();
      return shown !== undefined && JSON.stringify(shown.blocks).includes('on its way') ? shown : null;
    });
    expect(view.submit).toBeNull();
    expect(result.text).toContain('Status Duration of WEB-1 as XLSX: 1 issue.');
    await place.slack.dismisses();
  });

  test('in a thread the file and every private word stay in the thread', async () => {
    const web = new WebClient(place.slack.botToken, { slackApiUrl: place.slack.apiUrl });
    const channel = 'C0WEBTEAM';
    const { ts: threadTs = '' } = await web.chat.postMessage({ channel, text: 'a thread' });
    const elements = [button('Export', 'export-issue', 'WEB-1')];
    await web.chat.postMessage({
      ...{ channel, text: 'an issue', thread_ts: threadTs },
      blocks: [{ type: 'actions', elements }],
    });
    const release = place.slack.faults.holdNext('files.getUploadURLExternal');
    await place.slack.clicks('Export', { in: 'web-team' });
    await place.slack.modal();
    await place.slack.submits({ format: 'csv' });
    const progress = await place.slack.reply();
    await place.slack.clicks('Abort', { as: 'ben', on: progress });
    const refusal = await place.slack.reply();
    release();
    const withFile = await until(
      () => openIn(place, channel).find(({ files, threadTs: ts }) => files && ts === threadTs) ?? null,
    );
    for (const message of [progress, refusal, withFile]) expect(message.threadTs).toBe(threadTs);
    await place.slack.dismisses();
  });

  test.each([
    [
      'comes too late',
      () => place.slack.faults.failNext('views.open', 'expired_trigger_id'),
      'That took too long.',
    ],
    [
      'meets a failure of Slack',
      () => place.slack.faults.breakNext('views.open', 503, 2),
      'cannot be reached',
    ],
  ])('a click that %s is told privately, and is no bug of ours', async (_what, plant, words) => {
    await place.slack.types('/tis WEB-1');
    await place.slack.reply();
    plant();
    await place.slack.clicks('Export');
    const told = await place.slack.reply();
    expect(told.onlyFor).toBe('U0ADA');
    expect(told.text).toContain(words);
  });

  test('where the app may not post the modal tells what to do', async () => {
    await opened('quiet');
    await place.slack.submits();
    await until(() => JSON.stringify(place.slack.openModals()).includes('/invite @Dwell'));
    expect(openIn(place, 'C0QUIET').filter(({ onlyFor }) => onlyFor === undefined)).toEqual([]);
    await place.slack.dismisses();
  });
});

test('a modal that opened without our hearing of it is not spoken of', async () => {
  const place = await startDwellInSlack();
  await place.asks('/tis WEB-1');
  place.slack.faults.loseAnswerNext('views.open');
  await place.slack.clicks('Export');
  // Stopping waits for answers under way.
  await place.dwell.stop();
  expect(place.slack.calls('views.open')).toHaveLength(2);
  expect(place.slack.openModals()).toHaveLength(1);
  expect(place.slack.messages()).toHaveLength(1);
  await place.slack.stop();
});

describe('aborting', () => {
  let place: Place;
  const dataDir = temporaryFolder();
  beforeAll(async () => {
    place = await startDwellInSlack({ dataDir });
  });
  afterAll(() => place.stop());

  test('only who asked may do it, and the message tells the end', async () => {
    // So many files of somebody else's are on their way that what is asked next has to wait.
    const releases = [1, 2, 3, 4].map(() => place.slack.faults.holdNext('files.getUploadURLExternal'));
    for (const _ of releases) {
      await place.slack.types('/tis export csv WEB-1', { as: 'chi', in: 'web-team' });
    }
    await until(() => place.slack.calls('files.getUploadURLExternal').length === releases.length);
    await place.slack.types('/tis export WEB');
    const progress = await place.slack.reply();

    await place.slack.clicks('Abort', { as: 'ben', on: progress });
    expect(await place.slack.reply()).toMatchObject({
      onlyFor: 'U0BEN',
      text: 'Only who asked for this export can abort it.',
    });

    await place.slack.clicks('Abort', { on: progress });
    await until(async () => (await place.dwell.as('U0ADA').get('/rest/export')).text.includes('Aborted'));
    await place.slack.clicks('Abort', { on: progress });
    expect(await place.slack.reply()).toMatchObject({
      onlyFor: 'U0ADA',
      text: 'This export has ended already.',
    });

    for (const release of releases) release();
    await settled(place);
    const [told] = openIn(place).filter(({ ts }) => ts === progress.ts);
    expect(told?.text).toContain('It was aborted; there is no file.');
    expect(place.slack.files()).toHaveLength(releases.length);
  });

  test('who has too many unfinished is told so, and no message stays', async () => {
    const before = openIn(place).filter(({ onlyFor }) => onlyFor === undefined);
    await heldExports(dataDir, principalOf('U0BEN'), 10);
    await place.slack.types('/tis export WEB', { as: 'ben' });
    const told = await until(
      () => place.slack.messages({ as: 'ben' }).find(({ text }) => text.includes('Too many exports')) ?? null,
    );
    expect(told.onlyFor).toBe('U0BEN');
    expect(told.text).toContain('10 of your exports are queued or running');
    expect(openIn(place).filter(({ onlyFor }) => onlyFor === undefined)).toEqual(before);
  });
});
