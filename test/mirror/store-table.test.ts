import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from '#jest';
import { asOneQuestion, currentQuestion } from '../../src/concurrency/request-scope.ts';
import type { IssueTable } from '../../src/mirror/issue-table.ts';
import type { StoreTable } from '../../src/mirror/store-table.ts';
import type { Issue } from '../../src/model/issue.ts';
import type { IssueStore } from '../../src/store/store.ts';
import { storeEngine } from '../support/store-engine.ts';
import { born, many, numbered, renamed, storeOfTests } from './store-of-tests.ts';
import { countingReads, keysIn } from './tables.ts';

const at = storeOfTests();
const { put, open } = at;

const all = (table: IssueTable) => table.load(table.columns.rowsByCreation());

test('issues stand by creation, then by project and number', async () => {
  await put(born('WEB-10'), born('WEB-9'), born('APP-11', '03'), born('APP-2', '01'), born('OPS-5'));
  const table = await open().table();
  expect(keysIn(table.columns)).toEqual(['APP-2', 'OPS-5', 'WEB-9', 'WEB-10', 'APP-11']);
  expect((await all(table))[3]).toEqual(born('WEB-10'));
});

test('nothing is read until something changes, and then only that; rows stay', async () => {
  await put(born('DEMO-1'), born('DEMO-2'));
  const { reads, of } = countingReads(at.stored);
  const { table } = open({ of });
  const first = await table();
  const row = first.columns.rowOf('DEMO-2');
  const { version } = first.columns;
  await put(born('DEMO-1'));
  expect(await table()).toBe(first);
  expect([reads.chunks, first.columns.version]).toEqual([1, version]);
  await put(born('DEMO-3'));
  expect(await table()).toBe(first);
  expect(first.columns.rowOf('DEMO-2')).toBe(row);
  expect([reads.chunks, first.columns.size]).toEqual([2, 3]);
  expect(first.columns.version).not.toBe(version);
});

test('questions at the same time share a reading, and others get their turn', async () => {
  await put(...many(257));
  const { reads, of } = countingReads(at.stored);
  const { table } = open({ of });
  const [one, other] = await Promise.all([table(), table()]);
  expect(other).toBe(one);
  expect([one.columns.size, reads.chunks]).toEqual([257, 5]);
});

test('a question after a change has it, also where a reading from before it is under way', async () => {
  await put(born('WEB-1'));
  const { promise: gate, resolve: goOn } = Promise.withResolvers<void>();
  const { promise: reached, resolve: arrive } = Promise.withResolvers<void>();
  const { table } = open({
    of: {
      ...at.stored,
      async changedSince(...range) {
        const changes = await at.stored.changedSince(...range);
        arrive();
        await gate;
        return changes;
      },
    },
  });
  const before = table();
  await reached;
  await put(born('WEB-2'));
  const after = table();
  goOn();
  expect((await after).columns.size).toBe(2);
  await before;
});

test('an issue that changes while issues are read is as it is then, and once', async () => {
  await put(...many(600));
  let changed = false;
  const { table } = open({
    of: {
      ...at.stored,
      changedSince: async (revision, count) => {
        const chunk = await at.stored.changedSince(revision, count);
        if (!changed) await put(renamed(born('DEMO-1'), 'anew'));
        changed = true;
        return chunk;
      },
    },
  });
  const now = await table();
  expect(now.columns.size).toBe(600);
  const [first] = await all(now);
  expect(first?.summary).toBe('anew');
});

test('a reading that fails part way is gone on with', async () => {
  await put(...many(280));
  let failures = 1;
  const since: number[] = [];
  const { table } = open({
    of: {
      ...at.stored,
      changedSince: (revision, count) => {
        since.push(revision);
        if (revision > 0 && failures > 0) {
          failures -= 1;
          return Promise.reject(new Error('the disk is gone'));
        }
        return at.stored.changedSince(revision, count);
      },
    },
  });
  await expect(table()).rejects.toThrow('the disk is gone');
  expect((await table()).columns.size).toBe(280);
  expect(since).toEqual([0, 64, 64, 128, 192, 256]);
});

test('what was taken away or has moved is gone, and what came back is there', async () => {
  await put(...numbered(600));
  const { table } = open();
  const first = await table();
  expect(first.columns.size).toBe(600);
  const [one, four] = [first.columns.rowOf('DEMO-1'), first.columns.rowOf('DEMO-4')];
  await at.store.sync('file').removeIssues(['1', '2', '3']);
  await put({ ...born('WEB-1'), id: '4' }, { ...born('DEMO-1'), id: '1' });
  const later = await table();
  const keys = keysIn(later.columns);
  expect(keys).toHaveLength(598);
  expect(keys.filter((key) => /^(DEMO-[1-5]|WEB-1)$/.test(key))).toEqual(['DEMO-1', 'DEMO-5', 'WEB-1']);
  expect(await first.load([one, four])).toEqual([null, null]);
});

