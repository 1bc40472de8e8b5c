import { millisecondsInMinute, millisecondsInSecond } from 'date-fns/constants';
import { describe, expect, test } from '#jest';
import { memo } from '../../src/cache/namespace.ts';
import { createBrowsePermissions } from '../../src/mirror/browse-permissions.ts';
import { tableOf } from '../../src/mirror/issue-table.ts';
import { AppError } from '../../src/model/error.ts';
import type { Issue, User } from '../../src/model/issue.ts';
import type { Browsable, FoundPermissions } from '../../src/trackers/live-tracker.ts';
import { anIssue } from '../support/issue-story.ts';
import { principalOf } from '../support/principal-of.ts';

const day = '2026-03-02T09:00:00Z';
/** Later issues have greater ids. */
const idOf = (key: string) => key.slice(key.indexOf('-') + 1);
const open = (key: string): Issue => ({ ...anIssue(key, day).issue, id: idOf(key) });
const levelled = (key: string, level = 'board'): Issue => ({
  ...anIssue(key, day).changes('security', null, level, day).issue,
  id: idOf(key),
});

/** The same table for the same issues. */
const tableFor = memo((issues: readonly Issue[]) => tableOf(issues));

const none = new Set<string>();
/** An answer of a tracker. */
const found = (
  projects: readonly string[],
  { issues = [], ...more }: Partial<Omit<FoundPermissions, 'issues'>> & { issues?: readonly string[] } = {},
): FoundPermissions => ({
  ...{ closedProjects: none, partly: none, unasked: 0, requests: 3, ...more },
  ...{ projects: new Set(projects), issues: new Set(issues) },
});

/** A tracker that lets everyone browse all issues of its requests, and a clock of the test's own. */
function aTracker(issues: readonly Issue[] = [open('WEB-1')], people = ['ada']) {
  const users = new Map<string, User>(people.map((id) => [id, { id, name: id }]));
  const world = {
    now: Date.parse(day),
    issues,
    trouble: null as Error | null,
    answer: async (about: Browsable) =>
      found(about.projects, { issues: about.singles.map(({ key }) => key) }),
  };
  const requests: { readonly user: string; readonly about: Browsable; readonly groups: string[] }[] = [];
  const permissionsFor = createBrowsePermissions({
    tracker: {
      async permissions(user, groups, about) {
        requests.push({ user: user.id, about, groups: groups.map(({ id }) => id) });
        if (world.trouble !== null) throw world.trouble;
        return world.answer(about);
      },
    },
    table: async () => tableFor(world.issues),
    users: async (ids) => new Map([...ids].flatMap((id) => [...users].filter(([known]) => known === id))),
    groups: async () => [
      { id: 'leads', name: 'Leads', members: ['ada'] },
      { id: 'others', name: 'Others', members: ['bob'] },
    ],
    now: () => world.now,
  });
  return {
    ...{ world, users, requests },
    sees: (user: string, admin = false) => permissionsFor(principalOf(user, admin ? 'admin' : 'user')),
    passes(ms: number) {
      world.now += ms;
    },
  };
}

function never(): never {
  throw new Error('A known person or request is missing.');
}

const down = new AppError('service-unavailable', 'The tracker does not answer.');

describe('a request to the tracker is about', () => {
  test('every project that has issues, every issue with a level, and the others where they are wanted', async () => {
    const tracker = aTracker([open('WEB-1'), levelled('web-2'), open('APP-3'), open('WEB-4')]);
    const permissions = await tracker.sees('ada');
    const [{ user, about, groups } = never()] = tracker.requests;
    expect([user, about.projects, groups]).toEqual(['ada', ['APP', 'WEB'], ['leads']]);
    const [single = never(), ...others] = about.singles;
    expect(single).toMatchObject({ key: 'WEB-2', project: 'WEB', level: 'board' });
    expect((await about.lookUp([single])).map(({ id }) => id)).toEqual(['2']);
    expect(others).toEqual([]);
    expect([...about.unlevelled('WEB')].map(({ key, level }) => [key, level])).toEqual([
      ['WEB-4', null],
      ['WEB-1', null],
    ]);
    expect([about.unlevelledIn('WEB'), about.unlevelledIn('APP'), about.unlevelledIn('OPS')]).toEqual([
      2, 1, 0,
    ]);
    expect([...permissions.projects, ...permissions.issues]).toEqual(['APP', 'WEB', 'WEB-2']);
  });

  test('an issue with a level that has no id is left out, so it is closed', async () => {
    const { id: _, ...nameless } = levelled('WEB-2');
    const tracker = aTracker([nameless]);
    tracker.world.answer = async ({ projects, singles, lookUp }) =>
      found(projects, { issues: (await lookUp(singles)).map(({ key }) => key) });
    const { projects, issues } = await tracker.sees('ada');
    expect([...projects, ...issues]).toEqual(['WEB']);
  });
});

