import { read, utils } from '@e965/xlsx';
import { WebClient } from '@slack/web-api';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '#jest';
import type { Message } from '../../../playground/workspace.ts';
import { checkView } from '../../../src/block-kit/check-blocks.ts';
import { AppError } from '../../../src/model/error.ts';
import type { Selection } from '../../../src/model/request.ts';
import { reports } from '../../../src/reports/index.ts';
import { button } from '../../../src/slack/app/message-texts.ts';
import { weeklyAddress } from '../../../src/slack/exports/export-form.ts';
import { readExportWords } from '../../../src/slack/exports/export-words.ts';
import { heldExports } from '../../support/held-exports.ts';
import { until } from '../../support/local-exports.ts';
import { openTestStore } from '../../support/open-test-store.ts';
import { principalOf } from '../../support/principal-of.ts';
import { startDwellInSlack } from '../../support/start-slack.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

describe('tis export', () => {
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
        () =>
          place.slack.messages({ as: 'ben' }).find(({ text }) => text.includes('Too many exports')) ?? null,
      );
      expect(told.onlyFor).toBe('U0BEN');
      expect(told.text).toContain('10 of your exports are queued or running');
      expect(openIn(place).filter(({ onlyFor }) => onlyFor === undefined)).toEqual(before);
    });
  });
});

