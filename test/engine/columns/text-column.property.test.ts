import fc from 'fast-check';
import { expect, test } from '#jest';
import { IssueColumns } from '../../../src/engine/columns/issue-columns.ts';
import { compareTextKeys, createTextReader } from '../../../src/engine/columns/text-column.ts';
import { rowContent } from '../../../src/engine/measure/own-cells.ts';
import type { FieldContent, Issue } from '../../../src/model/issue.ts';
import { anIssue } from '../../support/issue-story.ts';
import { runs } from '../../support/soak.ts';

const { issue: story } = anIssue('WEB-1', '2026-03-02T09:00:00Z');

const aText = fc.oneof(
  fc.string({ maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.constantFrom('Über', 'über', 'ÜBER', 'Σίσυφος', 'ΣΊΣΥΦΟΣ', 'a', 'A', 'a\u0000', 'ı', 'İ'),
  // More than a chunk takes at first, and as much as the largest.
  fc.constantFrom('long '.repeat(2_000), 'długo '.repeat(1_000)),
);

const aContent: fc.Arbitrary<FieldContent | undefined> = fc.oneof(
  { weight: 5, arbitrary: aText },
  fc.constantFrom(undefined, null, '', 7, { id: '1', name: 'One' }, []),
);

const aStep = fc.record({
  number: fc.integer({ min: 1, max: 12 }),
  isGone: fc.boolean(),
  summary: aText,
  content: aContent,
});

type Step = typeof aStep extends fc.Arbitrary<infer One> ? One : never;

function issueOf({ number, summary, content }: Step): Issue {
  const { summary: _, ...fields } = story.fields;
  const own = content === undefined ? fields : { ...fields, summary: content };
  return { ...story, key: `WEB-${number}`, summary, fields: own };
}

/** What a reader is to tell of an issue. */
function textOf({ summary, fields }: Issue): string | null | undefined {
  const content = Object.hasOwn(fields, 'summary') ? fields.summary : summary;
  if (content === null || content === '' || (Array.isArray(content) && content.length === 0)) return null;
  return typeof content === 'string' ? content : undefined;
}

function follow(columns: IssueColumns, present: Map<string, Issue>, steps: readonly Step[]): void {
  for (const step of steps) {
    const issue = issueOf(step);
    if (step.isGone) {
      columns.remove(issue.key);
      present.delete(issue.key);
    } else {
      columns.put(step.number, rowContent(issue));
      present.set(issue.key, issue);
    }
  }
}

function expectTexts(columns: IssueColumns, present: ReadonlyMap<string, Issue>): void {
  const texts = columns.arrays().texts.summary;
  if (texts === undefined) throw new Error('No texts are held.');
  const reader = createTextReader(texts);
  const known = [...present].map(([key, issue]) => ({ row: columns.rowOf(key), text: textOf(issue) }));
  for (const { row, text } of known) expect(reader.textAt(row)).toBe(text);
  const stored = known.flatMap(({ row, text }) =>
    text === undefined ? [] : [{ row, key: text?.toLowerCase() ?? null }],
  );
  for (const one of stored) {
    for (const other of stored) {
      const expected = compareTextKeys(one.key, other.key);
      expect(Math.sign(reader.compareRows(one.row, other.row))).toBe(expected);
    }
  }
}

test('texts are those of the issues, whatever came, changed and went before and after they were held', async () => {
  const someSteps = fc.array(aStep, { maxLength: 25 });
  await fc.assert(
    fc.asyncProperty(someSteps, someSteps, someSteps, async (before, meanwhile, after) => {
      const columns = new IssueColumns();
      const present = new Map<string, Issue>();
      follow(columns, present, before);
      columns.beginTexts('summary');
      expect(columns.hasTexts('summary')).toBe(false);
      follow(columns, present, meanwhile);
      const rows = columns.rowsByCreation();
      const issues = Array.from(rows, (row) => present.get(columns.keyOf(row)) ?? null);
      columns.fillTexts('summary', rows, issues);
      columns.endTexts('summary');
      expectTexts(columns, present);
      follow(columns, present, after);
      expectTexts(columns, present);
      const compact = await columns.compacted(() => null);
      expectTexts(compact, present);
      follow(compact, present, before);
      expectTexts(compact, present);
    }),
    { numRuns: runs(60) },
  );
});

test('texts that change again and again are forgotten rather than kept, and can be held again', () => {
  const columns = new IssueColumns();
  const step: Step = { number: 1, isGone: false, summary: '', content: 'x' };
  columns.put(1, rowContent(issueOf(step)));
  columns.beginTexts('summary');
  columns.endTexts('summary');
  for (let i = 1; columns.hasTexts('summary') && i < 40; i += 1) {
    columns.put(1, rowContent(issueOf({ ...step, content: 'x'.repeat(i * 50_000) })));
  }
  expect(columns.hasTexts('summary')).toBe(false);
  columns.beginTexts('summary');
  columns.fillTexts('summary', [0], [issueOf(step)]);
  columns.endTexts('summary');
  expectTexts(columns, new Map([['WEB-1', issueOf(step)]]));
});
