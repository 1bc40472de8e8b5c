import { expect, test } from '#jest';
import { joinDirectory, joinGroups } from '../../src/mirror/lists/tracker-lists.ts';
import type { Group } from '../../src/model/directory.ts';
import type { Membership } from '../../src/trackers/tracker.ts';

const field = (id: string, name = id) => ({ id, name });

test('joinDirectory adds up lists by id; the last entry of an id counts', () => {
  const project = { kind: 'project', id: '1', viewers: ['ada'] } as const;
  const level = { kind: 'level', id: '1', viewers: ['bob'] } as const;
  const { fields, access, groups } = joinDirectory([
    { fields: [field('10'), field('9')], access: [project, level] },
    { fields: [field('9', 'nine'), field('summary')], access: [{ ...level, viewers: [] }] },
  ]);
  expect(fields).toEqual([field('9', 'nine'), field('10'), field('summary')]);
  expect(access).toEqual([{ ...level, viewers: [] }, project]);
  expect(groups).toEqual([]);
});

const group = (id: string, ...members: string[]): Group => ({ id, name: id.toUpperCase(), members });
const isIn = (user: string, ...ids: string[]): Membership => ({
  user,
  groups: ids.map((id) => ({ id, name: id.toUpperCase() })),
  whole: true,
});

test.each<[string, Group[], Group[], Membership[], Group[]]>([
  [
    'adds people to the groups they are in, stored or new, and leaves the others there',
    [group('web', 'ada')],
    [],
    [isIn('bob', 'web', 'app')],
    [group('web', 'ada', 'bob'), group('app', 'bob')],
  ],
  [
    'takes a person out of a stored group that a whole list of theirs lacks',
    [group('web', 'ada', 'bob'), group('app', 'bob')],
    [],
    [isIn('bob', 'app')],
    [group('web', 'ada'), group('app', 'bob')],
  ],
  [
    'takes a person out of every stored group for an empty whole list',
    [group('web', 'ada', 'bob'), group('app', 'bob')],
    [],
    [isIn('bob')],
    [group('web', 'ada'), group('app')],
  ],
  [
    'takes no one out for a list that is not whole',
    [group('web', 'bob')],
    [],
    [{ ...isIn('bob', 'app'), whole: false }],
    [group('web', 'bob'), group('app', 'bob')],
  ],
  [
    'replaces the people of a group that is received itself',
    [group('web', 'ada', 'bob'), group('app', 'ada')],
    [group('web', 'eve')],
    [],
    [group('web', 'eve'), group('app', 'ada')],
  ],
  [
    'adds up a group and memberships, and several memberships of one person',
    [group('web', 'ada'), group('app', 'eve')],
    [group('web', 'eve')],
    [isIn('bob', 'web'), isIn('eve', 'app'), isIn('eve', 'ops')],
    [group('web', 'eve', 'bob'), group('app', 'eve'), group('ops', 'eve')],
  ],
  [
    'calls a group by the name that was received last',
    [group('web', 'ada')],
    [],
    [{ ...isIn('bob'), groups: [{ id: 'web', name: 'Site' }] }],
    [{ id: 'web', name: 'Site', members: ['ada', 'bob'] }],
  ],
])('joinGroups %s', (_, stored, received, memberships, expected) => {
  expect(joinGroups(stored, received, memberships)).toEqual(expected);
});
