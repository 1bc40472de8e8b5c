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

/** What a tracker answers. */
function found(
  projects: readonly string[],
  {
    issues = [],
    ...more
  }: Partial<Omit<FoundPermissions, 'issues'>> & { readonly issues?: readonly string[] } = {},
): FoundPermissions {
  const none = new Set<string>();
  const rest = { closedProjects: none, partly: none, unasked: 0, requests: 3, ...more };
  return { projects: new Set(projects), issues: new Set(issues), ...rest };
}

/** A tracker that lets everybody browse all it is asked about, and is asked by a clock of the test's own. */
function aTracker({
  issues = [open('WEB-1')],
  people = ['ada'],
}: {
  issues?: Issue[];
  people?: string[];
} = {}) {
  const users = new Map<string, User>(people.map((id) => [id, { id, name: id }]));
  const world = { now: Date.parse(day), issues: issues as readonly Issue[], trouble: null as Error | null };
  const asked: { readonly user: string; readonly about: Browsable; readonly groups: readonly string[] }[] =
    [];
  let answer = (about: Browsable): Promise<FoundPermissions> =>
    Promise.resolve(found(about.projects, { issues: about.singles.map(({ key }) => key) }));
  const permissionsFor = createBrowsePermissions({
    tracker: {
      async permissions(user, groups, about) {
        asked.push({ user: user.id, about, groups: groups.map(({ id }) => id) });
        if (world.trouble !== null) throw world.trouble;
        return answer(about);
      },
    },
    table: async () => tableFor(world.issues),
    users: async (ids) =>
      new Map([...ids].flatMap((id) => (users.has(id) ? [[id, users.get(id) ?? never()]] : []))),
    groups: async () => [
      { id: 'leads', name: 'Leads', members: ['ada'] },
      { id: 'others', name: 'Others', members: ['bob'] },
    ],
    now: () => world.now,
  });
  return {
    world,
    users,
    asked,
    answersWith: (other: typeof answer) => {
      answer = other;
    },
    sees: (user: string, admin = false) => permissionsFor(principalOf(user, admin ? 'admin' : 'user')),
    passes: (ms: number) => {
      world.now += ms;
    },
  };
}

function never(): never {
  throw new Error('somebody known is unknown');
}

const down = new AppError('service-unavailable', 'The tracker cannot be asked.');

describe('what the tracker is asked about', () => {
  test('every project that has issues, every issue with a level, and the others where they are wanted', async () => {
    const tracker = aTracker({ issues: [open('WEB-1'), levelled('web-2'), open('APP-3'), open('WEB-4')] });
    const permissions = await tracker.sees('ada');
    const [{ user, about, groups } = never()] = tracker.asked;
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
    const tracker = aTracker({ issues: [nameless] });
    tracker.answersWith(async ({ projects, singles, lookUp }) =>
      found(projects, { issues: (await lookUp(singles)).map(({ key }) => key) }),
    );
    const { projects, issues } = await tracker.sees('ada');
    expect([...projects, ...issues]).toEqual(['WEB']);
  });
});

describe('nothing is asked', () => {
  test('of somebody the tracker does not know: they see nothing, until it knows them', async () => {
    const tracker = aTracker();
    const none = new Set();
    const nothing = { projects: none, closedProjects: none, issues: none, unasked: 0 };
    expect(await tracker.sees('eve')).toEqual(nothing);
    expect(await tracker.sees('')).toEqual(nothing);
    expect(tracker.asked).toEqual([]);
    tracker.users.set('eve', { id: 'eve', name: 'Eve' });
    expect((await tracker.sees('eve')).projects).toEqual(new Set(['WEB']));
  });

  test('of an admin', async () => {
    const tracker = aTracker();
    await tracker.sees('ada', true);
    expect(tracker.asked).toEqual([]);
  });
});

describe('an answer is kept', () => {
  test('for five minutes, and is the same value as long as the tracker says the same', async () => {
    const tracker = aTracker();
    const first = await tracker.sees('ada');
    tracker.passes(5 * millisecondsInMinute - 1);
    expect(await tracker.sees('ada')).toBe(first);
    expect(tracker.asked).toHaveLength(1);
    tracker.passes(1);
    expect(await tracker.sees('ada')).toBe(first);
    expect(tracker.asked).toHaveLength(2);
    tracker.answersWith(async () => found([]));
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
    expect(tracker.asked).toHaveLength(2);
  });

  test('no longer either once the level of an issue is another', async () => {
    const tracker = aTracker({ issues: [levelled('WEB-1', 'board')] });
    await tracker.sees('ada');
    tracker.world.issues = [levelled('WEB-1', 'staff')];
    tracker.answersWith(async () => found([]));
    tracker.passes(30 * millisecondsInSecond);
    expect((await tracker.sees('ada')).issues).toEqual(new Set());
  });

  test('for as long although other issues of the same projects came', async () => {
    const tracker = aTracker();
    await tracker.sees('ada');
    tracker.world.issues = [open('WEB-1'), open('WEB-2')];
    tracker.passes(millisecondsInMinute);
    await tracker.sees('ada');
    expect(tracker.asked).toHaveLength(1);
  });

  test('for each principal by itself, and of three hundred at most', async () => {
    const people = Array.from({ length: 301 }, (_, i) => `user ${i}`);
    const tracker = aTracker({ people });
    for (const user of people) await tracker.sees(user);
    expect(tracker.asked).toHaveLength(301);
    await tracker.sees('user 300');
    await tracker.sees('user 1');
    expect(tracker.asked).toHaveLength(301);
    await tracker.sees('user 0');
    expect(tracker.asked).toHaveLength(302);
  });

  test('never by a clock that was set back', async () => {
    const tracker = aTracker();
    await tracker.sees('ada');
    tracker.passes(-millisecondsInMinute);
    await tracker.sees('ada');
    expect(tracker.asked).toHaveLength(2);
  });
});

