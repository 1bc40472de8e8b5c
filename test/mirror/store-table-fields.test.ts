import { millisecondsInDay } from 'date-fns/constants';
import { describe, expect, test } from '#jest';
import { BLOCKERS, flagHistory } from '../../src/engine/columns/history-column.ts';
import { createTextReader } from '../../src/engine/columns/text-column.ts';
import type { IssueTable } from '../../src/mirror/issue-table.ts';
import type { StoreTable } from '../../src/mirror/store-table.ts';
import type { Issue } from '../../src/model/issue.ts';
import { born, many, renamed, storeOfTests } from './store-of-tests.ts';
import { countingReads, visitsIn } from './tables.ts';

const at = storeOfTests();
const { put, open } = at;

test('a field is loaded by the first request, by one reading for all at the same time, and stays loaded', async () => {
  await put(...many(700).map((issue, i) => renamed(issue, `about ${i % 3}`)));
  const { reads, of } = countingReads(at.stored);
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
      ...at.stored,
      issuesAfter: (...input) =>
        failures-- > 0 ? Promise.reject(new Error('the disk is gone')) : at.stored.issuesAfter(...input),
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
  const { reads, of } = countingReads(at.stored);
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
  const { reads, of } = countingReads(at.stored);
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
  const { reads, of } = countingReads(at.stored);
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
      ...at.stored,
      issuesAfter: (after, count, use) =>
        at.stored.issuesAfter(after, count, (some) =>
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
    const { reads, of } = countingReads(at.stored);
    const { table } = open({
      of: {
        ...of,
        async issuesAfter(after, count, use) {
          const ids = await of.issuesAfter(after, count, (some) => some.map(({ id }) => id));
          const issues = await at.stored.issuesAt(ids);
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
        ...at.stored,
        async changedSince(revision, count) {
          const { issues, ...found } = await at.stored.changedSince(revision, count);
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
