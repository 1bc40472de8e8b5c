import { expect, test } from '#jest';
import type { SavedFilter } from '../../../src/model/directory.ts';
import { aWorld, issueWith } from './a-world.ts';
import { found, refusal } from './ask.ts';

const filter = (id: string, jql: string, more: Partial<SavedFilter> = {}): SavedFilter => ({
  id,
  name: `Filter ${id}`,
  jql,
  owner: null,
  shared: true,
  ...more,
});

const issues = [
  issueWith('WEB-1', { labels: [{ id: 'ui', name: 'ui' }] }),
  issueWith('WEB-2'),
  issueWith('OPS-1'),
];
const filters = [
  filter('1', 'labels = ui order by created'),
  filter('2', 'project = WEB AND NOT filter = 1'),
  filter('3', 'filter = 4'),
  filter('4', 'filter = "Filter 3"'),
  filter('5', 'filter = 5'),
  filter('6', 'status = Dnoe'),
  filter('7', 'project = and'),
  filter('8', 'project = OPS', { shared: false, owner: 'bob' }),
  filter('9', 'project = WEB', { name: 'Twins' }),
  filter('10', 'project = OPS', { name: 'Twins' }),
];
const world = aWorld({ issues, directory: { filters } });

test.each([
  ['filter = 1', ['WEB-1']],
  ['request = "filter 1"', ['WEB-1']],
  ['filter != 1', ['WEB-2', 'OPS-1']],
  ['filter in (1, 2)', ['WEB-1', 'WEB-2']],
  ['filter not in (1, 2)', ['OPS-1']],
  ['filter = 2', ['WEB-2']],
  ['filter = Twins', ['WEB-1', 'WEB-2', 'OPS-1']],
])('%s', (jql, keys) => {
  expect(found(jql, world)).toEqual(keys);
});

test('a filter of somebody else is one that never was, but to its owner and to admins', () => {
  expect(refusal('filter = 8', world)).toBe(
    "customjql: '8' at position 9 is not a saved filter that you can use. Try: the id or the name of one.",
  );
  expect(refusal('filter = 8', world).replace('8', '88')).toBe(refusal('filter = 88', world));
  expect(found('filter = 8', { ...world, principal: 'bob' })).toEqual(['OPS-1']);
  expect(found('filter = 8', { ...world, admin: true })).toEqual(['OPS-1']);
});

test.each([
  ['filter = 5', "customjql: filter 'Filter 5': '5' at position 9 asks for the filter it is part of"],
  [
    'filter = 3',
    "customjql: filter 'Filter 3' > 'Filter 4': '\"Filter 3\"' at position 9 asks for the filter it is part of",
  ],
  ['filter = 6', "customjql: filter 'Filter 6': 'Dnoe' at position 9 is not a value of status"],
  ['filter = 7', "customjql: filter 'Filter 7': expected EMPTY or a value at position 10"],
  [
    'filter ~ 1',
    "customjql: '~' at position 7 is not an operator that filter takes. Try: =, !=, in, not in.",
  ],
  ['filter = currentUser()', 'is not a saved filter'],
  ['filter is empty', "'is' at position 7 is not an operator that filter takes"],
])('%s is refused', (jql, why) => {
  expect(refusal(jql, world)).toContain(why);
});

test('filters that ask for each other many times over are evaluated once', () => {
  const doubling = Array.from({ length: 60 }, (_, i) =>
    filter(String(i + 1), i === 0 ? 'labels = absent' : `filter = ${i} OR filter = ${i}`),
  );
  expect(found('filter = 60', aWorld({ issues, directory: { filters: doubling } }))).toEqual([]);
});

test('filters within filters end somewhere', () => {
  const chain = Array.from({ length: 150 }, (_, i) =>
    filter(String(i + 1), i === 0 ? 'labels = ui' : `filter = ${i}`),
  );
  const deep = aWorld({ issues, directory: { filters: chain } });
  expect(found('filter = 100', deep)).toEqual(['WEB-1']);
  expect(refusal('filter = 150', deep)).toContain('is a filter 101 filters deep. Try: at most 100.');
});