describe('a database that goes back to an earlier state under a running process, as after a failover', () => {
  /** Puts the database back to what it is when this is called. */
  async function state() {
    const engine = await storeEngine.openEngine(at.folder);
    const tables = ['issue', 'issue_term', 'document', 'area'] as const;
    const rows = await Promise.all(tables.map((table) => engine.db.selectFrom(table).selectAll().execute()));
    return async () => {
      await engine.write(async ({ db }) => {
        for (const [i, table] of tables.entries()) {
          await db.deleteFrom(table).execute();
          for (const row of rows[i] ?? []) await db.insertInto(table).values(row).execute();
        }
      });
      await engine.close();
      // A question in the same turn of the event loop has read before.
      await new Promise(setImmediate);
    };
  }
  const summaries = async ({ table }: StoreTable) => {
    const { columns } = await table();
    const ids = [...columns.rowsByCreation()].map((row) => columns.keyOf(row));
    const found = await Promise.all(ids.map((key) => at.stored.issue(key)));
    return [ids, found.map((issue) => issue?.summary)];
  };

  test('is noticed where it has lost changes, or come to the same revision in another way', async () => {
    await put(born('WEB-1'));
    const goBack = [await state(), await state()];
    for (const other of [null, 'WEB-3']) {
      await put(born('WEB-2'), renamed(born('WEB-1'), 'Later'));
      const table = open();
      expect(await summaries(table)).toEqual([
        ['WEB-1', 'WEB-2'],
        ['Later', 'Summary of WEB-2'],
      ]);
      await table.idle();
      await goBack.shift()?.();
      if (other !== null) await put(born(other), renamed(born('WEB-1'), 'Otherwise'));
      expect(await summaries(table)).toEqual(
        other === null
          ? [['WEB-1'], ['Summary of WEB-1']]
          : [
              ['WEB-1', 'WEB-3'],
              ['Otherwise', 'Summary of WEB-3'],
            ],
      );
    }
  });
});

test('a question has what was committed before it, however long others read meanwhile', async () => {
  await put(...many(10));
  const { table, idle } = open();
  const { columns } = await table();
  const gate = Promise.withResolvers<void>();
  const reading = columns.reading(() => gate.promise);
  await put(born('DEMO-11'));
  let isAnswered = false;
  const size = table().then((now) => {
    isAnswered = true;
    return now.columns.size;
  });
  await pause(250);
  expect([isAnswered, columns.size]).toEqual([false, 10]);
  gate.resolve();
  await reading;
  expect(await size).toBe(11);
  await idle();
});

/** A store whose state a question reads once, as it does where another process writes. */
function readOnceForEach(of: IssueStore): IssueStore {
  const states = new WeakMap<object, Promise<[number, string]>>();
  const state = () => {
    const question = currentQuestion();
    const read = () => Promise.all([of.revision(), of.mark()]);
    if (question === null) return read();
    const known = states.get(question) ?? read();
    states.set(question, known);
    return known;
  };
  return { ...of, revision: async () => (await state())[0], mark: async () => (await state())[1] };
}

test('a question that waits for the reading of an older one has what was committed before its own', async () => {
  await put(...many(10));
  const of = readOnceForEach(at.stored);
  const { table } = open({ of });
  const { columns } = await table();
  const gate = Promise.withResolvers<void>();
  const reading = columns.reading(() => gate.promise);
  await put(born('DEMO-11'));
  const underWay = asOneQuestion(table);
  const older = asOneQuestion(async () => {
    await of.revision();
    return table();
  });
  await pause(5);
  await put(born('DEMO-12'));
  const newer = asOneQuestion(async () => {
    await of.revision();
    return (await table()).columns.size;
  });
  await pause(5);
  gate.resolve();
  expect(await newer).toBe(12);
  await Promise.all([reading, underWay, older]);
});

test('columns are made again without gaps behind questions', async () => {
  await put(...numbered(300));
  const { table, idle } = open();
  const first = await table();
  await at.store.sync('file').removeIssues(Array.from({ length: 200 }, (_, i) => String(i + 1)));
  expect(await table()).toBe(first);
  expect(first.columns.waste).toBeGreaterThan(0.25);
  const during = table();
  await put(born('DEMO-301'));
  expect((await (await table()).load([0]))[0]?.key).toBeDefined();
  await during;
  await idle();
  const later = await table();
  expect(later).not.toBe(first);
  expect([later.columns.size, later.columns.waste]).toEqual([101, 0]);
  expect(keysIn(later.columns)).toContain('DEMO-301');
});

test('a security level and a role of the same id are two restrictions', async () => {
  const withFields = (key: string, fields: Issue['fields']) => ({ ...born(key), fields });
  await put(
    withFields('WEB-1', { security: { id: '10002', name: 'Board' } }),
    withFields('WEB-2', { issuerestriction: [{ id: '10002', name: 'Administrators' }] }),
  );
  const { columns } = await open().table();
  expect(columns.classes.all.map(({ level, roles, issues }) => [level, roles, issues])).toEqual([
    ['10002', null, 1],
    [null, '10002', 1],
  ]);
});

test('under a key there is one issue, however it is spelled', async () => {
  await put({ ...born('WEB-1'), id: '3' }, { ...born('OPS-1'), id: '1' });
  const { table } = open();
  await table();
  await put({ ...born('Ops-1'), id: '3' });
  expect(keysIn((await table()).columns)).toEqual(['Ops-1']);
  await at.store.sync('file').removeIssues(['3']);
  expect(keysIn((await table()).columns)).toEqual([]);
});
