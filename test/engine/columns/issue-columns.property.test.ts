import fc from 'fast-check';
import { expect, test } from '#jest';
import {
  type ColumnArrays,
  historyFlag,
  rowFlag,
  STATUS_CODE,
  stretchFlag,
} from '../../../src/engine/columns/column-arrays.ts';
import { IssueColumns } from '../../../src/engine/columns/issue-columns.ts';
import { ABSENT } from '../../../src/engine/columns/value-codes.ts';
import { rowContent } from '../../../src/engine/measure/own-cells.ts';
import { timeline, type Visit } from '../../../src/engine/visits/timeline.ts';
import type { Issue } from '../../../src/model/issue.ts';
import { aCutStory, anyIssue } from '../../support/arbitrary-issue.ts';
import { anIssue as aStory } from '../../support/issue-story.ts';
import { runs } from '../../support/soak.ts';

const anIssue = fc.oneof(
  anyIssue,
  aCutStory.map(({ cut }) => cut),
  aCutStory.map(({ truth }) => truth),
);

/** An issue comes or changes under an id of the store, or the issue with a key goes. */
const aStep = fc.oneof(
  fc.record({
    kind: fc.constant('put' as const),
    id: fc.integer({ min: 1, max: 90 }),
    key: fc.oneof(
      fc.integer({ min: 1, max: 60 }).map((number) => `WEB-${number}`),
      fc.constantFrom('web-1', 'ODD', 'WEB-007', 'OPS-4294967295', 'OPS-1'),
    ),
    issue: anIssue,
  }),
  fc.record({
    kind: fc.constant('remove' as const),
    key: fc.integer({ min: 1, max: 60 }).map((number) => `WEB-${number}`),
  }),
);

type Step = typeof aStep extends fc.Arbitrary<infer One> ? One : never;

interface PresentIssue {
  readonly id: number;
  readonly issue: Issue;
}

/** What a map of issues would keep after the same steps. */
function follow(
  columns: IssueColumns,
  steps: readonly Step[],
  before: ReadonlyMap<string, PresentIssue> = new Map(),
): Map<string, PresentIssue> {
  const present = new Map(before);
  for (const step of steps) {
    if (step.kind === 'remove') {
      expect(columns.remove(step.key)).toBe(present.delete(step.key));
      continue;
    }
    const { id, key } = step;
    for (const [other, one] of present) if (one.id === id) present.delete(other);
    const issue = { ...step.issue, key };
    present.set(key, { id, issue });
    columns.put(id, rowContent(issue));
  }
  return present;
}

function expectSame(columns: IssueColumns, present: ReadonlyMap<string, PresentIssue>): void {
  const arrays = columns.arrays();
  expect(columns.size).toBe(present.size);
  const rows = [...columns.rowsByCreation()];
  expect(rows.map((row) => columns.keyOf(row)).sort()).toEqual([...present.keys()].sort());
  const created = rows.map((row) => arrays.created[row]);
  expect(created).toEqual(created.toSorted((a = 0, b = 0) => a - b));
  for (const [key, { id, issue }] of present) {
    const row = columns.rowOf(key);
    expect(columns.rowOfId(id)).toBe(row);
    expect(arrays.storeId[row]).toBe(id);
    expect(((arrays.flags[row] ?? 0) & rowFlag.cut) !== 0).toBe(!issue.history.complete);
    const visits = timeline(issue, 'status', 8.64e15).visits;
    const at = arrays.statusAt[row] ?? 0;
    expect(arrays.statusCount[row]).toBe(visits.length);
    for (const [i, { start, value, known }] of visits.entries()) {
      const code = (arrays.visitStatus[at + i] ?? 0) & STATUS_CODE;
      expect(arrays.visitStart[at + i]).toBe(start);
      expect(code === ABSENT).toBe(!known);
      if (known) expect(columns.values('status').at(code)).toEqual(value);
    }
    const spans = timeline(issue, 'assignee', 8.64e15).visits;
    expect(stretchesOf(arrays, row)).toEqual(overlapsOf(visits, spans));
    expect(columns.values('status').at(arrays.fields.status?.[row] ?? 0)).toEqual(issue.fields.status);
    expect(columns.classes.all[arrays.accessClass[row] ?? 0]?.projectKey).toBe(
      key.slice(0, key.lastIndexOf('-')),
    );
  }
  const counts = columns.classes.all.reduce((sum, { issues }) => sum + issues, 0);
  expect(counts).toBe(present.size);
}

/** Fields whose histories are kept: of statuses the authors of changes alone. */
const histories = ['status', 'other'];

/** Columns that keep histories from their first row on. */
function withHistories(): IssueColumns {
  const columns = new IssueColumns();
  for (const field of histories) {
    columns.beginHistory(field);
    columns.endHistory(field);
  }
  return columns;
}

