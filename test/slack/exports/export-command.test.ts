import { read, utils } from '@e965/xlsx';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from '#jest';
import type { Message } from '../../../playground/workspace.ts';
import { readExportWords } from '../../../src/slack/ask/grammar/read-export.ts';
import { heldExports } from '../../support/held-exports.ts';
import { until } from '../../support/local-exports.ts';
import { openTestStore } from '../../support/open-test-store.ts';
import { principalOf } from '../../support/principal-of.ts';
import { startDwellInSlack } from '../../support/start-slack.ts';
import { startedOnce } from '../../support/started.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

type Place = Awaited<ReturnType<typeof startDwellInSlack>>;

/** Messages of the app that everyone in a channel sees. */
const openIn = ({ slack }: Place, channel = 'C0GENERAL') =>
  slack.playground.messages(channel).filter(({ byApp, onlyFor }) => byApp && onlyFor === undefined);

/** The first question in a channel sets its time zone, and the person reads so. */
const isZoneNote = ({ text }: Message) => text.startsWith('Times in <#');

/** The message of the file that a typed line brings. */
async function exported(place: Place, line: string, where = 'general'): Promise<Message> {
  await place.slack.types(line, { in: where });
  for (;;) {
    const message = await place.slack.reply();
    if (message.files !== undefined) return message;
    if (message.onlyFor !== undefined && !isZoneNote(message)) throw new Error(message.text);
  }
}

/** The private message with these words that a typed line is answered with. */
async function privately(place: Place, line: string, words: string, as = 'ada'): Promise<Message> {
  await place.slack.types(line, { as });
  for (;;) {
    const message = await place.slack.reply();
    if (message.onlyFor !== undefined && message.text.includes(words)) return message;
  }
}

const contentOf = ({ files = [] }: Message) => files[0]?.content.toString('utf8') ?? '';

describe.each([
  { mode: 'http', blobs: 'folder' },
  { mode: 'socket', blobs: 'table' },
] as const)('over $mode, from a $blobs', ({ mode, blobs }) => {
  const place = startedOnce(() => startDwellInSlack({ mode, environment: { BLOBS: blobs } }));

  test('/tis export posts a workbook and what it is in one message, which is not changed afterwards', async () => {
    const message = await exported(place, '/tis export WEB');
    expect(message.text).toMatch(
      /^\*Status Duration of project WEB as XLSX\* · \d+ issues · exported by <@U0ADA>\n/,
    );
    expect(message.text).toMatch(/Durations in hours · hours 24\/7 · as of <!date\^/);
    const [file] = message.files ?? [];
    expect(file?.name).toMatch(/^dwell-statusDuration-.*\.xlsx$/);
    const book = read(file?.content);
    const rows = utils.sheet_to_json<unknown[]>(book.Sheets[book.SheetNames[0] ?? ''] ?? {}, { header: 1 });
    const issues = Number(/(\d+) issues/.exec(message.text)?.[1]);
    expect(rows.flat().filter((cell) => /^WEB-\d+$/.test(String(cell)))).toHaveLength(issues);
    expect(openIn(place)).toHaveLength(1);
    expect([place.slack.calls('chat.update'), place.slack.calls('chat.postMessage')]).toEqual([[], []]);
  });
});

