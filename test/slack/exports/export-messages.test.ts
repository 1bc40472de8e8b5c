import fc from 'fast-check';
import { describe, expect, test } from '#jest';
import { checkBlocks, checkView } from '../../../src/block-kit/check-blocks.ts';
import type { Message } from '../../../src/block-kit/message.ts';
import type { Provenance, Table } from '../../../src/model/table.ts';
import { reports } from '../../../src/reports/index.ts';
import { exportFormView } from '../../../src/slack/exports/export-form.ts';
import {
  exportEnded,
  exportProgress,
  exportResult,
  exportTitle,
  exportTitleText,
} from '../../../src/slack/exports/export-messages.ts';
import { aWish } from '../../support/an-export.ts';
import { anIssue } from '../../support/issue-story.ts';
import { smallWorld } from '../../support/small-world.ts';
import { runs } from '../../support/soak.ts';

const AT = '2026-03-18T12:00:00Z';
const long = 'x'.repeat(5_000);
const odd = ['🧑‍🚀'.repeat(60), 'مرحبا بالعالم '.repeat(40), '<!channel> & <@U1>', '', ' ', long, '`*_~'];
const anyName = fc.oneof(fc.constantFrom(...odd), fc.string({ unit: 'grapheme', maxLength: 200 }));
const reporting = { reportTypes: reports };