function expectHistories(columns: IssueColumns, present: ReadonlyMap<string, PresentIssue>): void {
  for (const field of histories) {
    const { values, authors } = columns.histories.find(field) ?? {};
    const arrays = columns.arrays().histories[field];
    for (const [key, { issue }] of present) {
      const row = columns.rowOf(key);
      const { visits } = timeline(issue, field, 8.64e15);
      const at = arrays?.at[row] ?? 0;
      const isHeld = ((arrays?.flags[row] ?? 0) & historyFlag.needsIssue) === 0;
      expect(isHeld || !issue.history.complete || hasTwins(visits)).toBe(true);
      if (!isHeld) continue;
      expect(arrays?.count[row]).toBe(visits.length);
      for (const [i, { start, value, by }] of visits.entries()) {
        expect(authors?.at(arrays?.authors[at + i] ?? 0)).toEqual(i === 0 ? undefined : by);
        if (field === 'status') continue;
        expect([arrays?.starts[at + i], values?.at(arrays?.codes[at + i] ?? 0)]).toEqual([start, value]);
      }
    }
  }
}

/** Whether two visits to one value begin at one instant. */
function hasTwins(visits: readonly Visit[]): boolean {
  const seen = visits.map(({ start, value }) => `${start} ${value?.id}`);
  return new Set(seen).size < seen.length;
}

/** The stretches of a row: which visit and span they are of, and whether the two meet for the first time; null: they are not told apart. */
function stretchesOf(arrays: ColumnArrays, row: number) {
  let at = (arrays.statusAt[row] ?? 0) + (arrays.assigneeAt[row] ?? 0);
  let [visit, span] = [0, 0];
  const stretches = [];
  for (; ; at += 1) {
    const flags = arrays.stretches[at] ?? 0;
    if (flags === 0 && stretches.length === 0) return null;
    stretches.push({ visit, span, isFirst: (flags & stretchFlag.first) !== 0 });
    if ((flags & stretchFlag.visit) !== 0) visit += 1;
    if ((flags & stretchFlag.span) !== 0) span += 1;
    if ((flags & (stretchFlag.visit | stretchFlag.span)) === 0) return stretches;
  }
}

function overlapsOf(visits: readonly Visit[], spans: readonly Visit[]) {
  const hasMoments = [...visits, ...spans].some(({ start, end }) => start === end);
  if (hasMoments || visits[0]?.start !== spans[0]?.start) return null;
  const met = new Set<string>();
  const starts = new Set([...visits, ...spans].map(({ start }) => start));
  return [...starts]
    .toSorted((a, b) => a - b)
    .map((start) => {
      const [visit, span] = [visits, spans].map((some) => some.findLastIndex((one) => one.start <= start));
      const pair = [visits[visit ?? 0], spans[span ?? 0]]
        .map((one) => JSON.stringify([one?.known, one?.value]))
        .join();
      const isFirst = !met.has(pair);
      met.add(pair);
      return { visit, span, isFirst };
    });
}

test('columns hold what was put last, whatever came, changed, moved and went before', () => {
  fc.assert(
    fc.property(fc.array(aStep, { maxLength: 120 }), (steps) => {
      const columns = withHistories();
      const present = follow(columns, steps);
      expectSame(columns, present);
      expectHistories(columns, present);
    }),
    { numRuns: runs(100) },
  );
});

test('a snapshot gives the same columns, which go on changing', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(aStep, { maxLength: 60 }),
      fc.array(aStep, { maxLength: 30 }),
      async (before, after) => {
        const columns = withHistories();
        follow(columns, before);
        columns.revision = 7;
        const { facts, arrays } = columns.toSnapshot();
        const bytes = arrays.map((array) => Uint8Array.from(array));
        const read = await IssueColumns.fromSnapshot(JSON.parse(JSON.stringify(facts)), async (empty) => {
          for (const [i, array] of empty.entries()) array.set(bytes[i] ?? []);
        });
        expect(read.revision).toBe(7);
        for (const step of after) {
          if (step.kind === 'remove') expect(read.remove(step.key)).toBe(columns.remove(step.key));
          else {
            const content = rowContent({ ...step.issue, key: step.key });
            expect(read.put(step.id, content)).toBe(columns.put(step.id, content));
          }
        }
        expect([...read.rowsByCreation()].map((row) => read.keyOf(row))).toEqual(
          [...columns.rowsByCreation()].map((row) => columns.keyOf(row)),
        );
        expect(read.toSnapshot()).toEqual(columns.toSnapshot());
      },
    ),
    { numRuns: runs(60) },
  );
});

