import fc from 'fast-check';
import { expect, test } from '#jest';
import { createTableBuilder } from '../../../src/engine/measure/build-table.ts';
import {
  collectGroups,
  compareGroupKeys,
  compareGroups,
  groupKeyOf,
  groupRanks,
} from '../../../src/engine/measure/collect-groups.ts';
import { statusDuration } from '../../../src/engine/reports/status-duration.ts';
import type { Column } from '../../../src/model/table.ts';
import { asked } from '../../support/measuring.ts';

const column = (id: string): Column => ({ id, title: id, kind: 'text', part: 'group' });
const priority = [column('priority')];
const cellsOf = (name: string, id?: string) => ({
  priority: id === undefined ? { value: name } : { value: name, id },
});

test('priorities come from the most important one on', () => {
  fc.assert(
    fc.property(
      fc.shuffledSubarray(
        [
          ['Highest', '10100'],
          ['High', '2'],
          ['Medium', '3'],
          ['Low', '4'],
          ['Lowest', '5'],
          ['P1', '10001'],
          ['P0', '10002'],
          ['someday', undefined],
        ] as const,
        { minLength: 8, maxLength: 8 },
      ),
      (shuffled) => {
        const inOrder = shuffled
          .map(([name, id]) => cellsOf(name, id))
          .toSorted((a, b) => compareGroups(a, b, priority))
          .map((own) => own.priority.value);
        expect(inOrder).toEqual(['Highest', 'High', 'Medium', 'Low', 'Lowest', 'P1', 'P0', 'someday']);
      },
    ),
  );
  const older = ['Trivial', 'Major', 'Blocker', 'Minor', 'Critical'].map((name) => cellsOf(name));
  expect(older.toSorted((a, b) => compareGroups(a, b, priority)).map((own) => own.priority.value)).toEqual([
    ...['Blocker', 'Critical', 'Major', 'Minor', 'Trivial'],
  ]);
});

test('priorities come in the order of the tracker where it has told its list, those gone from it last', () => {
  const list = ['10001', '2', '4'].map((id, index) => ({ id, name: `Priority ${id}`, place: index }));
  const ranks = groupRanks(new Map(), list);
  const named = [
    cellsOf('Low', '4'),
    cellsOf('Highest', '1'),
    cellsOf('Urgent', '10001'),
    cellsOf('High', '2'),
  ];
  const keyed = named.map((own) => ({ own, key: groupKeyOf(own, priority, ranks) }));
  const sorted = keyed.toSorted((a, b) => compareGroupKeys(a.key, b.key));
  expect(sorted.map(({ own }) => own.priority.value)).toEqual(['Urgent', 'High', 'Low', 'Highest']);
});

test('statuses come in workflow order, those that are not in it by name behind them', () => {
  const ranks = groupRanks(new Map(['9', '10', '3'].map((id) => [id, null])), []);
  const status = [column('status')];
  const keys = ['3', '8', '10', '7', '9'].map((id) => ({
    id,
    key: groupKeyOf({ status: { value: `Status ${id}`, id } }, status, ranks),
  }));
  expect(keys.toSorted((a, b) => compareGroupKeys(a.key, b.key)).map(({ id }) => id)).toEqual([
    ...['9', '10', '3', '7', '8'],
  ]);
});

test('sprints come from the newest one on, those without a start before them', () => {
  const sprint = (id: string, start: string | null) => ({
    ...{ id, name: `Sprint ${id}`, state: 'closed' as const, board: null, end: null, completed: null },
    start: start === null ? null : Date.parse(start),
  });
  const sprints = [sprint('2', '2026-03-02'), sprint('10', '2026-03-16'), sprint('3', null)];
  const ranks = groupRanks(new Map(), [], { fields: ['customfield_1'], sprints });
  const field = [column('customfield_1')];
  const keys = ['2', '99', '3', '10'].map((id) => ({
    id,
    key: groupKeyOf({ customfield_1: { value: `Sprint ${id}`, id } }, field, ranks),
  }));
  const none = { id: 'none', key: groupKeyOf({}, field, ranks) };
  const sorted = [none, ...keys].toSorted((a, b) => compareGroupKeys(a.key, b.key));
  expect(sorted.map(({ id }) => id)).toEqual(['3', '10', '2', '99', 'none']);
});

test('issues that are in too many groups are refused before they are added', () => {
  const groups = collectGroups(priority, {
    ...{ type: 'sum', denominator: 'nonNull', deviation: 'population', percentile: 50 },
  });
  const values = Array.from({ length: 2 ** 16 }, (_, i) => ({ value: `P${i}`, id: String(i) }));
  const own = { priority: { value: 'all', id: 'all', values } };
  const measured = {
    columns: [],
    lines: [],
    current: [],
    unknown: null,
    contradictions: 0,
    states: null,
    statuses: [],
  };
  const begun = Array.from({ length: 130 }, () => groups.add(own, measured)[Symbol.iterator]());
  for (const steps of begun) steps.next();
  expect(groups.size()).toBe(2 ** 16);
  expect(() => begun.at(-1)?.next()).toThrow('Bad request');
});

test('a priority that is none is the last group', () => {
  const groups = collectGroups(priority, {
    ...{ type: 'sum', denominator: 'nonNull', deviation: 'population', percentile: 50 },
  });
  const measured = {
    columns: [],
    lines: [],
    current: [],
    unknown: null,
    contradictions: 0,
    states: null,
    statuses: [],
  };
  for (const own of [{}, cellsOf('Low', '4'), cellsOf('Highest', '1')]) Array.from(groups.add(own, measured));
  const inOrder = [...groups.condensed(() => true)].sort((a, b) => compareGroups(a.own, b.own, priority));
  expect(inOrder.map(({ own }) => own.priority?.value)).toEqual(['Highest', 'Low', undefined]);
});

test('statuses that are requested count for the width of a table before an issue was in them', () => {
  const ids = ['1', '2', '3'];
  const layout = {
    fields: [],
    groupBy: [],
    statuses: ids,
    consolidated: [],
    includeDeletedStatuses: false,
    groups: null,
    knownStatuses: new Map(
      ids.map((id) => [id, { id, name: `Status ${id}`, category: 'To Do', deleted: false }] as const),
    ),
  };
  const { size, shown } = createTableBuilder(statusDuration, asked('2026-03-02T10:00:00Z'), layout, null);
  expect(shown()).toBe(3);
  expect(size().columns).toBeGreaterThanOrEqual(3);
});
