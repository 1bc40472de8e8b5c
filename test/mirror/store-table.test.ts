import { readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { millisecondsInDay, millisecondsInMinute } from 'date-fns/constants';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from '#jest';
import { asOneQuestion, currentQuestion } from '../../src/concurrency/request-scope.ts';
import { STATUS_CODE } from '../../src/engine/columns/column-arrays.ts';
import { BLOCKERS, flagHistory } from '../../src/engine/columns/derived-histories.ts';
import type { IssueColumns } from '../../src/engine/columns/issue-columns.ts';
import { createTextReader } from '../../src/engine/columns/text-column.ts';
import { type IssueTable, tableOf } from '../../src/mirror/issue-table.ts';
import { createStoreTable, type StoreTable } from '../../src/mirror/store-table.ts';
import type { Issue } from '../../src/model/issue.ts';
import { createFolderBlobs } from '../../src/store/folder-blobs.ts';
import type { IssueStore } from '../../src/store/store.ts';
import { anIssue } from '../support/issue-story.ts';
import { openTestStore, type TestStore } from '../support/open-test-store.ts';
import { runs } from '../support/soak.ts';
import { storeEngine } from '../support/store-engine.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { countingReads, keysIn, putInto, savedTable, visitsIn } from './tables.ts';

let store: TestStore;
let stored: IssueStore;
let folder: string;
let problems: unknown[];
let now: number;
const opened: StoreTable[] = [];
beforeEach(async () => {
  await openStore();
  problems = [];
  now = 0;
});
async function openStore() {
  folder = temporaryFolder();
  store = await openTestStore(folder);
  stored = store.issues('file');
}
afterEach(async () => {
  // A file that is written behind a test gets its stamp from the store.
  await Promise.all(opened.splice(0).map((table) => table.idle()));
  store.close();
});

const born = (key: string, day = '02') => anIssue(key, `2026-03-${day}T09:00:00Z`).issue;
const put = (...issues: Issue[]) => putInto(stored, issues);
/** Issues that the tracker knows by ids as well. */
const numbered = (count: number) => many(count).map((issue, i) => ({ ...issue, id: String(i + 1) }));
const many = (count: number) => Array.from({ length: count }, (_, i) => born(`DEMO-${i + 1}`));
const renamed = (issue: Issue, summary: string): Issue => ({
  ...issue,
  summary,
  fields: { ...issue.fields, summary },
});

/** A table whose columns are saved in a file, however few they are. */
function open({
  of = stored,
  origin = 'here',
  cache = folder,
  flags = [],
}: {
  of?: Parameters<typeof createStoreTable>[0]['store'];
  origin?: string;
  cache?: string;
  flags?: readonly string[];
} = {}) {
  const table = savedTable(store, {
    ...{ store: of, blobs: createFolderBlobs(cache), origin, now: () => now, flags: async () => flags },
    onProblem: (error) => void problems.push(error),
  });
  opened.push(table);
  return table;
}

const all = (table: IssueTable) => table.load(table.columns.rowsByCreation());

/** The contents of columns, issue by issue in the order of creation. */
function contentsOf(columns: IssueColumns) {
  const arrays = columns.arrays();
  return [...columns.rowsByCreation()].map((row) => {
    const value = (field: string, code = 0) => columns.values(field).at(code) ?? code;
    const visits = Array.from({ length: arrays.statusCount[row] ?? 0 }, (_, i) => {
      const at = (arrays.statusAt[row] ?? 0) + i;
      const code = arrays.visitStatus[at] ?? 0;
      return [arrays.visitStart[at], code > STATUS_CODE, value('status', code & STATUS_CODE)];
    });
    const spans = Array.from({ length: arrays.assigneeCount[row] ?? 0 }, (_, i) => {
      const at = (arrays.assigneeAt[row] ?? 0) + i;
      return [arrays.spanStart[at], value('assignee', arrays.spanAssignee[at])];
    });
    const { projectKey, restriction, issues } = columns.classes.all[arrays.accessClass[row] ?? 0] ?? {};
    const fields = Object.entries(arrays.fields).map(([field, codes]) => [field, value(field, codes[row])]);
    return {
      key: columns.keyOf(row),
      ...{ id: arrays.storeId[row], created: arrays.created[row], updated: arrays.updated[row] },
      ...{ resolved: arrays.resolved[row], flags: arrays.flags[row] },
      ...{ visits, spans, projectKey, restriction, issues, fields },
    };
  });
}

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

test('issues stand by creation, then by project and number', async () => {
  await put(born('WEB-10'), born('WEB-9'), born('APP-11', '03'), born('APP-2', '01'), born('OPS-5'));
  const table = await open().table();
  expect(keysIn(table.columns)).toEqual(['APP-2', 'OPS-5', 'WEB-9', 'WEB-10', 'APP-11']);
  expect((await all(table))[3]).toEqual(born('WEB-10'));
});

test('nothing is read until something changes, and then only that; rows stay', async () => {
  await put(born('DEMO-1'), born('DEMO-2'));
  const { reads, of } = countingReads(stored);
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
  const { reads, of } = countingReads(stored);
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
      ...stored,
      async changedSince(...range) {
        const changes = await stored.changedSince(...range);
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
      ...stored,
      changedSince: async (revision, count) => {
        const chunk = await stored.changedSince(revision, count);
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
      ...stored,
      changedSince: (revision, count) => {
        since.push(revision);
        if (revision > 0 && failures > 0) {
          failures -= 1;
          return Promise.reject(new Error('the disk is gone'));
        }
        return stored.changedSince(revision, count);
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
  await store.sync('file').removeIssues(['1', '2', '3']);
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
    const engine = await storeEngine.openEngine(folder);
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
    const found = await Promise.all(ids.map((key) => stored.issue(key)));
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
  const held = Promise.withResolvers<void>();
  const reading = columns.reading(() => held.promise);
  await put(born('DEMO-11'));
  let isAnswered = false;
  const size = table().then((now) => {
    isAnswered = true;
    return now.columns.size;
  });
  await pause(250);
  expect([isAnswered, columns.size]).toEqual([false, 10]);
  held.resolve();
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
  const of = readOnceForEach(stored);
  const { table } = open({ of });
  const { columns } = await table();
  const held = Promise.withResolvers<void>();
  const reading = columns.reading(() => held.promise);
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
  held.resolve();
  expect(await newer).toBe(12);
  await Promise.all([reading, underWay, older]);
});

test('columns are made again without gaps behind questions', async () => {
  await put(...numbered(300));
  const { table, idle } = open();
  const first = await table();
  await store.sync('file').removeIssues(Array.from({ length: 200 }, (_, i) => String(i + 1)));
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
  await store.sync('file').removeIssues(['3']);
  expect(keysIn((await table()).columns)).toEqual([]);
});

test('a field is loaded by the first request, by one reading for all at the same time, and stays loaded', async () => {
  await put(...many(700).map((issue, i) => renamed(issue, `about ${i % 3}`)));
  const { reads, of } = countingReads(stored);
  const { table } = open({ of });
  const { columns, hold } = await table();
  const hurry = hold('summary');
  await Promise.all([hurry, hold('summary'), hold('labels'), hold('duedate')]);
  expect(reads.fields).toBe(700);
  const summaryOf = (key: string) =>
    columns.values('summary').at(columns.field('summary').codes[columns.rowOf(key)] ?? 0);
  expect([summaryOf('DEMO-1'), summaryOf('DEMO-700')]).toEqual(['about 0', 'about 0']);
  await put(renamed(born('DEMO-1'), 'something else'), renamed(born('DEMO-701'), 'about 2'));
  await table();
  expect([summaryOf('DEMO-1'), summaryOf('DEMO-701')]).toEqual(['something else', 'about 2']);
  await hold('status');
  expect([reads.fields, reads.single]).toEqual([700, 0]);
});

test('a field whose reading fails is not loaded, and the next request reads it', async () => {
  await put(born('DEMO-1'));
  let failures = 1;
  const { table } = open({
    of: {
      ...stored,
      issuesAfter: (...input) =>
        failures-- > 0 ? Promise.reject(new Error('the disk is gone')) : stored.issuesAfter(...input),
    },
  });
  const { columns, hold } = await table();
  await expect(hold('summary')).rejects.toThrow('the disk is gone');
  expect(columns.hasField('summary')).toBe(false);
  await hold('summary');
  expect(columns.hasField('summary')).toBe(true);
});

test('texts are loaded like fields, by one reading with these, and follow their issues', async () => {
  await put(...many(300).map((issue, i) => renamed(issue, `about ${i}`)));
  const { reads, of } = countingReads(stored);
  const { table } = open({ of });
  const { columns, hold } = await table();
  await hold('summary', 'texts');
  await Promise.all([hold('summary', 'texts'), hold('labels'), hold('description', 'texts')]);
  expect(reads.fields).toBe(600);
  const textOf = (key: string) => {
    const texts = columns.arrays().texts.summary;
    return texts === undefined ? undefined : createTextReader(texts).textAt(columns.rowOf(key));
  };
  expect([textOf('DEMO-1'), textOf('DEMO-300')]).toEqual(['about 0', 'about 299']);
  await put(renamed(born('DEMO-1'), 'something else'), renamed(born('DEMO-301'), 'something more'));
  await table();
  expect([textOf('DEMO-1'), textOf('DEMO-301')]).toEqual(['something else', 'something more']);
});

/** An issue of which a field went through these values, a day each from March 3 on. */
const changing = (key: string, field: string, names: readonly (string | null)[]): Issue => {
  const issue = born(key);
  const value = (name: string | null | undefined) => (name == null ? null : { id: name, name });
  const changes = names.map((_, i) => ({
    ...{ entry: `${i + 1}`, item: 0, at: issue.created + (i + 1) * millisecondsInDay, field },
    ...{ from: value(names[i - 1]), to: value(names[i]), by: 'ada' },
  }));
  const updated = changes.at(-1)?.at ?? issue.created;
  return { ...issue, updated, changes, fields: { ...issue.fields, [field]: value(names.at(-1)) } };
};
const ranked = (key: string, ...names: string[]) => changing(key, 'priority', names);

/** The values that columns have of a priority, from the creation on. */
const pastOf = ({ columns }: IssueTable, key: string) =>
  visitsIn(columns, 'priority', columns.rowOf(key)).map(([, value]) => value);

const named = (...names: (string | null)[]) => names.map((name) => name && { id: name, name });

test('a history is read once, follows its issues, and is in the file of the next start', async () => {
  await put(...many(40), ranked('DEMO-41', 'High', 'Low'));
  const { reads, of } = countingReads(stored);
  const first = open({ of });
  const table = await first.table();
  await Promise.all([table.hold('priority', 'history'), table.hold('priority', 'history')]);
  expect([reads.fields, table.columns.hasField('priority')]).toEqual([41, true]);
  expect(pastOf(table, 'DEMO-41')).toEqual(named(null, 'High', 'Low'));
  await put(ranked('DEMO-1', 'Low'), ranked('DEMO-41', 'High', 'Low', 'High'), ranked('DEMO-42', 'High'));
  const after = await first.table();
  expect(pastOf(after, 'DEMO-1')).toEqual(named(null, 'Low'));
  expect(pastOf(after, 'DEMO-41')).toEqual(named(null, 'High', 'Low', 'High'));
  expect(pastOf(after, 'DEMO-42')).toEqual(named(null, 'High'));
  await first.close();
  const again = await open({ of }).table();
  await again.hold('priority', 'history');
  expect(pastOf(again, 'DEMO-41')).toEqual(named(null, 'High', 'Low', 'High'));
  expect(reads.fields).toBe(41);
});

test('histories of flags and of blockers are there from the start, follow their issues, and are in the file', async () => {
  const flagged = (key: string, ...values: readonly (string | null)[]) => changing(key, 'flag', values);
  const linked = (key: string, ...values: readonly (string | null)[]) => changing(key, 'issuelinks', values);
  await put(flagged('DEMO-1', 'Impediment', null), linked('DEMO-2', 'is blocked by DEMO-1'), born('DEMO-3'));
  const histories = [flagHistory('flag'), BLOCKERS];
  const { reads, of } = countingReads(stored);
  const historiesOf = async (opened: StoreTable) => {
    const { columns, hold } = await opened.table();
    await Promise.all(histories.map((field) => hold(field, 'history')));
    return ['DEMO-1', 'DEMO-2', 'DEMO-3'].map((key) =>
      histories.map((field) => visitsIn(columns, field, columns.rowOf(key)).map(([, value]) => value)),
    );
  };
  const first = open({ of, flags: ['flag'] });
  expect(await historiesOf(first)).toEqual([
    [named(null, 'Impediment', null), []],
    [[], [null, 'DEMO-1']],
    [[], []],
  ]);
  await put(linked('DEMO-2', 'is blocked by DEMO-1', null), linked('DEMO-3', 'is blocked by DEMO-2'));
  const changed = [
    [named(null, 'Impediment', null), []],
    [[], [null, 'DEMO-1', null]],
    [[], [null, 'DEMO-2']],
  ];
  expect(await historiesOf(first)).toEqual(changed);
  await first.close();
  expect(await historiesOf(open({ of, flags: ['flag'] }))).toEqual(changed);
  expect(reads.fields).toBe(0);
});

test('a history whose values are too long together is dropped, and is read no second time', async () => {
  await put(ranked('DEMO-1', 'High'));
  const { table } = open({
    of: {
      ...stored,
      issuesAfter: (after, count, use) =>
        stored.issuesAfter(after, count, (some) =>
          use(some.map((one) => ({ ...one, issue: ranked('DEMO-1', 'High', 'x'.repeat(2 ** 24)) }))),
        ),
    },
  });
  const own = await table();
  await own.hold('priority', 'history');
  await own.hold('priority', 'history');
  const { histories } = own.columns;
  expect([histories.has('priority'), histories.isTooLong('priority')]).toEqual([false, true]);
  expect(histories.find('priority')).toBeNull();
});

describe('a field of texts that are too long together', () => {
  const long = (issue: Issue, words = 30_000) => renamed(issue, issue.key + ' long'.repeat(words));

  test('is not held, and not read to its end', async () => {
    await put(...many(1100));
    const { reads, of } = countingReads(stored);
    const { table } = open({
      of: {
        ...of,
        async issuesAfter(after, count, use) {
          const ids = await of.issuesAfter(after, count, (some) => some.map(({ id }) => id));
          const issues = await stored.issuesAt(ids);
          return use(
            issues.flatMap((issue, i) =>
              issue === null ? [] : [{ id: ids[i] ?? 0, revision: 0, issue: long(issue, 8_000) }],
            ),
          );
        },
      },
    });
    const { columns, hold } = await table();
    await Promise.all([hold('summary'), hold('summary')]);
    expect([columns.hasField('summary'), columns.isTooLong('summary'), reads.fields]).toEqual([
      ...[false, true],
      1000,
    ]);
    await hold('summary');
    expect(reads.fields).toBe(1000);
    // Others are, and their texts can be searched.
    await Promise.all([hold('labels'), hold('summary', 'texts')]);
    expect([columns.hasField('labels'), columns.hasTexts('summary')]).toEqual([true, true]);
  });

  test('is let go of once it has become so', async () => {
    await put(...many(3));
    const { table, idle } = open({
      of: {
        ...stored,
        async changedSince(revision, count) {
          const { issues, ...found } = await stored.changedSince(revision, count);
          return {
            ...found,
            issues: issues.map(({ id, issue }) => ({ id, issue: revision === 0 ? issue : long(issue) })),
          };
        },
      },
    });
    const before = await table();
    await before.hold('summary');
    for (let i = 0; i < 3; i += 1) await put(...many(250).map((issue) => renamed(issue, `about ${i}`)));
    // The next ones get other columns, made behind questions.
    await table();
    await idle();
    const after = await table();
    expect([before.columns.hasField('summary'), after.columns.hasField('summary')]).toEqual([true, false]);
    expect(after.columns.isTooLong('summary')).toBe(true);
    expect(after.columns.size).toBe(250);
  });
});

describe('the file of columns', () => {
  const file = () => join(folder, 'columns.bin');
  const files = () => readdirSync(folder).filter((name) => name.startsWith('columns'));

  test('spares the next start all that is in it', async () => {
    await put(...many(1300));
    const first = open();
    const before = contentsOf((await first.table()).columns);
    await first.close();
    expect(files()).toEqual(['columns.bin']);
    await put(renamed(born('DEMO-9'), 'later'), born('DEMO-1301', '05'));
    const { reads, of } = countingReads(stored);
    const { columns } = await open({ of }).table();
    expect(reads.chunks).toBe(1);
    expect(columns.size).toBe(1301);
    expect(contentsOf(columns).filter(({ key }) => key !== 'DEMO-9' && key !== 'DEMO-1301')).toEqual(
      before.filter(({ key }) => key !== 'DEMO-9').map((one) => ({ ...one, issues: 1301 })),
    );
    expect(problems).toEqual([]);
  });

  test('has the loaded fields, and a start with it has them as well', async () => {
    await put(...many(300).map((issue, i) => renamed(issue, `about ${i % 3}`)));
    const first = open();
    await first.table();
    await first.close();
    const second = open();
    await (await second.table()).hold('summary');
    await second.close();
    const { reads, of } = countingReads(stored);
    const { columns } = await open({ of }).table();
    const { codes, values } = columns.field('summary');
    expect(values.at(codes[columns.rowOf('DEMO-6')] ?? 0)).toBe('about 2');
    expect(reads.single).toBe(0);
  });

  test.each<[string, (bytes: Buffer) => Uint8Array | string]>([
    ['is cut', (bytes) => bytes.subarray(0, -1)],
    ['is cut in its facts', (bytes) => bytes.subarray(0, 40)],
    ['is empty', () => ''],
    [
      'has another bit',
      (bytes) => bytes.fill((bytes.at(-100) ?? 0) ^ 4, bytes.length - 100, bytes.length - 99),
    ],
    ['has another bit in its facts', (bytes) => bytes.fill((bytes[60] ?? 0) ^ 1, 60, 61)],
    ['is no file of columns', () => 'x'.repeat(4000)],
  ])('is as good as none where it %s, and damage is reported', async (how, damage) => {
    await put(...many(30));
    const first = open();
    const before = contentsOf((await first.table()).columns);
    await first.close();
    writeFileSync(file(), damage(readFileSync(file())));
    expect(contentsOf((await open().table()).columns)).toEqual(before);
    const message = `The file ${file()} is damaged; columns are made from the store again.`;
    expect(problems).toEqual(how === 'is no file of columns' ? [] : [expect.objectContaining({ message })]);
  });

  test('is as good as none where it is another store’s, or was made with other settings', async () => {
    await put(...many(30));
    const first = open();
    await first.table();
    await first.close();
    const bytes = readFileSync(file());
    expect((await open({ origin: 'elsewhere' }).table()).columns.size).toBe(30);
    store.close();
    await openStore();
    writeFileSync(file(), bytes);
    await put(born('DEMO-1'));
    expect(keysIn((await open().table()).columns)).toEqual(['DEMO-1']);
    await put(...Array.from({ length: 40 }, (_, i) => born(`OPS-${i + 1}`)));
    writeFileSync(file(), bytes);
    // By now it has as many revisions as the file, and others.
    expect(new Set(keysIn((await open().table()).columns))).toEqual(
      new Set(['DEMO-1', ...Array.from({ length: 40 }, (_, i) => `OPS-${i + 1}`)]),
    );
  });

  test('is as good as none where the store was put back and has gone another way since', async () => {
    await put(...numbered(20));
    const first = open();
    await first.table();
    await put(born('DEMO-21'));
    await first.table();
    await first.close();
    const bytes = readFileSync(file());
    store.close();
    await openStore();
    writeFileSync(file(), bytes);
    await put(...numbered(20));
    // What is at the revisions of the file has changed once more, so that only the number of issues shows it.
    await put(...numbered(20).map((issue) => renamed(issue, 'anew')));
    await put(...numbered(20).map((issue) => renamed(issue, 'once more')));
    expect((await open().table()).columns.size).toBe(20);
  });

  /** A file whose writing succeeds by `answers`, of which the last one counts for good. */
  function noted(
    answers: readonly (boolean | Promise<boolean>)[] = [true],
    claimSave: () => Promise<boolean> = async () => true,
  ) {
    const saved: number[] = [];
    const table = createStoreTable({
      store: stored,
      claimSave,
      snapshot: {
        load: async () => null,
        async save(columns, { isSteady }) {
          saved.push(columns.size);
          const write = async () => answers[Math.min(saved.length, answers.length) - 1] ?? true;
          return isSteady ? columns.reading(write) : write();
        },
      },
      now: () => now,
      onProblem: (error) => void problems.push(error),
      minSaved: 2,
    });
    return { saved, ...table };
  }

  test('is written behind questions, when much has changed and not every few minutes', async () => {
    await put(...many(100));
    const { saved, table, close } = noted();
    const grow = async (...issues: Issue[]) => {
      await put(...issues);
      await table();
    };
    await table();
    expect(saved).toEqual([100]);
    now += 5 * millisecondsInMinute;
    await grow(born('DEMO-101'));
    expect(saved).toEqual([100]);
    await grow(born('DEMO-102'), born('DEMO-103'));
    expect(saved).toEqual([100, 103]);
    await grow(...many(50).map((issue) => ({ ...issue, key: `WEB${issue.key}` })));
    expect(saved).toEqual([100, 103]);
    await close();
    expect(saved).toEqual([100, 103, 153]);
    await expect(table()).rejects.toThrow('closed');
  });

  test('is not written where another process has just written it, and by the next one later', async () => {
    await put(...many(100));
    let isOurs = false;
    const { saved, table, close } = noted([true], async () => isOurs);
    // There was none yet.
    await table();
    expect(saved).toEqual([100]);
    now += 5 * millisecondsInMinute;
    await put(...many(120));
    await table();
    expect(saved).toEqual([100]);
    now += 5 * millisecondsInMinute;
    isOurs = true;
    await put(born('DEMO-121'));
    await table();
    expect(saved).toEqual([100, 121]);
    await close();
    expect(saved).toEqual([100, 121]);
  });

  test('is not written again at the end where nothing has changed, nor for very few issues', async () => {
    await put(...many(1));
    const few = noted();
    await few.table();
    await few.close();
    expect(few.saved).toEqual([]);
    await put(...many(10));
    const enough = noted();
    await enough.table();
    await enough.close();
    expect(enough.saved).toEqual([10]);
  });

  test('is written once nothing changes meanwhile; after three tries changes wait for it', async () => {
    await put(...many(10));
    const held = Promise.withResolvers<boolean>();
    const { saved, table, close } = noted([false, false, false, held.promise]);
    const { columns } = await table();
    for (let i = 11; i <= 13; i += 1) {
      await put(born(`DEMO-${i}`));
      await table();
    }
    expect(saved).toEqual([10, 11, 12, 13]);
    await put(born('DEMO-14'));
    const later = table();
    for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate);
    expect(columns.size).toBe(13);
    held.resolve(true);
    await later;
    await table();
    expect(columns.size).toBe(14);
    await close();
    expect(saved).toEqual([10, 11, 12, 13, 14]);
  });

  test('is written by several tables at once, and is whole', async () => {
    await put(...many(300));
    const tables = [open(), open(), open()];
    const [first] = await Promise.all(tables.map((one) => one.table()));
    await Promise.all(tables.map((one) => one.close()));
    expect(files()).toEqual(['columns.bin']);
    const { reads, of } = countingReads(stored);
    const { columns } = await open({ of }).table();
    expect([columns.size, reads.chunks]).toEqual([first?.columns.size, 0]);
    expect(problems).toEqual([]);
  });

  test('that cannot be written or read is said once, and answers go on', async () => {
    await put(...many(30));
    const file = join(folder, 'file');
    writeFileSync(file, '');
    const first = open({ cache: file });
    expect((await first.table()).columns.size).toBe(30);
    await first.close();
    expect(problems).toHaveLength(1);
  });
});

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
      store.close();
      await openStore();
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
        if (step.kind === 'remove') await store.sync('file').removeIssues([String(step.id)]);
        if (step.kind === 'look') await running.table();
        if (step.kind === 'hold') await hold();
        if (step.kind === 'restart' || step.kind === 'tear') {
          await running.close();
          if (step.kind === 'tear' && readdirSync(folder).includes('columns.bin')) {
            truncateSync(join(folder, 'columns.bin'), 500);
          }
          running = open();
        }
        isHeld ||= step.kind === 'hold';
      }
      const fresh = createStoreTable({ store: stored, snapshot: null, now: () => now, onProblem: () => {} });
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
      expect(problems.filter((error) => !String(error).includes('is damaged'))).toEqual([]);
    }),
    { numRuns: runs(40) },
  );
});
