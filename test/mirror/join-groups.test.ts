import { describe, expect, test } from '#jest';
import { joinGroups } from '../../src/mirror/fill.ts';
import type { Group } from '../../src/model/directory.ts';
import type { Membership } from '../../src/trackers/tracker.ts';

const group = (id: string, ...members: string[]): Group => ({ id, name: id.toUpperCase(), members });
const isIn = (user: string, ...ids: string[]): Membership => ({
  user,
  groups: ids.map((id) => ({ id, name: id.toUpperCase() })),
  whole: true,
});

describe('joinGroups', () => {
  test('adds people to the groups they are in, kept or new, and leaves the others there', () => {
    expect(joinGroups([group('web', 'ada')], [], [isIn('bob', 'web', 'app')])).toEqual([
      group('web', 'ada', 'bob'),
      group('app', 'bob'),
    ]);
  });

  test('takes a person out of every kept group that a whole list of theirs lacks', () => {
    const kept = [group('web', 'ada', 'bob'), group('app', 'bob')];
    expect(joinGroups(kept, [], [isIn('bob', 'app')])).toEqual([group('web', 'ada'), group('app', 'bob')]);
    expect(joinGroups(kept, [], [isIn('bob')])).toEqual([group('web', 'ada'), group('app')]);
  });

  test('takes nobody out for a list that is not whole', () => {
    const part = { ...isIn('bob', 'app'), whole: false };
    expect(joinGroups([group('web', 'bob')], [], [part])).toEqual([group('web', 'bob'), group('app', 'bob')]);
  });

  test('replaces the people of a group that is told itself', () => {
    const kept = [group('web', 'ada', 'bob'), group('app', 'ada')];
    expect(joinGroups(kept, [group('web', 'eve')], [])).toEqual([group('web', 'eve'), group('app', 'ada')]);
  });

  test('adds up what a group and people tell together, and several lists of one person', () => {
    const told = [isIn('bob', 'web'), isIn('eve', 'app'), isIn('eve', 'ops')];
    expect(joinGroups([group('web', 'ada'), group('app', 'eve')], [group('web', 'eve')], told)).toEqual([
      group('web', 'eve', 'bob'),
      group('app', 'eve'),
      group('ops', 'eve'),
    ]);
  });

  test('calls a group by the name that was told last', () => {
    const renamed = { ...isIn('bob'), groups: [{ id: 'web', name: 'Site' }] };
    expect(joinGroups([group('web', 'ada')], [], [renamed])).toEqual([
      { id: 'web', name: 'Site', members: ['ada', 'bob'] },
    ]);
  });
});
