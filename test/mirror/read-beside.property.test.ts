import { setTimeout } from 'node:timers/promises';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from '#jest';
import { createTextReader } from '../../src/engine/columns/text-column.ts';
import {
  type BesideParts,
  besideParts,
  type FieldTask,
  readFieldParts,
} from '../../src/mirror/field-thread.ts';
import { type IssueTable, tableOf } from '../../src/mirror/issue-table.ts';
import { createStoreTable, type StoreTable } from '../../src/mirror/store-table.ts';
import type { Issue } from '../../src/model/issue.ts';
import type { IssueStore } from '../../src/store/store.ts';
import { anyIssue } from '../support/arbitrary-issue.ts';
import { anIssue } from '../support/issue-story.ts';
import { openTestStore, type TestStore } from '../support/open-test-store.ts';
import { runs } from '../support/soak.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { putInto, visitsIn } from './tables.ts';

let store: TestStore;
let stored: IssueStore;
const opened: StoreTable[] = [];
beforeEach(openStore);
afterEach(closeStore);

async function openStore() {
  store = await openTestStore(temporaryFolder());
  stored = store.issues('file');
}

async function closeStore() {
  await Promise.all(opened.splice(0).map((table) => table.close()));
  store.close();
}

const put = (issues: readonly Issue[]) => putInto(stored, issues);

/** A table of the store that reads fields as `beside` says; `problems` are what went wrong behind it. */
function open(beside: BesideParts) {
  const onProblem = (error: unknown) => {
    throw error;
  };
  const table = createStoreTable({ store: stored, snapshot: null, now: () => 0, onProblem, beside });
  opened.push(table);
  return table;
}

/** Reads in this thread what another one would read, and lets `meanwhile` run before it is handed over. */
const inThisThread = (meanwhile: () => Promise<unknown>): BesideParts => ({
  minIssues: 0,
  start: (task: FieldTask) => ({
    parts: readFieldParts(task).then(async (parts) => {
      await meanwhile();
      return parts;
    }),
    end: async () => {},
  }),
});

const wanted = [
  ['labels', 'codes'],
  ['status', 'history'],
  ['priority', 'history'],
  ['summary', 'texts'],
] as const;

/** The wanted fields in columns and the mentions of the classes of their issues, by key. */
async function fieldsIn({ columns, hold }: IssueTable) {
  await Promise.all(wanted.map(([field, as]) => hold(field, as)));
  const { histories, texts, fields, accessClass } = columns.arrays();
  const rows = [...columns.rowsByCreation()].sort((a, b) => (columns.keyOf(a) < columns.keyOf(b) ? -1 : 1));
  const formerOf = (field: string, row: number) => {
    const { values, former } = columns.field(field);
    const codes = [...(former[accessClass[row] ?? 0] ?? [])];
    return codes.map((code) => JSON.stringify(values.at(code))).sort();
  };
  const visitsOf = (field: string, row: number) => [
    histories[field]?.flags[row],
    visitsIn(columns, field, row),
  ];
  return rows.map((row) => ({
    key: columns.keyOf(row),
    labels: columns.values('labels').at(fields.labels?.[row] ?? 0),
    summary: texts.summary === undefined ? null : createTextReader(texts.summary).textAt(row),
    former: [formerOf('labels', row), formerOf('priority', row)],
    visits: [visitsOf('status', row), visitsOf('priority', row)],
  }));
}

const aValue = fc
  .constantFrom('1', '2', '3', null)
  .map((id) => (id === null ? null : { id, name: `Value ${id}` }));

/** Issues with odd histories of several fields, in a few classes. */
const someIssues = fc
  .array(
    fc.record({
      issue: anyIssue,
      project: fc.constantFrom('WEB', 'OPS'),
      level: fc.constantFrom(null, null, '7'),
      changed: fc.constantFrom('priority', 'labels', 'assignee'),
      labels: fc.array(aValue, { maxLength: 3 }),
      priority: aValue,
      summary: fc.constantFrom('one', 'two', 'drei – vier', ''),
    }),
    { minLength: 2, maxLength: 25 },
  )
  .map((all) =>
    all.map(
      ({ issue, project, level, changed, labels, priority, summary }, i): Issue => ({
        ...issue,
        key: `${project}-${i}`,
        summary,
        changes: issue.changes.map((change) =>
          change.field === 'assignee' ? { ...change, field: changed } : change,
        ),
        fields: {
          ...issue.fields,
          ...{ summary, priority, labels: labels.filter((one) => one !== null) },
          security: level === null ? null : { id: level, name: level },
        },
      }),
    ),
  );

