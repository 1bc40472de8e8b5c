import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '#jest';
import { emptySummary } from '../../../src/mirror/fill.ts';
import { fixture } from '../../support/fixture.ts';
import {
  adds,
  exportFile,
  jiraIssue,
  keepNewest,
  keepOldest,
  movesTo,
  searchResult,
} from '../../support/jira-export.ts';
import { runCommand } from '../../support/run-command.ts';
import { startDwell, type TestDwell } from '../../support/start-dwell.ts';
import { unusedCliParts } from '../../support/unused-cli-parts.ts';

const moved = (key: string) =>
  jiraIssue(key)
    .at('2026-03-03T09:00:00Z', movesTo('In Progress'))
    .at('2026-03-04T09:00:00Z', movesTo('Done'), adds('components', 'Web'));

let dwell: TestDwell;
const start = async () => {
  dwell = await startDwell();
};
const stop = () => dwell.stop();

/** What the issue's visits read like over REST. */
async function visitsOf(issueKey: string): Promise<string[]> {
  const { status, json } = await dwell.get('/rest/issue/expanded', { issueKey });
  if (status !== 200) return [`${status}`];
  return json.table.body.rows[0].expanded.rows.map(
    (visit: { statusName: string; start: string }) => `${visit.statusName} ${visit.start.slice(0, 10)}`,
  );
}

