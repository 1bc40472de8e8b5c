import { millisecondsInMinute } from 'date-fns/constants';
import fc from 'fast-check';
import { expect, test } from '#jest';
import { chunksOf } from '../../src/issues/issue-chunks.ts';
import { changeChunks, compareByCreation } from '../../src/mirror/remember-issues.ts';
import type { Issue } from '../../src/model/issue.ts';
import { anIssue } from '../support/issue-story.ts';
import { runs } from '../support/soak.ts';

const START = Date.parse('2026-03-02T09:00:00Z');
const template = anIssue('DEMO-1', '2026-03-02T09:00:00Z').issue;
const born = (number: number, minute: number): Issue => ({
  ...template,
  key: `DEMO-${number}`,
  created: START + minute * millisecondsInMinute,
});
const byKey = (issues: readonly Issue[]) => new Map(issues.map((issue) => [issue.key, issue]));
const MANY = 9_000;
const all = Array.from({ length: MANY }, (_, i) => born(i, (i * 7_919) % MANY));

const aChange = fc.record({
  number: fc.nat(MANY + 50),
  minute: fc.integer({ min: -20, max: MANY + 20 }),
  stays: fc.boolean(),
});

test('whatever changes, all are there once and in order, and older arrays are as they were', async () => {
  const first = (await changeChunks([], new Set(), byKey(all))).issues;
  const before = [...first];
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.oneof(fc.array(aChange, { maxLength: 30 }), fc.array(aChange, { minLength: 500, maxLength: 700 })),
        {
          maxLength: 4,
        },
      ),
      async (rounds) => {
        let issues = first;
        const expected = byKey(all);
        for (const round of rounds) {
          const changed = new Map<string, Issue>();
          const removed = new Set<string>();
          for (const { number, minute, stays } of round) {
            const issue = born(number, minute);
            if (stays) changed.set(issue.key, issue);
            else {
              changed.delete(issue.key);
              removed.add(issue.key);
            }
          }
          const dropped = [...removed, ...changed.keys()].flatMap((key) => expected.get(key) ?? []);
          for (const key of removed) expected.delete(key);
          for (const [key, issue] of changed) expected.set(key, issue);
          const told = await changeChunks(issues, removed, changed);
          issues = told.issues;
          expect(new Set(told.dropped)).toEqual(new Set(dropped));
        }
        expect(issues).toEqual([...expected.values()].sort(compareByCreation));
        expect(chunksOf(issues).flat()).toEqual([...issues]);
      },
    ),
    { numRuns: runs(15) },
  );
  expect(first).toEqual(before);
});

test('chunks in which nothing has changed are the very same', async () => {
  const first = (await changeChunks([], new Set(), byKey(all))).issues;
  const changed = born(4_000, 1);
  const { issues } = await changeChunks(first, new Set(['DEMO-17']), new Map([[changed.key, changed]]));
  const before = new Set(chunksOf(first));
  const same = chunksOf(issues).filter((chunk) => before.has(chunk));
  expect(before.size).toBeGreaterThan(3);
  expect(same.length).toBeGreaterThanOrEqual(before.size - 3);
});