describe('a file of any question', () => {
  let place: Place;
  const dataDir = temporaryFolder();
  beforeAll(async () => {
    place = await startDwellInSlack({ dataDir });
  });
  afterAll(() => place.stop());

  /** What was queued last. */
  async function newest() {
    const store = await openTestStore(place.dwell.dataDir);
    const records = await store.exports.list({ owner: 'U0ADA' }, 1);
    store.close();
    return records[0]?.input;
  }

  test.each([
    ['/tis export csv WEB last 30 days', 'CSV', 'hours', 'statusDuration'],
    ['/tis export WEB last 30 days csv', 'CSV', 'hours', 'statusDuration'],
    ['/tis export WEB by statusCount as csv in minutes', 'CSV', 'minutes', 'statusCount'],
    ['/tis export in seconds json WEB-1', 'JSON', 'seconds', 'statusDuration'],
    ['/tis export WEB-2 in days by "Status Count" xls', 'XLS', 'days', 'statusCount'],
    ['/tis export aging WEB', 'XLSX', 'hours', 'statusDuration'],
  ] as const)('%s', async (line, type, unit, reportType) => {
    await exported(place, line);
    expect(await newest()).toMatchObject({
      ...{ type, unit },
      request: {
        ...{ reportType, statistic: null, includeDeletedStatuses: true },
        principal: principalOf('U0ADA', 'stranger'),
      },
    });
  });

  test('a time narrows the issues as it does in an answer', async () => {
    const all = await exported(place, '/tis export csv WEB');
    const some = await exported(place, '/tis export csv WEB resolved last 30 days');
    const keysIn = (message: Message) => new Set(contentOf(message).match(/WEB-\d+/g));
    expect(keysIn(some).size).toBeGreaterThan(0);
    expect(keysIn(some).size).toBeLessThan(keysIn(all).size);
  });

  test('of a week the figures: finished, cycle time, and a row a status', async () => {
    const message = await exported(place, '/tis export weekly WEB csv');
    expect(message.text).toMatch(/^\*Figures of week \d{4}-W\d\d of project WEB\* · CSV/);
    const lines = contentOf(message)
      .split('\r\n')
      .map((line) => line.split(','));
    expect(lines[0]?.join()).toBe(
      '\ufeffFigure,Unit,Average,Median,p85,Standard deviation,In the week,Last week,Eight weeks before',
    );
    expect(lines.slice(1, 6).map(([figure, unit]) => `${figure} ${unit}`)).toEqual([
      'Finished issues',
      expect.stringMatching(/^"?Cycle time/),
      expect.stringMatching(/^"?Cycle time/),
      expect.stringMatching(/^"?Cycle time/),
      expect.stringMatching(/^"?Cycle time/),
    ]);
    expect(lines.map(([figure]) => figure)).toContain('In Progress');
    const week = (await exported(place, '/tis export xlsx weekly WEB in days')).files?.[0]?.content;
    const book = read(week, { cellNF: true });
    const rowsOf = (name: string) =>
      utils.sheet_to_json<Record<string, unknown>>(book.Sheets[name] ?? {}, { raw: true });
    const firstStatus = 2 + rowsOf('Week').findIndex(({ Average: average }) => average !== undefined);
    expect([`C${firstStatus}`, 'G3', 'I3'].map((cell) => book.Sheets.Week?.[cell]?.z)).toEqual(
      Array.from({ length: 3 }, () => '#,##0.00'),
    );
    expect(book.SheetNames).toEqual(['Week', 'Issues', 'Provenance']);
    const [figures, issues] = [rowsOf('Week'), rowsOf('Issues')];
    const inTheWeek = (figure: string) => figures.find((row) => row.Figure === figure)?.['In the week'];
    expect(issues.length).toBeGreaterThan(1);
    expect(issues).toHaveLength(Number(inTheWeek('Finished')));
    const times = issues.flatMap((row) =>
      row['Cycle time (days)'] === undefined ? [] : [Number(row['Cycle time (days)'])],
    );
    const mean = times.reduce((sum, days) => sum + days, 0) / times.length;
    expect(mean).toBeCloseTo(Number(inTheWeek('Cycle time, average')), 6);
    for (const row of issues) {
      expect(row.Key).toMatch(/^WEB-\d+$/);
      expect(row).toHaveProperty('Summary');
      expect(Number(row.Finished)).toBeGreaterThan(45_000);
      // A cycle time, or why there is none.
      expect('Cycle time (days)' in row).toBe(!('No cycle time because' in row));
    }
    expect(issues.some((row) => typeof row.Assignee === 'string')).toBe(true);
  });

  test('a list has the cycle times that weekly counts, and why an issue has none', async () => {
    const sheet = async (line: string, name: string) => {
      const book = read((await exported(place, line)).files?.[0]?.content);
      return utils.sheet_to_json<Record<string, unknown>>(book.Sheets[name] ?? {}, { raw: true });
    };
    const ofWeek = await sheet('/tis export xlsx weekly WEB in hours', 'Issues');
    for (const format of ['xlsx', 'xls']) {
      const rows = await sheet(`/tis export ${format} WEB in hours`, 'List');
      const byKey = new Map(rows.map((row) => [row.Key, row]));
      const both = ['Cycle time (hours)', 'No cycle time because'];
      for (const row of ofWeek) {
        const found = byKey.get(row.Key);
        expect([row.Key, ...both.map((title) => found?.[title])]).toEqual([
          row.Key,
          ...both.map((title) => row[title]),
        ]);
      }
      const reasons = new Set(rows.map((row) => row['No cycle time because']));
      expect(reasons).toContain('it is not finished');
      // Each has a cycle time, or why there is none.
      for (const row of rows) expect(both.filter((title) => row[title] !== undefined)).toHaveLength(1);
    }
    const csv = contentOf(await exported(place, '/tis export csv WEB in hours')).split('\r\n');
    expect(csv[0]).toContain(',Cycle time (hours),No cycle time because,');
  });

  test('to me sends it to the conversation with the app, and the channel sees nothing', async () => {
    const before = openIn(place).length;
    await place.slack.types('/tis export csv WEB-1 to me');
    const word = await until(
      () => place.slack.messages().find(({ text }) => text === 'The file is in our direct messages.') ?? null,
    );
    expect(word.onlyFor).toBe('U0ADA');
    const file = openIn(place, 'D0ADA').at(-1);
    expect(file?.text).toMatch(/^\*Status Duration of WEB-1 as CSV\* · 1 issue\n/);
    expect(openIn(place)).toHaveLength(before);
  });

  test('in a direct message with the app it comes there', async () => {
    expect((await exported(place, '/tis export csv WEB-1', 'dm')).channel).toBe('D0ADA');
  });

  test('without the scope to open that conversation the file gets there all the same', async () => {
    place.slack.faults.failNext('conversations.open', 'missing_scope');
    const before = openIn(place, 'D0ADA').length;
    await place.slack.types('/tis export csv WEB-1 to me');
    const [word, file] = await until(() => {
      const come = openIn(place, 'D0ADA').slice(before);
      return come.length === 2 ? come : null;
    });
    expect([word?.text, file?.files?.length]).toEqual(['Here is your file:', 1]);
  });

  test.each([
    ['/tis export', 'What would you like to export?'],
    ['/tis export csv', 'What would you like to export?'],
    ['/tis export NOPE', 'NOPE'],
    ['/tis export pdf WEB', 'pdf'],
    ['/tis export status = = Done', 'JQL: '],
    ['/tis export WEB in weeks', 'weeks'],
    ['/tis export created < "2001-01-01"', 'No issues match'],
    ['/tis export WEB-404404', 'WEB-404404'],
    ['/tis export status = "<!channel>"', '&lt;!channel&gt;'],
  ])('%s is answered privately, with lines that run', async (line, words) => {
    const before = openIn(place).length;
    const refused = await privately(place, line, words);
    expect(openIn(place)).toHaveLength(before);
    expect(refused.text).not.toContain('<!');
    expect(JSON.stringify(refused.blocks)).toMatch(/"value":"\/tis export [A-Z]+(?: last 30 days)?"/);
  });

  test('a line below a refusal makes the file', async () => {
    const refused = await privately(place, '/tis export NOPE', 'NOPE');
    const before = openIn(place).length;
    await place.slack.clicks('/tis export WEB last 30 days', { on: refused });
    const message = await until(() => openIn(place)[before]?.files?.[0] ?? null);
    expect(message.name).toMatch(/\.xlsx$/);
  });

  test('in a channel the app is not in, the file comes to the person with the way to invite the app', async () => {
    await place.slack.types('/tis export csv WEB-1', { in: 'quiet' });
    const message = await until(
      () => openIn(place, 'D0ADA').find(({ text }) => text.includes('/invite @Dwell')) ?? null,
    );
    expect(message.text).toContain("I sent it to you instead of <#C0QUIET>: I'm not in this channel.");
    expect(message.files).toHaveLength(1);
    expect(openIn(place, 'C0QUIET')).toEqual([]);
  });

  test('who has too many unfinished reads so, and nothing is posted', async () => {
    const before = openIn(place);
    await heldExports(dataDir, principalOf('U0BEN'), 10);
    await privately(place, '/tis export WEB', '10 of your exports are queued or running', 'ben');
    expect(openIn(place)).toEqual(before);
  });
});

describe('a file that takes a while', () => {
  const place = startedOnce(() => startDwellInSlack());

  test('has one private line with Stop, which comes too late once the file is made', async () => {
    const release = place.slack.faults.holdNext('files.getUploadURLExternal');
    const line = await place.slack.answerTo('/tis export WEB');
    expect(line).toMatchObject({
      onlyFor: 'U0ADA',
      text: expect.stringMatching(
        /^I'm preparing \*Status Duration of project WEB as XLSX\*\. I'll post it in <#C0GENERAL> when it's ready\./,
      ),
    });
    expect(openIn(place)).toEqual([]);
    await place.slack.clicks('Stop', { on: line });
    await until(() =>
      place.slack.messages().some(({ text }) => text === 'This export has already finished.'),
    );
    release();
    await until(() => openIn(place)[0]?.files?.length === 1);
  });
});

describe('export words', () => {
  test.each([
    ['csv WEB last 30 days', { format: 'csv', question: 'WEB last 30 days' }],
    ['WEB last 30 days csv', { format: 'csv', question: 'WEB last 30 days' }],
    ['WEB CSV last 30 days', { format: 'csv', question: 'WEB last 30 days' }],
    ['weekly WEB as xlsx to me', { format: 'xlsx', toMe: true, question: 'weekly WEB' }],
    ['WEB in Minutes by statusCount', { unit: 'minutes', question: 'WEB by statusCount' }],
    ['project csv', { question: 'project csv' }],
    ['xlsx csv', { format: 'xlsx', question: 'csv' }],
    ['jql labels = csv in days', { unit: 'days', question: 'jql labels = csv' }],
    [
      'jql summary ~ "xls in days to me" xls',
      { format: 'xls', question: 'jql summary ~ "xls in days to me"' },
    ],
    ['jql   summary ~ "a \t b"\nAND  x = 1  ', { question: 'jql   summary ~ "a \t b"\nAND  x = 1' }],
    ['', { question: '' }],
  ] as const)('%s', (line, read) => {
    expect(readExportWords(line)).toEqual({ format: null, unit: null, toMe: false, ...read });
  });

  test('what is in a literal of a query is what was typed, whatever it is', () => {
    const content = fc
      .string({ unit: 'grapheme', maxLength: 30 })
      .map((text) => text.replaceAll(/["“”„‟\\]/g, ''));
    const odd = fc.oneof(content, fc.constantFrom('don’t', 'a   b', 'x in days y', 'as csv', ' to me'));
    fc.assert(
      fc.property(odd, (inside) => {
        const query = `jql summary ~ "${inside}" AND status = “Done”`;
        expect(readExportWords(`csv ${query} in days`)).toEqual({
          ...{ format: 'csv', unit: 'days', toMe: false, question: query },
        });
      }),
    );
  });
});