describe('export words', () => {
  const read = (line: string) => readExportWords(line, reports);
  const jql = (query: string): Selection => ({ by: 'jql', jql: query });

  describe('which issues', () => {
    test.each<[string, Selection]>([
      ['WEB', { by: 'project', project: 'WEB' }],
      ['web', { by: 'project', project: 'web' }],
      ['project WEB', { by: 'project', project: 'WEB' }],
      ['PROJECT "Web Shop"', { by: 'project', project: 'Web Shop' }],
      ['project Web Shop', { by: 'project', project: 'Web Shop' }],
      ['WEB-1 web-2, WEB-1', { by: 'keys', keys: ['WEB-1', 'WEB-2'] }],
      ['<https://tracker.example/browse/WEB-9>', { by: 'keys', keys: ['WEB-9'] }],
      ['filter 10001', { by: 'savedFilter', id: '10001' }],
      ['filter My open work', jql('filter = "My open work"')],
      ['filter in progress', jql('filter = "in progress"')],
      ['filter Work in Progress', jql('filter = "Work in Progress"')],
      ['filter “Bent quotes”', jql('filter = "Bent quotes"')],
      ['filter say "hi"', jql('filter = "say \\"hi\\""')],
      ['sprint 7', { by: 'sprint', id: '7' }],
      ['sprint Sprint 7', jql('sprint = "Sprint 7"')],
      ['sprint in openSprints()', jql('sprint in openSprints()')],
      ['sprint = 7', jql('sprint = 7')],
      ['project = WEB AND status = Done', jql('project = WEB AND status = Done')],
      ['project=WEB', jql('project=WEB')],
      ['project in (WEB, APP)', jql('project in (WEB, APP)')],
      ['project not in (WEB)', jql('project not in (WEB)')],
      ['sprint is not empty', jql('sprint is not empty')],
      ['jql project = WEB', jql('project = WEB')],
      ['status changed by ada', jql('status changed by ada')],
      ['status = Done ORDER BY created', jql('status = Done ORDER BY created')],
      ['project = WEB order by statusDuration', jql('project = WEB order by statusDuration')],
      ['status = “In Progress”', jql('status = "In Progress"')],
      ['status = „In Progress“ AND x = "a“b"', jql('status = "In Progress" AND x = "a“b"')],
      ['status = “In Progress" by statusDuration', jql('status = "In Progress"')],
      ['summary ~ "don’t  panic"', jql('summary ~ "don’t  panic"')],
      ["summary ~ 'say “hi”'", jql("summary ~ 'say “hi”'")],
      ['summary ~ "say \\"hi\\" “now”"', jql('summary ~ "say \\"hi\\" “now”"')],
      ['summary ~ “don’t say \\"hi\\"”', jql('summary ~ "don’t say \\"hi\\""')],
      ['summary ~ “never closed', jql('summary ~ “never closed')],
      ['summary ~ "told by statusCount"', jql('summary ~ "told by statusCount"')],
      ['jql   summary ~ "a \t b"\nAND  status = Done  ', jql('summary ~ "a \t b"\nAND  status = Done')],
      ['filter “It’s  mine”', jql('filter = "It’s  mine"')],
      ['project ‘Web Shop’', { by: 'project', project: 'Web Shop' }],
      ['“WEB-1”', { by: 'keys', keys: ['WEB-1'] }],
    ])('%s', (line, selection) => {
      expect(read(line)).toEqual({ format: 'xlsx', unit: 'hours', reportType: 'statusDuration', selection });
    });
  });

  describe('which file', () => {
    const web: Selection = { by: 'project', project: 'WEB' };
    test.each([
      ['XLS WEB', 'xls', 'hours', 'statusDuration'],
      ['csv WEB in Days', 'csv', 'days', 'statusDuration'],
      ['json WEB by transitioncount', 'json', 'hours', 'transitionCount'],
      ['WEB by Transition Count in seconds', 'xlsx', 'seconds', 'transitionCount'],
      ['WEB in minutes by "Status Duration per Assignee"', 'xlsx', 'minutes', 'statusDurationByAssignee'],
    ])('%s', (line, format, unit, reportType) => {
      expect(read(line)).toEqual({ format, unit, reportType, selection: web });
    });

    test('a report and a unit behind a query are no part of it', () => {
      expect(read('csv status = Done ORDER BY created by statusCount in days')).toEqual({
        format: 'csv',
        unit: 'days',
        reportType: 'statusCount',
        selection: jql('status = Done ORDER BY created'),
      });
    });

    test('a project called like a format can be asked for', () => {
      expect(read('xlsx csv').selection).toEqual({ by: 'project', project: 'csv' });
      expect(read('project csv').selection).toEqual({ by: 'project', project: 'csv' });
    });
  });

  describe('what is wrong is named with its value and what is allowed', () => {
    test.each([
      ['csv', 'The filter is missing. Try: a project, a saved filter, a sprint, issue keys, JQL.'],
      ['in days', 'The filter is missing. Try: a project, a saved filter, a sprint, issue keys, JQL.'],
      ['pdf WEB', "format 'pdf' is not known. Try: xlsx, xls, csv, json."],
      ['pdf project WEB', "format 'pdf' is not known. Try: xlsx, xls, csv, json."],
      ['html WEB-1 WEB-2', "format 'html' is not known. Try: xlsx, xls, csv, json."],
      ['WEB in weeks', "unit 'weeks' is not known. Try: hours, days, minutes, seconds."],
      ['WEB-1 in weeks', "unit 'weeks' is not known. Try: hours, days, minutes, seconds."],
      ['project', "What stands behind 'project' is missing. Try: a name."],
      ['csv jql', "What stands behind 'jql' is missing. Try: JQL."],
    ])('%s', (line, sentence) => {
      expect(() => read(line)).toThrow(expect.objectContaining({ code: 'bad-request', details: [sentence] }));
    });

    test('a report nobody knows', () => {
      expect(() => read('WEB by moonlight')).toThrow(
        expect.objectContaining({
          details: [expect.stringMatching(/^report 'moonlight' is not known. Try: .*statusDuration.*\.$/)],
        }),
      );
    });
  });

  test('what stands in a literal of a query is what was typed, whatever it is', () => {
    const content = fc
      .string({ unit: 'grapheme', maxLength: 30 })
      .map((text) => text.replaceAll(/["\\]/g, ''));
    const odd = fc.oneof(content, fc.constantFrom('“x”', 'don’t', 'a   b', ' in days', 'by statusCount'));
    fc.assert(
      fc.property(odd, (inside) => {
        expect(read(`csv jql summary ~ "${inside}" AND status = “Done” in days`)).toMatchObject({
          unit: 'days',
          selection: jql(`summary ~ "${inside}" AND status = "Done"`),
        });
      }),
    );
  });

  test('whatever is typed is understood or refused with words', () => {
    const word = fc.oneof(
      fc.constantFrom(
        'in',
        'by',
        'order',
        'project',
        'filter',
        'sprint',
        'jql',
        'csv',
        'WEB',
        'WEB-1',
        '=',
        'days',
      ),
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }),
    );
    fc.assert(
      fc.property(fc.array(word, { maxLength: 8 }), fc.constantFrom(' ', '  ', '\n'), (words, blank) => {
        try {
          readExportWords(words.join(blank), reports);
        } catch (error) {
          expect(error).toBeInstanceOf(AppError);
        }
      }),
    );
  });

  test.each([
    ['WEB last 30 days', 'project = WEB AND created >= -30d'],
    ['csv project "Web Shop" resolved past 2 weeks', 'project = "Web Shop" AND resolved >= -2w'],
    ['WEB-1 WEB-2 last 3 days', 'key in (WEB-1, WEB-2) AND created >= -3d'],
    ['WEB this month', 'project = WEB AND created >= -30d'],
  ])('%s is a time, which a file takes as JQL: the line that works is told', (line, query) => {
    expect(() => read(line)).toThrow(
      expect.objectContaining({
        details: [expect.stringContaining(`. Try: /tis export jql ${query}.`)],
      }),
    );
    expect(read(`jql ${query}`).selection).toEqual(jql(query));
  });
});

describe('weekly address', () => {
  const asOf = Date.parse('2026-11-18T12:00:00Z');
  const addressOf = (selection: Selection) =>
    weeklyAddress(
      { kind: 'weekly', selection, week: 'last', calendar: '1', timeZone: 'Europe/Berlin' },
      asOf,
      'https://dwell.example/in',
    );

  test('names the week itself, so that it tells the same later', () => {
    expect(addressOf({ by: 'project', project: 'WEB' })).toBe(
      'https://dwell.example/in/rest/issues/weekly?filterType=project&projectKey=WEB&week=2026-W46&calendar=1&timeZone=Europe%2FBerlin&asOf=2026-11-18T12%3A00%3A00.000Z&viewFormat=hours&outputType=csv',
    );
  });

  test.each([
    [
      { by: 'keys', keys: ['WEB-1', 'WEB-2'] },
      { filterType: 'customjql', customjql: 'key in (WEB-1, WEB-2)' },
    ],
    [
      { by: 'jql', jql: 'summary ~ "a`b&c"' },
      { filterType: 'customjql', customjql: 'summary ~ "a`b&c"' },
    ],
    [
      { by: 'savedFilter', id: '7' },
      { filterType: 'jqlfilter', jqlFilterID: '7' },
    ],
  ] as const)('%j is asked for as REST takes it', (selection, parameters) => {
    const address = addressOf(selection);
    expect(address).not.toContain('`');
    expect(Object.fromEntries(new URL(address).searchParams)).toMatchObject(parameters);
  });
});