describe('import', () => {
  beforeEach(start);
  afterEach(stop);

  test('takes in issues of Cloud and Data Center, plain and gzipped, and sums up what came', async () => {
    const cloud = exportFile(searchResult(moved('DEMO-1').onCloud(), moved('DEMO-2').onCloud()));
    const server = exportFile([moved('DEMO-3').onDataCenter()], 'issues.json.gz');
    expect(await dwell.types('import', cloud, server)).toEqual({
      code: 0,
      lines: ['Issues           3', 'Changes          9', 'Cut histories    0', 'Rejected entries 0'],
    });
    for (const key of ['DEMO-1', 'DEMO-2', 'DEMO-3']) {
      expect(await visitsOf(key)).toEqual(['To Do 2026-03-02', 'In Progress 2026-03-03', 'Done 2026-03-04']);
    }
  });

  test('is safe to repeat, and says so', async () => {
    const file = exportFile(searchResult(moved('DEMO-1').onCloud(), moved('DEMO-2').onCloud()));
    await dwell.types('import', file);
    const before = await visitsOf('DEMO-1');
    expect((await dwell.types('import', file)).lines).toEqual([
      'Issues           2',
      'Changes          6',
      'Cut histories    0',
      'Unchanged        2',
      'Rejected entries 0',
    ]);
    expect(await visitsOf('DEMO-1')).toEqual(before);
  });

  test('takes a file that is given twice as a repetition', async () => {
    const file = exportFile([moved('DEMO-1').onCloud()]);
    expect((await dwell.types('import', file, file)).lines).toEqual([
      'Issues           1',
      'Changes          3',
      'Cut histories    0',
      'Rejected entries 0',
    ]);
  });

  test('names the issues whose history is cut, by reason', async () => {
    const file = exportFile([
      keepNewest(moved('DEMO-1').onCloud(), 1),
      keepOldest(moved('DEMO-2').onDataCenter(), 1),
      { ...moved('DEMO-3').onCloud(), changelog: null },
      moved('DEMO-4').onCloud(),
    ]);
    const { lines, code } = await dwell.types('import', file);
    expect(code).toBe(0);
    expect(lines.slice(2)).toEqual([
      'Cut histories    3',
      '  only 1 of 2 changelog entries were imported: DEMO-1, DEMO-2',
      '  the import carried no changelog for this issue: DEMO-3',
      'Rejected entries 0',
    ]);
  });

  test('names ten of many such issues', async () => {
    const bare = Array.from({ length: 12 }, (_, i) => ({
      ...moved(`DEMO-${i + 1}`).onCloud(),
      changelog: null,
    }));
    const { lines } = await dwell.types('import', exportFile(bare));
    expect(lines[3]).toMatch(/: DEMO-1, .*DEMO-10 and 2 more$/);
  });

  test('a history that two files make whole together is not cut', async () => {
    const [oldest, newest] = [keepOldest(moved('DEMO-1').onDataCenter(), 1), moved('DEMO-1').onDataCenter()];
    const files = [exportFile([oldest]), exportFile([newest])];
    expect((await dwell.types('import', ...files)).lines[2]).toBe('Cut histories    0');
    const again = await dwell.types('import', files[0] ?? '');
    expect(again.lines[2]).toBe('Cut histories    0');
    expect(await visitsOf('DEMO-1')).toHaveLength(3);
  });

  test('tells file, key and reason of what it rejects, files that cannot be read, takes the rest and exits with 1', async () => {
    const broken = { ...moved('DEMO-2').onCloud(), fields: { summary: 'no more than that' } };
    const file = exportFile([moved('DEMO-1').onCloud(), broken, null]);
    const missing = join(dirname(file), 'missing.json');
    const { lines, code } = await dwell.types('import', file, missing, dirname(file));
    expect(code).toBe(1);
    expect(lines).toEqual([
      'Issues           1',
      'Changes          3',
      'Cut histories    0',
      'Rejected entries 2',
      expect.stringMatching(/issues\.json {2}DEMO-2 {2}fields\.created is missing$/),
      expect.stringMatching(
        /issues\.json {2}\(no key\) {2}the entry at byte \d+ is not an issue: it is null$/,
      ),
      'Unreadable files 2',
      `  ${missing}  there is no such file`,
      `  ${dirname(file)}  this is a folder, not a file`,
    ]);
    expect(await visitsOf('DEMO-1')).toHaveLength(3);
    expect(await visitsOf('DEMO-2')).toEqual(['404']);
  });

  test('rejects what has the character NUL, which not every database stores, and takes the rest', async () => {
    const bent = (key: string, fields: object) => {
      const issue = moved(key).onCloud();
      return { ...issue, fields: { ...issue.fields, ...fields } };
    };
    const history = moved('DEMO-3').onCloud();
    const [item] = history.changelog?.histories[0]?.items ?? [];
    if (item !== undefined) item.from = '\0';
    const file = exportFile(
      searchResult(
        bent('DEMO-1', { summary: 'odd\0' }),
        bent('DEMO-2', { assignee: { accountId: 'a\0', displayName: 'Ada' } }),
        history,
        bent('DEMO-4', { labels: ['web', 'n\0'] }),
        { ...moved('DEMO-5\0').onCloud() },
        // Nothing is stored of what is not read.
        { ...moved('DEMO-6').onCloud(), renderedFields: { summary: '\0' } },
        bent('DEMO-7', { summary: 'written as \\u0000' }),
      ),
    );
    const people = exportFile([
      { accountId: 'eve', displayName: 'Eve\0' },
      { accountId: 'bea', displayName: 'Bea' },
    ]);
    const { code, lines } = await dwell.types('import', file, people);
    const rejected = lines
      .slice(lines.indexOf('Rejected entries 6') + 1)
      .map((line) => line.split('  ').slice(2));
    expect([code, lines[0]]).toEqual([1, 'Issues           2']);
    const nul = 'has the character NUL, which cannot be stored';
    expect(rejected).toEqual([
      ['DEMO-1', `fields.summary ${nul}`],
      ['DEMO-2', `fields.assignee.accountId ${nul}`],
      [
        'DEMO-3',
        expect.stringMatching(new RegExp(`^changelog\\.histories\\.\\d+\\.items\\.0\\.from ${nul}$`)),
      ],
      ['DEMO-4', `fields.labels.1 ${nul}`],
      ['(no key)', expect.stringMatching(new RegExp(`^the entry at byte \\d+: key ${nul}$`))],
      ['(no key)', expect.stringMatching(new RegExp(`^the entry at byte \\d+: displayName ${nul}$`))],
    ]);
    expect(await visitsOf('DEMO-6')).toHaveLength(3);
    expect(await visitsOf('DEMO-7')).toHaveLength(3);
    expect(await visitsOf('DEMO-1')).toEqual(['404']);
  });

  test('takes a list of statuses, by which later ones are told to be deleted', async () => {
    const issues = fixture('devlake-jira-cloud.issues.json');
    const { lines, code } = await dwell.types('import', issues, fixture('devlake-jira-cloud.statuses.json'));
    expect([code, lines[0], lines.at(-1)]).toEqual([0, 'Issues           7', 'Rejected entries 0']);
    expect(lines.filter((line) => line.startsWith('Statuses') || line.includes('elsewhere'))).toEqual([
      expect.stringMatching(/^Statuses {9}\d+$/),
    ]);
    const { json } = await dwell.get('/rest/issue', { issueKey: 'EE-5', columnsBy: 'statusDuration' });
    expect(json.table.body.rows).toHaveLength(1);
  });

  test('a second list deletes nothing of the first, and says where the two contradict each other', async () => {
    const list = (names: readonly string[]) =>
      names.map((name, i) => ({ id: String(10_000 + i), name, statusCategory: { key: 'new' } }));
    const first = exportFile(list(['To Do', 'Doing', 'Done', 'Gone', 'Same']), 'first.json');
    const second = exportFile(list(['Backlog', 'Work', 'Ready', 'Left', 'Same']), 'second.json.gz');
    const { lines } = await dwell.types('import', exportFile([moved('DEMO-1').onCloud()]), first, second);
    expect(lines.slice(3)).toEqual([
      'Statuses         5',
      "  10000 is 'To Do' here and 'Backlog' elsewhere, 10001 is 'Doing' here and 'Work' elsewhere, 10002 is 'Done' here and 'Ready' elsewhere, 10003 is 'Gone' here and 'Left' elsewhere: keep one DATA_DIR or DATABASE_URL per Jira site",
      '  in no list: In Progress, Done, To Do; if they still exist in Jira, export its list of statuses again',
      'Rejected entries 0',
    ]);
    await dwell.types('import', exportFile(list(['Elsewhere']), 'third.json'));
    const { json } = await dwell.get('/rest/statuses');
    const known: { id: string; deleted: boolean }[] = json;
    expect(known.filter(({ id, deleted }) => Number(id) >= 10_000 && deleted)).toEqual([]);
  });

  test('counts what it took beside the issues, and says nothing of what there was none of', async () => {
    const issue = moved('DEMO-1').onCloud();
    issue.fields.customfield_1 = [{ id: 5, name: 'Sprint 5', state: 'active' }];
    const files = [
      exportFile({ ...searchResult(issue), names: { summary: 'Summary', customfield_1: 'Sprint' } }),
      exportFile({ values: [{ id: '1', name: 'Mine', jql: 'project = DEMO', sharePermissions: [] }] }),
    ];
    expect(await dwell.types('import', ...files)).toEqual({
      code: 0,
      lines: [
        'Issues           1',
        'Changes          3',
        'Cut histories    0',
        'Sprints          1',
        'Saved filters    1',
        'Field names      2',
        'Rejected entries 0',
      ],
    });
    const user = { accountId: 'ada', displayName: 'Ada', groups: { items: [{ name: 'web' }] } };
    expect((await dwell.types('import', exportFile([user]))).lines.slice(3)).toEqual([
      'Groups           1',
      'Rejected entries 0',
    ]);
  });

  test('keeps rich text and the address of an issue', async () => {
    const content = [{ type: 'paragraph', content: [{ type: 'text', text: 'It is broken' }] }];
    const raw = moved('DEMO-1').onCloud();
    raw.fields.description = { type: 'doc', version: 1, content };
    await dwell.types(
      'import',
      exportFile([{ ...raw, self: 'https://dwell.example/rest/api/3/issue/20001' }]),
    );
    const { status, text } = await dwell.get('/rest/issue', {
      issueKey: 'DEMO-1',
      columnsBy: 'statusDuration',
      fields: 'description',
    });
    expect(status).toBe(200);
    expect(text).toContain('It is broken');
  });
});