describe('only what is new is asked about', () => {
  const about = ({ asked }: ReturnType<typeof aTracker>) => {
    const { projects, singles } = asked.at(-1)?.about ?? never();
    return [...projects, ...singles.map(({ key }) => key)];
  };

  test('and is seen beside what was seen before', async () => {
    const tracker = aTracker({ issues: [open('WEB-1'), levelled('WEB-2')] });
    await tracker.sees('ada');
    tracker.world.issues = [open('WEB-1'), levelled('WEB-2'), levelled('WEB-3'), open('NEW-4')];
    tracker.passes(30 * millisecondsInSecond);
    const { projects, issues } = await tracker.sees('ada');
    expect(about(tracker)).toEqual(['NEW', 'WEB-3']);
    expect([...projects, ...issues]).toEqual(['WEB', 'NEW', 'WEB-2', 'WEB-3']);
  });

  test('an issue with another level than before included, and none of a closed project', async () => {
    const tracker = aTracker({ issues: [levelled('WEB-1'), levelled('WEB-2'), open('APP-3')] });
    tracker.answersWith(async () => found(['WEB'], { issues: ['WEB-1', 'WEB-2'] }));
    await tracker.sees('ada');
    tracker.world.issues = [levelled('WEB-1', 'staff'), levelled('WEB-2'), open('APP-3'), levelled('APP-4')];
    tracker.answersWith(async () => found([]));
    tracker.passes(30 * millisecondsInSecond);
    expect([...(await tracker.sees('ada')).issues]).toEqual(['WEB-2']);
    expect(about(tracker)).toEqual(['WEB-1']);
  });

  test('in a project that is open issue by issue its new issues', async () => {
    const tracker = aTracker({ issues: [open('WEB-1'), open('APP-2')] });
    tracker.answersWith(async () =>
      found(['APP'], { issues: ['WEB-1'], partly: new Set(['WEB']), unasked: 2 }),
    );
    await tracker.sees('ada');
    tracker.world.issues = [open('WEB-1'), open('APP-2'), open('WEB-3'), open('APP-4')];
    tracker.answersWith(async () => found([], { issues: ['WEB-3'], unasked: 1 }));
    tracker.passes(30 * millisecondsInSecond);
    const { issues, unasked } = await tracker.sees('ada');
    expect(about(tracker)).toEqual(['WEB-3']);
    expect([...issues, unasked]).toEqual(['WEB-1', 'WEB-3', 3]);
  });
});

describe('an answer that took more than fifty requests', () => {
  const dear = (projects: readonly string[]) => async () => found(projects, { requests: 51 });

  test('is good for fifteen minutes, and is renewed behind the principal after five', async () => {
    const tracker = aTracker();
    tracker.answersWith(dear(['WEB']));
    const first = await tracker.sees('ada');
    tracker.passes(5 * millisecondsInMinute);
    const { promise, resolve } = Promise.withResolvers<FoundPermissions>();
    tracker.answersWith(() => promise);
    expect(await tracker.sees('ada')).toBe(first);
    expect(await tracker.sees('ada')).toBe(first);
    resolve(found([], { requests: 51 }));
    await promise;
    await new Promise(setImmediate);
    expect(tracker.asked).toHaveLength(2);
    expect((await tracker.sees('ada')).projects.size).toBe(0);
    expect(tracker.asked).toHaveLength(2);
  });

  test('is no longer good after that, and the failure of the tracker is told then', async () => {
    const tracker = aTracker();
    tracker.answersWith(dear(['WEB']));
    const first = await tracker.sees('ada');
    tracker.world.trouble = down;
    tracker.passes(15 * millisecondsInMinute - 1);
    expect(await tracker.sees('ada')).toBe(first);
    await new Promise(setImmediate);
    tracker.passes(1);
    await expect(tracker.sees('ada')).rejects.toBe(down);
  });
});

test('who asks while the tracker is asked about them waits for the same answer', async () => {
  const tracker = aTracker({ people: ['ada', 'bob'] });
  const { promise, resolve } = Promise.withResolvers<FoundPermissions>();
  tracker.answersWith(() => promise);
  const all = [tracker.sees('ada'), tracker.sees('ada'), tracker.sees('bob')];
  resolve(found(['WEB']));
  const [first, second] = await Promise.all(all);
  expect(second).toBe(first);
  expect(tracker.asked.map(({ user }) => user)).toEqual(['ada', 'bob']);
});

describe('when the tracker cannot be asked', () => {
  test('that goes on to whoever asks, and is not kept', async () => {
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
