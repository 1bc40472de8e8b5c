import { copyFileSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from '#jest';
import { createStoreTable } from '../../src/mirror/store-table.ts';
import type { Issue } from '../../src/model/issue.ts';
import { createFolderBlobs } from '../../src/store/folder-blobs.ts';
import { anIssue } from '../support/issue-story.ts';
import { openTestStore } from '../support/open-test-store.ts';
import { seeded } from '../support/seeded.ts';
import { runs } from '../support/soak.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { putInto, savedTable } from './tables.ts';

const issueNumber = fc.integer({ min: 1, max: 12 });
const count = fc.integer({ min: 1, max: 6 });
const slot = fc.integer({ min: 0, max: 2 });
const anImport = fc.record({
  kind: fc.constant('import' as const),
  ...{ first: issueNumber, count, to: fc.constantFrom('In Progress', 'Done') },
  level: fc.constantFrom(null, '7'),
});
const aStep = fc.oneof(
  anImport,
  fc.record({ kind: fc.constant('remove' as const), first: issueNumber, count }),
  fc.record({ kind: fc.constantFrom('ask' as const, 'start' as const, 'kill' as const) }),
  fc.record({ kind: fc.constantFrom('backup' as const, 'copy' as const), slot }),
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('restore' as const), slot }) },
);

const numbers = (first: number, count: number) => Array.from({ length: count }, (_, i) => first + i);

/** An issue that was last changed at the same instant, to whatever status and for whatever people. */
function moved(number: number, { to, level }: { to: string; level: string | null }): Issue {
  const story = anIssue(`WEB-${number}`, '2026-03-02T09:00:00Z').moves(to, '2026-03-03T09:00:00Z');
  const security = level === null ? null : { id: level, name: level };
  return { ...story.issue, id: String(number), fields: { ...story.issue.fields, security } };
}

test('whatever is imported, copied, put back and started, columns are those of the database that is there', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(aStep, { minLength: 4, maxLength: 40 }), async (steps) => {
      const [dataDir, copies] = [temporaryFolder(), temporaryFolder()];
      const chance = seeded(steps.length);
      const newStamp = () => String(chance());
      const copyOf = (slot: number) => join(copies, `${slot}.db`);
      const open = async () => {
        const store = await openTestStore(dataDir);
        const blobs = createFolderBlobs(dataDir);
        const table = savedTable(store, {
          store: store.issues('file'),
          blobs,
          newStamp,
          onProblem: () => {},
        });
        return { store, table };
      };
      let running = await open();
      const close = async (how: 'stop' | 'kill' = 'stop') => {
        // What is killed writes no file of columns at its end.
        await (how === 'stop' ? running.table.close() : running.table.idle());
        running.store.close();
      };
      for (const step of steps) {
        const { store, table } = running;
        if (step.kind === 'import') {
          const issues = numbers(step.first, step.count).map((number) => moved(number, step));
          await putInto(store.issues('file'), issues);
        }
        if (step.kind === 'remove')
          await store.sync('file').removeIssues(numbers(step.first, step.count).map(String));
        if (step.kind === 'ask') await table.table();
        if (step.kind === 'start' || step.kind === 'kill') {
          await close(step.kind === 'start' ? 'stop' : 'kill');
          running = await open();
        }
        if (step.kind === 'backup') {
          rmSync(copyOf(step.slot), { force: true });
          await store.backUp(copyOf(step.slot), { stamp: newStamp() });
        }
        if (step.kind === 'copy' || (step.kind === 'restore' && existsSync(copyOf(step.slot)))) {
          await close();
          const ways = [join(dataDir, 'dwell.db'), copyOf(step.slot)] as const;
          const [from, to] = step.kind === 'copy' ? ways : ways.toReversed();
          copyFileSync(from ?? '', to ?? '');
          running = await open();
        }
      }
      const issues = running.store.issues('file');
      const scratch = createStoreTable({
        ...{ store: issues, snapshot: null, now: () => 0, onProblem: () => {} },
      });
      const contentsOf = async ({ table }: Pick<typeof scratch, 'table'>) => {
        const { columns } = await table();
        const { fields, accessClass } = columns.arrays();
        const { status = new Uint32Array() } = fields;
        return [...columns.rowsByCreation()].map((row) => [
          columns.keyOf(row),
          columns.values('status').at(status[row] ?? 0),
          columns.classes.all[accessClass[row] ?? 0]?.restriction,
        ]);
      };
      expect(await contentsOf(running.table)).toEqual(await contentsOf(scratch));
      await close();
      for (const folder of [dataDir, copies]) rmSync(folder, { recursive: true });
    }),
    { numRuns: runs(60) },
  );
});