describe('an import that takes nothing', () => {
  beforeAll(start);
  afterAll(stop);

  test('shows nothing of a file that could command the terminal', async () => {
    const file = exportFile([{ key: 'DEMO-1\u001b[2J\nDEMO-2' }]);
    const { lines } = await dwell.types('import', file);
    expect(lines[4]).toContain('  DEMO-1 [2J DEMO-2  ');
  });

  test('leaves the sample in its place', async () => {
    await dwell.types('import', exportFile('<html>'));
    expect((await dwell.get('/rest/statuses')).json.length).toBeGreaterThan(3);
    expect(await visitsOf('WEB-1')).not.toEqual(['404']);
  });

  test('exits with 1 when all that went wrong is a file', async () => {
    const missing = join(dirname(exportFile([])), 'missing.json');
    expect((await dwell.types('import', missing)).code).toBe(1);
  });

  test.each([
    [['import'], 'import needs at least one FILE, for example: import issues.json.gz.'],
    [['import', '--fast', 'a.json'], "Unknown option '--fast'. Try: import FILE…."],
  ])('%j is refused with what is allowed', async (args, detail) => {
    await expect(dwell.types(...args)).rejects.toMatchObject({ code: 'bad-request', details: [detail] });
  });
});

describe('the progress of an import', () => {
  test('names the file, how far it is read and its size, and is cleared at the end', async () => {
    const shown: string[] = [];
    await runCommand(['import', 'a.json'], {
      ...unusedCliParts,
      progress: (line) => shown.push(line),
      importFiles: async ([file = ''], onProgress) => {
        onProgress({ file, bytes: 1_000_000, size: 3_000_000 });
        onProgress({ file, bytes: 3_000_000, size: 3_000_000 });
        onProgress({ file: 'pipe', bytes: 65_536, size: 0 });
        return emptySummary();
      },
    });
    expect(shown).toEqual(['a.json: 33% of 3.0 MB', 'a.json: 100% of 3.0 MB', 'pipe: 0.1 MB', '']);
  });

  test('is cleared before a failure is told', async () => {
    const shown: string[] = [];
    const run = runCommand(['import', 'a.json'], {
      ...unusedCliParts,
      progress: (line) => shown.push(line),
      importFiles: () => Promise.reject(new Error('the disk is full')),
    });
    await expect(run).rejects.toThrow('the disk is full');
    expect(shown).toEqual(['']);
  });
});