test('no request is sent for an admin, for an erased person, nor for an unknown one, who sees nothing until they are known', async () => {
  const tracker = aTracker();
  await tracker.sees('ada', true);
  const nothing = { projects: none, closedProjects: none, issues: none, unasked: 0 };
  expect(await tracker.sees('eve')).toEqual(nothing);
  expect(await tracker.sees('')).toEqual(nothing);
  const erased = 'erased-0123456789abcdef';
  tracker.users.set(erased, { id: erased, name: 'Erased person 0123' });
  expect(await tracker.sees(erased)).toEqual(nothing);
  expect(tracker.requests).toEqual([]);
  tracker.users.set('eve', { id: 'eve', name: 'Eve' });
  expect((await tracker.sees('eve')).projects).toEqual(new Set(['WEB']));
});

describe('an answer is cached', () => {
  test('for five minutes, and is the same value as long as the tracker says the same', async () => {
    const tracker = aTracker();
    const first = await tracker.sees('ada');
    tracker.passes(5 * millisecondsInMinute - 1);
    expect(await tracker.sees('ada')).toBe(first);
    expect(tracker.requests).toHaveLength(1);
    tracker.passes(1);
    expect(await tracker.sees('ada')).toBe(first);
    expect(tracker.requests).toHaveLength(2);
    tracker.world.answer = async () => found([]);
    tracker.passes(5 * millisecondsInMinute);
    expect((await tracker.sees('ada')).projects).toEqual(new Set());
  });

  test.each<[string, readonly Issue[]]>([
    ['a new project', [open('WEB-1'), open('NEW-1')]],
    ['a new issue with a level', [open('WEB-1'), levelled('WEB-2')]],
  ])('for half a minute only once there is %s', async (_what, issues) => {
    const tracker = aTracker();
    const first = await tracker.sees('ada');
    tracker.world.issues = issues;
    tracker.passes(30 * millisecondsInSecond - 1);
    expect(await tracker.sees('ada')).toBe(first);
    tracker.passes(1);
    expect(await tracker.sees('ada')).not.toEqual(first);
    expect(tracker.requests).toHaveLength(2);
  });

  test('no longer either once the level of an issue is another', async () => {
    const tracker = aTracker([levelled('WEB-1', 'board')]);
    await tracker.sees('ada');
    tracker.world.issues = [levelled('WEB-1', 'staff')];
    tracker.world.answer = async () => found([]);
    tracker.passes(30 * millisecondsInSecond);
    expect((await tracker.sees('ada')).issues).toEqual(new Set());
  });

  test('for as long although other issues of the same projects came', async () => {
    const tracker = aTracker();
    await tracker.sees('ada');
    tracker.world.issues = [open('WEB-1'), open('WEB-2')];
    tracker.passes(millisecondsInMinute);
    await tracker.sees('ada');
    expect(tracker.requests).toHaveLength(1);
  });

  test('for each principal by itself, and of three hundred at most', async () => {
    const people = Array.from({ length: 301 }, (_, i) => `user ${i}`);
    const tracker = aTracker(undefined, people);
    for (const user of people) await tracker.sees(user);
    expect(tracker.requests).toHaveLength(301);
    await tracker.sees('user 300');
    await tracker.sees('user 1');
    expect(tracker.requests).toHaveLength(301);
    await tracker.sees('user 0');
    expect(tracker.requests).toHaveLength(302);
  });

  test('never by a clock that was set back', async () => {
    const tracker = aTracker();
    await tracker.sees('ada');
    tracker.passes(-millisecondsInMinute);
    await tracker.sees('ada');
    expect(tracker.requests).toHaveLength(2);
  });
});

