import { expect, test } from '#jest';
import { FieldHistories } from '../../../src/engine/columns/field-histories.ts';
import { historySource } from '../../../src/engine/measure/own-cells.ts';
import { anIssue } from '../../support/issue-story.ts';

const ROWS = 100;

/** Reads a field of one issue that went through some values, in the first row of a hundred. */
function read(histories: FieldHistories, field: string, ...values: string[]): void {
  const story = values.reduce(
    (begun, value, i) => begun.changes(field, values[i - 1] ?? null, value, `2026-03-0${i + 3}T09:00:00Z`),
    anIssue('WEB-1', '2026-03-02T09:00:00Z'),
  );
  histories.begin(field, ROWS);
  histories.fill(field, 0, historySource(story.issue));
  histories.end(field, ROWS, { pause: () => null, onLetGo: () => {} });
}

const valuesOf = (histories: FieldHistories, field: string) => {
  const { values } = histories.find(field) ?? {};
  const { at, count, codes } = histories.arrays()[field] ?? {};
  return Array.from({ length: count?.[0] ?? 0 }, (_, i) => values?.at(codes?.[(at?.[0] ?? 0) + i] ?? 0));
};

test('beyond a size the history that was used first is let go, unless it is leased', () => {
  const histories = new FieldHistories(undefined, 5_000);
  read(histories, 'priority', 'High');
  read(histories, 'rank', '1');
  histories.find('priority');
  read(histories, 'points', '3');
  expect(['priority', 'rank', 'points'].map((field) => histories.has(field))).toEqual([true, false, true]);
  const release = histories.lease('priority');
  histories.find('points');
  read(histories, 'rank', '1');
  expect(['priority', 'rank', 'points'].map((field) => histories.has(field))).toEqual([true, true, false]);
  release();
  read(histories, 'points', '3');
  expect(['priority', 'rank', 'points'].map((field) => histories.has(field))).toEqual([false, true, true]);
});

test('a history of many values is among the facts of a snapshot only while it is leased', () => {
  const histories = new FieldHistories();
  read(histories, 'priority', 'High', 'Low');
  const fieldsKept = (maxValues: number) => histories.facts(maxValues).map(({ field }) => field);
  expect([fieldsKept(4), fieldsKept(3)]).toEqual([['priority'], []]);
  const release = histories.lease('priority');
  expect(fieldsKept(3)).toEqual(['priority']);
  release();
  expect(fieldsKept(3)).toEqual([]);
});

test('a history that is read again has its values under the codes they had', () => {
  const histories = new FieldHistories(undefined, 3_000);
  read(histories, 'priority', 'High', 'Low');
  const before = histories.find('priority')?.values;
  const codeOf = (name: string) => before?.find({ id: name, name });
  const codes = ['High', 'Low'].map(codeOf);
  read(histories, 'rank', '1');
  expect(histories.find('priority')).toBeNull();
  read(histories, 'priority', 'Low', 'High');
  const again = histories.find('priority')?.values;
  expect(['High', 'Low'].map((name) => again?.find({ id: name, name }))).toEqual(codes);
  expect(valuesOf(histories, 'priority')).toEqual([
    null,
    { id: 'Low', name: 'Low' },
    { id: 'High', name: 'High' },
  ]);
});

test('what was begun and given up takes no place, and can be begun again', () => {
  const histories = new FieldHistories();
  histories.begin('priority', ROWS);
  histories.abandon('priority');
  expect([histories.has('priority'), histories.arrays()]).toEqual([false, {}]);
  read(histories, 'priority', 'High');
  histories.abandon('priority');
  expect(valuesOf(histories, 'priority')).toEqual([null, { id: 'High', name: 'High' }]);
});

test('a history that is used while histories are compacted is compacted once', async () => {
  const histories = new FieldHistories();
  read(histories, 'priority', 'High');
  let pauses = 0;
  const compact = await histories.compacted(Uint32Array.of(0), () => {
    pauses += 1;
    if (pauses > 20) return null;
    histories.find('priority');
    return Promise.resolve();
  });
  expect(pauses).toBeLessThan(5);
  expect(valuesOf(compact, 'priority')).toEqual([null, { id: 'High', name: 'High' }]);
});

test('of histories that were let go no more values are remembered than one may have', () => {
  const histories = new FieldHistories(undefined, 1);
  const long = 'x'.repeat(2 ** 22);
  const codeOf = (field: string) => {
    read(histories, field, 'High');
    return histories.find(field)?.values.find({ id: 'High', name: 'High' });
  };
  read(histories, 'priority', 'Low', 'High');
  const code = codeOf('priority');
  read(histories, 'rank', '1');
  expect(codeOf('priority')).toBe(code);
  for (let i = 0; i < 4; i += 1) read(histories, `text ${i}`, `${i}${long}`);
  read(histories, 'rank', '1');
  expect(codeOf('priority')).not.toBe(code);
});

test('the values of a history count for its size', () => {
  const histories = new FieldHistories(undefined, 200_000);
  for (const field of ['summary', 'environment']) read(histories, field, `${field} ${'x'.repeat(30_000)}`);
  expect(['summary', 'environment'].map((field) => histories.has(field))).toEqual([false, true]);
});

test('a history that has every row, a file had it or not, gets room for some more visits at a time', () => {
  const { issue } = anIssue('WEB-1', '2026-03-02T09:00:00Z').changes(
    'rank',
    '1',
    '2',
    '2026-03-03T09:00:00Z',
  );
  const [one, other] = [
    new FieldHistories(),
    FieldHistories.of([{ field: 'rank', bits: { codes: 16, authors: 16 }, values: [], visits: 0 }], [], ROWS),
  ];
  read(one, 'rank', '1');
  for (const histories of [one, other]) {
    for (let row = 1; row < 70; row += 1) histories.write(row, historySource(issue));
    const { starts, count } = histories.arrays().rank ?? {};
    const used = Array.from(count ?? []).reduce((sum, visits) => sum + visits, 0);
    expect(starts?.length).toBeLessThan(1.5 * used);
  }
});
