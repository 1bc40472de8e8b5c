import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from '#jest';
import { emptyParts } from '../../src/engine/columns/column-parts.ts';
import { FieldHistories } from '../../src/engine/columns/field-histories.ts';
import { IssueColumns } from '../../src/engine/columns/issue-columns.ts';
import { rowContent } from '../../src/engine/measure/own-cells.ts';
import { besideParts } from '../../src/mirror/field-thread.ts';
import { type IssueTable, tableOf, tableOver } from '../../src/mirror/issue-table.ts';
import { createHistorySpill, type HistorySpill } from '../../src/mirror/spilled-histories.ts';
import { systemCode } from '../../src/model/error.ts';
import type { Issue } from '../../src/model/issue.ts';
import { createFolderBlobs } from '../../src/store/folder-blobs.ts';
import { anIssue } from '../support/issue-story.ts';
import { openTestStore, type TestStore } from '../support/open-test-store.ts';
import { runs } from '../support/soak.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { putInto, visitsIn } from './tables.ts';

const fields = ['priority', 'rank', 'status'] as const;
type Field = (typeof fields)[number];

let store: TestStore;
let folder: string;
let spill: HistorySpill;
let problems: unknown[];
beforeEach(open);
afterEach(close);

async function open() {
  folder = temporaryFolder();
  problems = [];
  store = await openTestStore(folder);
  spill = spillIn(join(folder, 'cache'));
}

const spillIn = (cache: string) =>
  createHistorySpill({
    blobs: createFolderBlobs(cache),
    name: 'columns.bin',
    onProblem: (error) => problems.push(error),
  });

async function close() {
  await spill.close();
  store.close();
}

/** A table whose columns have room for one history; `read` counts the readings of issues for their fields. */
function tableWithRoomForOne(spillOf: HistorySpill | null = spill) {
  const columns = new IssueColumns({ ...emptyParts(), histories: new FieldHistories(undefined, 1) });
  const issues = store.issues('file');
  let read = 0;
  const table = tableOver(columns, {
    store: {
      reader: () => null,
      issuesAt: issues.issuesAt,
      changedSince: issues.changedSince,
      issuesAfter: (...input) => {
        read += 1;
        return issues.issuesAfter(...input);
      },
    },
    alone: (work) => work(),
    onHeld: () => {},
    signal: new AbortController().signal,
    beside: besideParts,
    spill: spillOf,
  });
  return {
    table,
    read: () => read,
    async catchUp() {
      const { issues: changed, removed, revision } = await issues.changedSince(columns.revision, 10_000);
      for (const key of removed) columns.remove(key);
      for (const { id, issue } of changed) columns.put(id, rowContent(issue));
      columns.revision = revision;
    },
  };
}

/** An issue whose fields have changed some times. */
function changed(number: number, times: number): Issue {
  let story = anIssue(`WEB-${number}`, '2026-03-02T09:00:00Z');
  for (let i = 0; i < times; i += 1) {
    for (const field of fields) {
      const values = [`${field} ${i}`, `${field} ${(i + number) % 5}`] as const;
      story = story.changes(field, ...values, `2026-03-0${i + 3}T09:00:00Z`);
    }
  }
  return { ...story.issue, id: String(number) };
}

const put = (issues: readonly Issue[]) => putInto(store.issues('file'), issues);

/** The visits of a field by key. */
async function visitsByKey({ columns, hold }: IssueTable, field: Field) {
  await hold(field, 'history');
  const { flags } = columns.arrays().histories[field] ?? {};
  return Object.fromEntries(
    [...columns.rowsByCreation()].map((row) => [
      columns.keyOf(row),
      [flags?.[row], visitsIn(columns, field, row)],
    ]),
  );
}

test('histories that are needed together are read together, and stay until all are there', async () => {
  await put([changed(1, 1)]);
  const { table, catchUp, read } = tableWithRoomForOne(null);
  await catchUp();
  await Promise.all(['priority', 'rank'].map((field) => table.hold(field, 'history')));
  expect(['priority', 'rank'].map((field) => table.columns.histories.has(field))).toEqual([true, true]);
  expect(read()).toBe(2);
});

const MANY = 320;
const aNumber = fc.integer({ min: 1, max: MANY + 3 });

const aStep = fc.oneof(
  fc.record({ kind: fc.constant('ask' as const), field: fc.constantFrom(...fields) }),
  fc.record({ kind: fc.constant('change' as const), number: aNumber, times: fc.nat(4) }),
  fc.record({ kind: fc.constant('remove' as const), number: aNumber }),
  // What was written is not in columns before they are brought up to date.
  fc.record({ kind: fc.constant('catch up' as const) }),
);

test('a history that was let go is that of the issues when it comes back, whatever has changed meanwhile', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(aStep, { minLength: 5, maxLength: 25 }), async (steps) => {
      await close();
      await open();
      const all = new Map(Array.from({ length: MANY }, (_, i) => [i + 1, changed(i + 1, i % 4)]));
      await put([...all.values()]);
      const { table, catchUp } = tableWithRoomForOne();
      await catchUp();
      for (const field of fields) await table.hold(field, 'history');
      for (const step of steps) {
        if (step.kind === 'ask') await table.hold(step.field, 'history');
        if (step.kind === 'catch up') await catchUp();
        if (step.kind === 'change') {
          all.set(step.number, changed(step.number, step.times));
          await put([changed(step.number, step.times)]);
        }
        if (step.kind === 'remove') {
          all.delete(step.number);
          await store.sync('file').removeIssues([String(step.number)]);
        }
      }
      await catchUp();
      for (const field of fields) {
        expect(await visitsByKey(table, field)).toEqual(await visitsByKey(tableOf([...all.values()]), field));
      }
      expect(problems).toEqual([]);
    }),
    { numRuns: runs(25) },
  );
});

test('it comes back without all issues being read', async () => {
  await put(Array.from({ length: MANY }, (_, i) => changed(i + 1, 2)));
  const { table, catchUp, read } = tableWithRoomForOne();
  await catchUp();
  for (const field of fields) await table.hold(field, 'history');
  const before = read();
  for (const field of fields) {
    await put([changed(7, 4)]);
    await catchUp();
    await table.hold(field, 'history');
  }
  expect(read()).toBe(before);
});

test('columns that were replaced take none that newer ones have let go', async () => {
  await put([changed(1, 2)]);
  const [old, current] = [tableWithRoomForOne(), tableWithRoomForOne()];
  await old.catchUp();
  await put([changed(1, 4)]);
  await current.catchUp();
  for (const field of fields) await current.table.hold(field, 'history');
  const before = old.read();
  await old.table.hold('priority', 'history');
  expect(old.read()).toBeGreaterThan(before);
});

test('its file has no name that could be left behind', async () => {
  await put([changed(1, 2)]);
  const { table, catchUp } = tableWithRoomForOne();
  await catchUp();
  for (const field of [...fields, 'priority']) await table.hold(field, 'history');
  expect(readdirSync(join(folder, 'cache'))).toEqual([]);
});

test('one that cannot be written is read from the issues', async () => {
  spill = spillIn(join(folder, 'no folder', 'no folder'));
  await put([changed(1, 2)]);
  const { table, catchUp } = tableWithRoomForOne();
  await catchUp();
  for (const field of fields) await table.hold(field, 'history');
  expect(await visitsByKey(table, 'priority')).toEqual(
    await visitsByKey(tableOf([changed(1, 2)]), 'priority'),
  );
  // How many have made room by now depends on how fast the others fail.
  expect(new Set(problems.map(systemCode))).toEqual(new Set(['ENOENT']));
});
