import { readdirSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from '#jest';
import type { IssueColumns } from '../../src/engine/columns/issue-columns.ts';
import type { IssueTable } from '../../src/mirror/issue-table.ts';
import { tableOf } from '../../src/mirror/issue-table.ts';
import { createStoreTable } from '../../src/mirror/store-table.ts';
import type { Issue } from '../../src/model/issue.ts';
import { anIssue } from '../support/issue-story.ts';
import { runs } from '../support/soak.ts';
import { contentsOf, renamed, storeOfTests } from './store-of-tests.ts';

const at = storeOfTests();
const { put, open } = at;

const all = (table: IssueTable) => table.load(table.columns.rowsByCreation());

/** The mentions of the classes that have issues, in an order of their own. */
function mentioned(columns: IssueColumns) {
  const { classes } = columns;
  return classes.all
    .filter(({ issues }) => issues > 0)
    .map((one) => {
      const { projectKey, level, fields, changed, authors, listed, projects } = one;
      const former = Object.keys(columns.arrays().fields).flatMap((id) => {
        const { values, former } = columns.field(id);
        return [...(former[classes.all.indexOf(one)] ?? [])].map((code) => [id, values.at(code)]);
      });
      const known = [fields, changed, authors, listed, projects, former];
      return [
        projectKey,
        level,
        ...known.map((some) => [...some].map((thing) => JSON.stringify(thing)).sort()),
      ];
    })
    .sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}

const anId = fc.integer({ min: 1, max: 30 });
const aStep = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('put' as const),
      id: anId,
      key: fc.oneof(
        fc.integer({ min: 1, max: 25 }).map((number) => `WEB-${number}`),
        fc.constantFrom('web-3', 'Ops-1', 'OPS-1', 'WEB-007'),
      ),
      day: fc.constantFrom('01', '02', '03'),
      text: fc.constantFrom('one', 'two'),
      level: fc.constantFrom(null, null, '7'),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('remove' as const), id: anId }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constantFrom(...(['look', 'hold', 'restart', 'tear'] as const)) }),
  },
);

/** An issue that mentions what hardly any other does: the same under the same key. */
function mentioning(key: string, day: string, level: string | null): Issue {
  const { issue } = anIssue(key, `2026-03-${day}T09:00:00Z`, `Status ${key}`)
    .moves('Done', '2026-03-05T09:00:00Z', { by: `by ${key.at(-1)}` })
    .changes('sprint', `Sprint ${key}`, 'Sprint 9', '2026-03-06T09:00:00Z');
  const labels = [{ id: `${key.length}`, name: key }];
  const security = level === null ? null : { id: level, name: level };
  return { ...issue, fields: { ...issue.fields, [`field ${key.at(-1)}`]: 1, labels, security } };
}

test('what an issue that leaves its class was known to mention is found again in the others', async () => {
  const keys = ['WEB-1', 'WEB-2', 'WEB-3', 'WEB-4'];
  for (const key of keys) await put(mentioning(key, '02', null));
  const { table, idle } = open();
  await table();
  await put(mentioning('WEB-1', '02', '7'), mentioning('WEB-2', '02', '7'));
  await table();
  await idle();
  const expected = tableOf([
    ...['WEB-1', 'WEB-2'].map((key) => mentioning(key, '02', '7')),
    ...['WEB-3', 'WEB-4'].map((key) => mentioning(key, '02', null)),
  ]);
  expect(mentioned((await table()).columns)).toEqual(mentioned(expected.columns));
});

test('whatever comes, changes, moves and goes, and however often it starts, the table is as one made from scratch', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(aStep, { maxLength: 60 }), async (steps) => {
      at.store.close();
      await at.openStore();
      let running = open();
      let isHeld = false;
      const hold = async () => {
        const { hold } = await running.table();
        await Promise.all([hold('summary'), hold('sprint')]);
      };
      for (const step of steps) {
        if (step.kind === 'put') {
          const { id, key, day, text, level } = step;
          await put({ ...renamed(mentioning(key, day, level), text), id: String(id) });
        }
        if (step.kind === 'remove') await at.store.sync('file').removeIssues([String(step.id)]);
        if (step.kind === 'look') await running.table();
        if (step.kind === 'hold') await hold();
        if (step.kind === 'restart' || step.kind === 'tear') {
          await running.close();
          if (step.kind === 'tear' && readdirSync(at.folder).includes('columns.bin')) {
            truncateSync(join(at.folder, 'columns.bin'), 500);
          }
          running = open();
        }
        isHeld ||= step.kind === 'hold';
      }
      const fresh = createStoreTable({
        store: at.stored,
        snapshot: null,
        now: () => at.now,
        onProblem: () => {},
      });
      const expected = await fresh.table();
      const table = await running.table();
      const plain = tableOf((await all(expected)).flatMap((issue) => (issue === null ? [] : [{ ...issue }])));
      for (const one of isHeld ? [expected, table, plain] : []) {
        await one.hold('summary');
        await one.hold('sprint');
      }
      await running.idle();
      expect(mentioned(table.columns)).toEqual(mentioned(expected.columns));
      expect(mentioned(expected.columns)).toEqual(mentioned(plain.columns));
      expect(contentsOf(table.columns)).toEqual(contentsOf(expected.columns));
      expect(await all(table)).toEqual(await all(expected));
      expect((await all(table)).every((issue) => issue !== null)).toBe(true);
      await running.close();
      expect(at.problems.filter((error) => !String(error).includes('is damaged'))).toEqual([]);
    }),
    { numRuns: runs(40) },
  );
});