test('compacted columns hold the same under the same codes, by creation, and go on changing', async () => {
  const noRest = () => null;
  await fc.assert(
    fc.asyncProperty(
      fc.array(aStep, { maxLength: 80 }),
      fc.array(aStep, { maxLength: 30 }),
      async (before, after) => {
        const columns = withHistories();
        const present = follow(columns, before);
        columns.beginField('summary');
        const rows = [...columns.rowsByCreation()];
        const issues = rows.map((row) => present.get(columns.keyOf(row))?.issue ?? null);
        columns.fillField('summary', rows, issues);
        columns.endField('summary');
        const compact = await columns.compacted(noRest);
        expect(compact.version).not.toBe(columns.version);
        expectSame(compact, present);
        expect(compact.waste).toBe(0);
        expect([...compact.rowsByCreation()]).toEqual(rows.map((_, i) => i));
        const contentsOf = (which: IssueColumns) => {
          const { codes, values } = which.field('summary');
          return [...which.rowsByCreation()].map((row) => values.at(codes[row] ?? 0));
        };
        expect(contentsOf(compact)).toEqual(contentsOf(columns));
        expectHistories(compact, present);
        const keptAfter = follow(compact, after, present);
        expectSame(compact, keptAfter);
        expectHistories(compact, keptAfter);
      },
    ),
    { numRuns: runs(40) },
  );
});

test('rows are in order however many came out of it', async () => {
  const columns = new IssueColumns();
  const { issue } = aStory('WEB-1', '2026-03-02T09:00:00Z');
  for (let i = 0; i < 12_000; i += 1) {
    const created = issue.created + ((i * 7919) % 5000);
    columns.put(i + 1, rowContent({ ...issue, key: `WEB-${i + 1}`, created, changes: [] }));
  }
  await columns.prepareOrder(() => null);
  const { created, number } = columns.arrays();
  const rows = [...columns.rowsByCreation()];
  const expected = rows.toSorted(
    (a, b) => (created[a] ?? 0) - (created[b] ?? 0) || (number[a] ?? 0) - (number[b] ?? 0),
  );
  expect(rows).toEqual(expected);
  expect(new Set(rows).size).toBe(12_000);
});

/** Issues with a level or none, which hold other lists and fields each time they are put. */
const aTellingStep = fc.tuple(
  aStep,
  fc.constantFrom(null, null, '7'),
  fc.subarray(['a', 'b', 'c']),
  fc.constantFrom('x', 'y'),
);

/** What is known of each class with issues. */
function mentioned(columns: IssueColumns) {
  const { former, values } = columns.field('status');
  return columns.classes.all.flatMap((one, code) => {
    if (one.issues === 0) return [];
    const contents = [...(former[code] ?? [])].map((status) => values.at(status));
    const known = [one.fields, one.changed, one.authors, one.listed, one.projects, contents];
    return [
      [
        one.projectKey,
        one.level,
        ...known.map((some) => [...some].map((thing) => JSON.stringify(thing)).sort()),
      ],
    ];
  });
}

test('once issues have left a class, nothing is known of it but what the others mention', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(aTellingStep, { maxLength: 40 }), fc.nat(40), async (steps, from) => {
      const columns = new IssueColumns();
      let present = new Map<string, PresentIssue>();
      const issueOf = (row: number) => present.get(columns.keyOf(row))?.issue ?? null;
      const telling = steps.map(([step, level, labels, field]): Step => {
        if (step.kind === 'remove') return step;
        const { fields, ...issue } = step.issue;
        const security = level === null ? null : { id: level, name: level };
        const listed = labels.map((id) => ({ id, name: id }));
        return { ...step, issue: { ...issue, fields: { ...fields, security, listed, [field]: 1 } } };
      });
      present = follow(columns, telling.slice(0, from));
      // The looking is begun, and what comes meanwhile is noted.
      columns.doubts.seek();
      columns.doubts.confirm([], []);
      present = follow(columns, telling.slice(from), present);
      const { facts } = columns.toSnapshot();
      const read = await IssueColumns.fromSnapshot(JSON.parse(JSON.stringify(facts)), async (arrays) => {
        for (const [i, array] of arrays.entries()) array.set(columns.toSnapshot().arrays[i] ?? []);
      });
      for (const which of [columns, read]) {
        // Somebody leaves each class.
        for (const [own, { issue }] of [...present.values()].entries()) {
          const key = `${issue.key.slice(0, issue.key.lastIndexOf('-'))}-${own + 10_000}`;
          which.put(own + 1000, rowContent({ ...issue, key }));
          which.remove(key);
        }
        which.doubts.seek();
        const rows = which.rowsByCreation();
        which.doubts.confirm(rows, Array.from(rows, issueOf));
        which.doubts.forget();
        const fresh = new IssueColumns();
        for (const { id, issue } of present.values()) fresh.put(id, rowContent(issue));
        const inOrder = (some: ReturnType<typeof mentioned>) => some.map((one) => JSON.stringify(one)).sort();
        expect(inOrder(mentioned(which))).toEqual(inOrder(mentioned(fresh)));
        expect(which.doubts.isAny).toBe(false);
      }
    }),
    { numRuns: runs(60) },
  );
});
