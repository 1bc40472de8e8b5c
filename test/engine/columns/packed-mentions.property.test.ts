import fc from 'fast-check';
import { expect, test } from '#jest';
import { IssueColumns } from '../../../src/engine/columns/issue-columns.ts';
import { rowContent } from '../../../src/engine/measure/own-cells.ts';
import type { Issue } from '../../../src/model/issue.ts';
import { createIssueTerms } from '../../../src/store/packed/issue-terms.ts';
import { createIssuePacker } from '../../../src/store/packed/pack-issue.ts';
import { PackedIssue } from '../../../src/store/packed/packed-issue.ts';
import { createIssueUnpacker } from '../../../src/store/packed/unpack-issue.ts';
import { anIssue as aStoryOf } from '../../support/issue-story.ts';
import { anOddIssue } from '../../support/odd-issue.ts';
import { runs } from '../../support/soak.ts';

const fewTexts = fc.constantFrom('Ada', 'Bob', 'Eve');
const fewValues = fc.record({ id: fewTexts, name: fewTexts });

/** What an issue mentions, of which others mention much. */
const aStory = fc.record({
  odd: anOddIssue,
  changes: fc.array(
    fc.record({
      ...{ field: fc.constantFrom('labels', 'status', 'Rank', 'x'), by: fc.option(fewTexts) },
      ...{ from: fc.option(fewValues), to: fc.option(fewValues) },
    }),
    { maxLength: 6 },
  ),
  labels: fc.array(fewValues, { maxLength: 3 }),
  isOdd: fc.boolean(),
});

const aPlace = { id: fc.integer({ min: 1, max: 8 }), level: fc.constantFrom(null, null, '7') };
const aStep = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('put' as const), ...aPlace, story: aStory }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('remove' as const), id: aPlace.id }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('begin' as const),
      field: fc.constantFrom('labels', 'Rank', 'x'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('confirm' as const), isWhole: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('compact' as const) }) },
);
type Step = typeof aStep extends fc.Arbitrary<infer One> ? One : never;

const keyOf = (id: number) => `WEB-${id}`;

function issueOf({ id, level, story }: Extract<Step, { kind: 'put' }>): Issue {
  const { odd, changes, labels, isOdd } = story;
  const more = changes.map((change, i) => ({ entry: `${i}`, item: 0, at: odd.created + i, ...change }));
  return {
    ...odd,
    key: keyOf(id),
    fields: {
      ...(isOdd ? odd.fields : {}),
      ...{ labels, security: level === null ? null : { id: level, name: level } },
    },
    changes: isOdd ? [...odd.changes, ...more] : more,
  };
}

/** What is known after some steps of issues as `seen` shows them. */
async function after(steps: readonly Step[], seen: (issue: Issue) => Issue) {
  let columns = new IssueColumns();
  const present = new Map<number, Issue>();
  const known: unknown[] = [];
  for (const step of steps) {
    if (step.kind === 'put') {
      const issue = seen(issueOf(step));
      columns.put(step.id, rowContent(issue));
      present.set(step.id, issue);
    } else if (step.kind === 'remove') {
      columns.remove(keyOf(step.id));
      present.delete(step.id);
    } else if (step.kind === 'begin') {
      columns.beginField(step.field);
      const ids = [...present.keys()];
      columns.fillField(
        step.field,
        ids.map((id) => columns.rowOfId(id)),
        ids.map((id) => present.get(id) ?? null),
      );
      columns.endField(step.field);
    } else if (step.kind === 'compact') columns = await columns.compacted(() => null);
    else {
      columns.doubts.seek();
      const ids = [...present.keys()].filter((id) => step.isWhole || id % 2 === 0);
      const rows = ids.map((id) => columns.rowOfId(id));
      columns.doubts.confirm(
        rows,
        ids.map((id) => present.get(id) ?? null),
      );
      if (step.isWhole) columns.doubts.forget();
    }
    const fields = ['labels', 'Rank', 'x', 'status'].filter((field) => columns.hasField(field));
    const former = fields.map((field) => {
      const { values, former: codes } = columns.field(field);
      return codes.map((one) => one?.entries().map(([code, by]) => [values.at(code), by]));
    });
    known.push(structuredClone({ classes: columns.classes.toJson(), former }));
  }
  return known.map((one) => sorted(one));
}

/** The same with lists in one order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => JSON.stringify(sorted(one))).sort();
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, sorted(one)]));
}

test('of issues that are packed the same mentions are known as of plain ones, whatever comes and goes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(aStep, { minLength: 10, maxLength: 40, size: 'max' }), async (steps) => {
      const terms = createIssueTerms();
      const [pack, unpacker] = [createIssuePacker(terms), createIssueUnpacker(terms)];
      const packed = (issue: Issue) => new PackedIssue(Uint8Array.from(pack(issue)), unpacker);
      expect(await after(steps, packed)).toEqual(await after(steps, (issue) => issue));
    }),
    { numRuns: runs(60) },
  );
});

test('that a field was changed stays known, though no change of it has a value and another issue leaves', () => {
  const { issue } = aStoryOf('WEB-1', '2026-03-02T09:00:00Z').moves('Done', '2026-03-03T09:00:00Z');
  const changes = issue.changes.map((change) => ({ ...change, field: 'resolution', from: null, to: null }));
  const stays = { ...issue, changes };
  const columns = new IssueColumns();
  columns.put(1, rowContent(stays));
  columns.put(2, rowContent(aStoryOf('WEB-2', '2026-03-02T09:00:00Z').issue));
  columns.remove('WEB-2');
  columns.doubts.seek();
  columns.doubts.confirm([columns.rowOfId(1)], [stays]);
  columns.doubts.forget();
  // Without any, what a field held in the past would be what it holds now.
  expect(columns.field('resolution').former[0]?.size).toBe(0);
});