const sound = (message: Message) => {
  expect(checkBlocks(message.blocks, 'message')).toEqual([]);
  expect(message.text).not.toBe('');
  expect(message.text.length).toBeLessThanOrEqual(40_000);
  for (const shown of [message.text, ...mrkdwnIn(message.blocks)])
    expect(shown).not.toMatch(/<[!@#](?!date\^)/);
};

/** What Slack reads for marks; cells of tables are none of that. */
function mrkdwnIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(mrkdwnIn);
  if (typeof value !== 'object' || value === null) return [];
  if ('type' in value && value.type === 'mrkdwn' && 'text' in value) return [String(value.text)];
  return Object.values(value).flatMap(mrkdwnIn);
}

async function resultOf(
  count: number,
  {
    status = 'Doing',
    summary = 'Any issue',
    provenance = {},
    cutHistories = 0,
  }: {
    status?: string;
    summary?: string;
    provenance?: Partial<Provenance>;
    cutHistories?: number;
  } = {},
): Promise<Message> {
  const shown = Math.min(count, 10);
  const issues = Array.from({ length: shown }, (_, i) => {
    const { issue } = anIssue(`WEB-${i + 1}`, '2026-03-02T09:00:00Z').moves(status, '2026-03-03T09:00:00Z');
    return { ...issue, summary, fields: { ...issue.fields, summary } };
  });
  const table = await smallWorld(AT, issues).report(aWish().request);
  const wish = aWish({ selection: { by: 'project', project: 'WEB' } });
  return exportResult({
    words: exportTitle(wish, reporting),
    wish,
    userName: 'ada',
    issues: count,
    id: '12345678-aaaa',
    provenance: { ...table.provenance, ...provenance },
    table: { ...table, provenance: { ...table.provenance, cutHistories } },
  });
}

describe('the result', () => {
  test.each([
    [0, 'Run 12345678', []],
    [1, 'shown: all issues', [1]],
    [5, 'shown: all issues', [5]],
    [10_000, 'shown: the first 5 rows', [5]],
  ])('of %d issues is within the limits and tells what it shows', async (count, words, rows) => {
    const message = await resultOf(count);
    sound(message);
    expect(message.text).toContain(count === 1 ? '1 issue.' : `${count} issues.`);
    expect(message.text).toContain(words);
    expect(
      message.blocks.flatMap((block) => (block.type === 'table' ? [block.rows.length - 1] : [])),
    ).toEqual(rows);
  });

  test('tells how far it cannot be trusted', async () => {
    const message = await resultOf(312, {
      provenance: { complete: false, issues: 312, cutHistories: 5, undecided: 2 },
    });
    expect(message.text).toContain(
      'Not complete: 5 of 312 histories cut; 2 issues undecided, their history being cut.',
    );
    expect(JSON.stringify(message.blocks)).toContain(':warning: Not complete');
    expect(message.text).toContain('history not complete');
  });

  test('has a column for time of which nothing is known, also where the first issues have none', async () => {
    const unknown = async (cutHistories: number) => {
      const message = await resultOf(312, { cutHistories });
      const [table] = message.blocks.flatMap((block) => (block.type === 'table' ? [block.rows] : []));
      return table?.slice(0, 2).map((row) => row.at(-1));
    };
    expect(await unknown(5)).toEqual([
      { type: 'raw_text', text: 'Unknown' },
      { type: 'raw_text', text: '-' },
    ]);
    expect(await unknown(0)).not.toContainEqual({ type: 'raw_text', text: 'Unknown' });
  });

  test('says so when that could not be told', async () => {
    const wish = aWish();
    const message = exportResult({
      ...{
        words: exportTitle(wish, reporting),
        wish,
        userName: 'ada',
        issues: 3,
        id: '12345678',
        table: null,
      },
      provenance: null,
    });
    sound(message);
    expect(message.text).toContain('could not be told');
  });

  test('shows eight columns at most, and says that there are more', async () => {
    const statuses = Array.from({ length: 20 }, (_, i) => `Status ${i}`);
    const story = statuses.reduce(
      (told, status, i) => told.moves(status, `2026-03-04T09:00:${String(i + 10)}Z`),
      anIssue('WEB-1', '2026-03-02T09:00:00Z'),
    );
    const table: Table = await smallWorld(AT, [story.issue]).report(aWish().request);
    const wish = aWish();
    const message = exportResult({
      ...{ words: exportTitle(wish, reporting), wish, userName: 'ada', issues: 1, id: '1', table },
      provenance: table.provenance,
    });
    sound(message);
    expect(message.text).toContain('shown: all issues, 6 of 21 columns');
    expect(JSON.stringify(message.blocks)).toContain('<0.01');
  });
});

test('whatever things are called, messages stay within the limits and wake nobody', async () => {
  await fc.assert(
    fc.asyncProperty(anyName, anyName, anyName, async (status, summary, userName) => {
      sound(await resultOf(10, { status: status.trim() || 'Doing', summary }));
      const wish = exportTitleText(exportTitle(aWish({ selection: { by: 'jql', jql: summary } }), reporting));
      sound(exportProgress({ wish, user: 'U1', userName, completed: 3, total: 10 }));
      sound(exportEnded({ wish, userName, sentences: [summary], fileOf: null }));
    }),
    { numRuns: runs(40) },
  );
});

test.each([
  [0, 0, '0 of 0 issues', '0 %'],
  [0, 1, '0 of 1 issue', '0 %'],
  [9_999, 10_000, '9999 of 10000 issues', '>99 %'],
  [10_000, 10_000, '10000 of 10000 issues', '100 %'],
])('progress of %d of %d', (completed, total, words, percent) => {
  const message = exportProgress({ wish: 'a wish', user: 'U1', userName: 'ada', completed, total });
  sound(message);
  expect(message.text).toContain(words);
  expect(JSON.stringify(message.blocks)).toContain(percent);
});

test('the modal is within the limits of Slack, whatever the report types', () => {
  const many = Array.from({ length: 150 }, (_, i) => ({ id: `r${i}`, title: long, shape: 'issue' as const }));
  for (const types of [reports, many]) {
    expect(checkView(exportFormView({ key: 'WEB-1', channel: 'C1', threadTs: null }, types))).toEqual([]);
    for (const weeklyAddress of [null, 'https://dwell.example/?a=1&b=2', long]) {
      const list = { run: 'r', issues: odd.join(), reportType: 'r149', weeklyAddress };
      expect(checkView(exportFormView({ ...list, channel: 'C1', threadTs: null }, types))).toEqual([]);
    }
  }
});

test('an address too long for the modal is told by what to ask, never cut', () => {
  const list = { run: 'r', issues: '2 issues', reportType: 'statusCount', weeklyAddress: long };
  const view = JSON.stringify(exportFormView({ ...list, channel: 'C1', threadTs: null }, reports));
  expect(view).not.toContain('xxxx');
  expect(view).toContain('`/rest/issues/weekly` with `outputType=csv`');
});