test('fields that two threads read are those of the issues, whatever changes meanwhile', async () => {
  await fc.assert(
    fc.asyncProperty(someIssues, someIssues, fc.boolean(), async (before, after, isLooked) => {
      await closeStore();
      await openStore();
      await put(before);
      const later = after.slice(0, after.length / 2);
      const { table } = open(
        inThisThread(async () => {
          await put(later);
          if (isLooked) await table();
        }),
      );
      await fieldsIn(await table());
      const all = new Map([...before, ...later].map((issue) => [issue.key, issue]));
      const found = await fieldsIn(await table());
      const expected = await fieldsIn(tableOf([...all.values()]));
      expect(found.map(({ former, ...rest }) => rest)).toEqual(expected.map(({ former, ...rest }) => rest));
      // What an issue mentioned before it changed may be known until another one leaves its class.
      const once = before.map((issue) => ({ ...issue, key: `${issue.key}000` }));
      const most = await fieldsIn(tableOf([...all.values(), ...once]));
      for (const { key, former } of found) {
        const [least, all] = [expected, most].map((some) => some.find((one) => one.key === key)?.former);
        for (const [i, known] of former.entries()) {
          expect(known).toEqual(expect.arrayContaining(least?.[i] ?? []));
          expect(all?.[i]).toEqual(expect.arrayContaining(known));
        }
      }
    }),
    { numRuns: runs(150) },
  );
});

const many = (count: number) =>
  Array.from(
    { length: count },
    (_, i) =>
      anIssue(`DEMO-${i}`, '2026-03-02T09:00:00Z').moves('Done', '2026-03-05T09:00:00Z', { by: 'ada' }).issue,
  );

test('another thread reads wanted fields', async () => {
  await put(many(50));
  let isRead = false;
  const start = (task: FieldTask) => {
    const reading = besideParts.start(task);
    void reading.parts.then((parts) => {
      isRead = parts !== null;
    });
    return reading;
  };
  const { table } = open({ minIssues: 0, start });
  expect(await fieldsIn(await table())).toEqual(await fieldsIn(tableOf(many(50))));
  expect(isRead).toBe(true);
});

test('that a field was changed is known though no change of it has a value', async () => {
  const { issue } = anIssue('DEMO-1', '2026-03-02T09:00:00Z').moves('Done', '2026-03-05T09:00:00Z');
  const changes = issue.changes.map((change) => ({ ...change, field: 'labels', from: null, to: null }));
  await put([...many(9), { ...issue, key: 'LAST-1', changes }]);
  const { table } = open(inThisThread(async () => {}));
  const { columns, hold } = await table();
  await hold('labels');
  const accessClass = columns.arrays().accessClass[columns.rowOf('LAST-1')] ?? 0;
  // Without any, what a field held in the past would be what it holds now.
  expect(columns.field('labels').former[accessClass]?.size).toBe(0);
});

test('a thread that fails has its issues read by the one that answers', async () => {
  await put(many(50));
  const start = (task: FieldTask) =>
    besideParts.start({ ...task, reader: { ...task.reader, module: 'file:///nowhere.ts' } });
  const { table } = open({ minIssues: 0, start });
  expect(await fieldsIn(await table())).toEqual(await fieldsIn(tableOf(many(50))));
});

test('a table that is closed waits for its thread to end, which has the store open as well', async () => {
  await put(many(50));
  const { promise: parts, resolve } = Promise.withResolvers<null>();
  const started = Promise.withResolvers<void>();
  let hasEnded = false;
  const end = async () => {
    await setTimeout(5);
    hasEnded = true;
    resolve(null);
  };
  const table = open({
    minIssues: 0,
    start() {
      started.resolve();
      return { parts, end };
    },
  });
  const { hold } = await table.table();
  const holding = expect(hold('labels')).rejects.toThrow('The table was closed.');
  await started.promise;
  await table.close();
  expect(hasEnded).toBe(true);
  await holding;
});