describe('a later request is about new issues and projects only', () => {
  const about = ({ requests }: ReturnType<typeof aTracker>) => {
    const { projects, singles } = requests.at(-1)?.about ?? never();
    return [...projects, ...singles.map(({ key }) => key)];
  };

  test('and is seen beside what was seen before', async () => {
    const tracker = aTracker([open('WEB-1'), levelled('WEB-2')]);
    await tracker.sees('ada');
    tracker.world.issues = [open('WEB-1'), levelled('WEB-2'), levelled('WEB-3'), open('NEW-4')];
    tracker.passes(30 * millisecondsInSecond);
    const { projects, issues } = await tracker.sees('ada');
    expect(about(tracker)).toEqual(['NEW', 'WEB-3']);
    expect([...projects, ...issues]).toEqual(['WEB', 'NEW', 'WEB-2', 'WEB-3']);
  });

  test('an issue with another level than before included, and none of a closed project', async () => {
    const tracker = aTracker([levelled('WEB-1'), levelled('WEB-2'), open('APP-3')]);
    tracker.world.answer = async () => found(['WEB'], { issues: ['WEB-1', 'WEB-2'] });
    await tracker.sees('ada');
    tracker.world.issues = [levelled('WEB-1', 'staff'), levelled('WEB-2'), open('APP-3'), levelled('APP-4')];
    tracker.world.answer = async () => found([]);
    tracker.passes(30 * millisecondsInSecond);
    expect([...(await tracker.sees('ada')).issues]).toEqual(['WEB-2']);
    expect(about(tracker)).toEqual(['WEB-1']);
  });

  test('in a project that is open issue by issue its new issues', async () => {
    const tracker = aTracker([open('WEB-1'), open('APP-2')]);
    tracker.world.answer = async () =>
      found(['APP'], { issues: ['WEB-1'], partly: new Set(['WEB']), unasked: 2 });
    await tracker.sees('ada');
    tracker.world.issues = [open('WEB-1'), open('APP-2'), open('WEB-3'), open('APP-4')];
    tracker.world.answer = async () => found([], { issues: ['WEB-3'], unasked: 1 });
    tracker.passes(30 * millisecondsInSecond);
    const { issues, unasked } = await tracker.sees('ada');
    expect(about(tracker)).toEqual(['WEB-3']);
    expect([...issues, unasked]).toEqual(['WEB-1', 'WEB-3', 3]);
  });
});

describe('an answer that took more than fifty requests', () => {
  const costly = (projects: readonly string[]) => async () => found(projects, { requests: 51 });

  test('is good for fifteen minutes, and is renewed behind the principal after five', async () => {
    const tracker = aTracker();
    tracker.world.answer = costly(['WEB']);
    const first = await tracker.sees('ada');
    tracker.passes(5 * millisecondsInMinute);
    const { promise, resolve } = Promise.withResolvers<FoundPermissions>();
    tracker.world.answer = () => promise;
    expect(await tracker.sees('ada')).toBe(first);
    expect(await tracker.sees('ada')).toBe(first);
    resolve(found([], { requests: 51 }));
    await promise;
    await new Promise(setImmediate);
    expect(tracker.requests).toHaveLength(2);
    expect((await tracker.sees('ada')).projects.size).toBe(0);
    expect(tracker.requests).toHaveLength(2);
  });

  test('is no longer good after that, and the tracker fails then', async () => {
    const tracker = aTracker();
    tracker.world.answer = costly(['WEB']);
    const first = await tracker.sees('ada');
    tracker.world.trouble = down;
    tracker.passes(15 * millisecondsInMinute - 1);
    expect(await tracker.sees('ada')).toBe(first);
    await new Promise(setImmediate);
    tracker.passes(1);
    await expect(tracker.sees('ada')).rejects.toBe(down);
  });
});

test('calls for a person at the same time wait for one answer', async () => {
  const tracker = aTracker(undefined, ['ada', 'bob']);
  const { promise, resolve } = Promise.withResolvers<FoundPermissions>();
  tracker.world.answer = () => promise;
  const all = [tracker.sees('ada'), tracker.sees('ada'), tracker.sees('bob')];
  resolve(found(['WEB']));
  const [first, second] = await Promise.all(all);
  expect(second).toBe(first);
  expect(tracker.requests.map(({ user }) => user)).toEqual(['ada', 'bob']);
});

describe('when the tracker fails', () => {
  test('the caller gets its error, which is not cached', async () => {
    const tracker = aTracker();
    tracker.world.trouble = down;
    await expect(tracker.sees('ada')).rejects.toBe(down);
    await expect(tracker.sees('ada')).rejects.toBe(down);
    tracker.world.trouble = null;
    expect((await tracker.sees('ada')).projects).toEqual(new Set(['WEB']));
  });

  test('an answer of less than five minutes is still good, an older one is not', async () => {
    const tracker = aTracker();
    const first = await tracker.sees('ada');
    tracker.world.trouble = down;
    tracker.world.issues = [open('WEB-1'), open('NEW-1')];
    tracker.passes(millisecondsInMinute);
    expect(await tracker.sees('ada')).toBe(first);
    tracker.passes(4 * millisecondsInMinute);
    await expect(tracker.sees('ada')).rejects.toBe(down);
  });

  test('a bug is no reason to go on with an earlier answer', async () => {
    const tracker = aTracker();
    await tracker.sees('ada');
    tracker.world.trouble = new TypeError('a bug');
    tracker.world.issues = [open('NEW-1')];
    tracker.passes(millisecondsInMinute);
    await expect(tracker.sees('ada')).rejects.toThrow('a bug');
  });
});
