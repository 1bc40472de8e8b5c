import { describe, expect, test } from '@jest/globals';
import { createSights } from '../../src/mirror/create-sights.ts';
import { AppError } from '../../src/model/error.ts';
import type { Issue, User } from '../../src/model/issue.ts';
import type { Sight } from '../../src/model/sight.ts';
import type { Browsable } from '../../src/tracker/live-tracker.ts';
import { anIssue } from '../support/issue-story.ts';

const day = '2026-03-02T09:00:00Z';
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const open = (key: string): Issue => ({ ...anIssue(key, day).issue, id: `id of ${key}` });
const levelled = (key: string, level = 'board'): Issue => ({
  ...anIssue(key, day).changes('security', null, level, day).issue,
  id: `id of ${key}`,
});

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
  const asked: { readonly user: string; readonly about: Browsable }[] = [];
  let answer = (about: Browsable): Promise<Sight> =>
    Promise.resolve({
      projects: new Set(about.projects),
      levelled: new Set(about.levelled.map(({ key }) => key)),
    });
  const sightFor = createSights({
    tracker: {
      async sightOf(user, about) {
        asked.push({ user: user.id, about });
        if (world.trouble !== null) throw world.trouble;
        return answer(about);
      },
    },
    issues: async () => world.issues,
    users: async (ids) =>
      new Map([...ids].flatMap((id) => (users.has(id) ? [[id, users.get(id) ?? never()]] : []))),
    now: () => world.now,
  });
  return {
    world,
    users,
    asked,
    answersWith: (other: typeof answer) => {
      answer = other;
    },
    sees: (user: string, admin = false) => sightFor({ user, admin }),
    passes: (ms: number) => {
      world.now += ms;
    },
  };
}

function never(): never {
  throw new Error('somebody known is unknown');
}

const down = new AppError('unavailable', 'The tracker cannot be asked.');

describe('what the tracker is asked about', () => {
  test('every project that has issues, and every issue with a level and the people its fields name', async () => {
    const secret = levelled('web-2');
    const tracker = aTracker({
      people: ['ada', 'bob', 'cy', 'dan'],
      issues: [
        open('WEB-1'),
        {
          ...secret,
          assignee: { id: 'bob', name: 'Bob' },
          fields: {
            ...secret.fields,
            assignee: { id: 'bob', name: 'Bob' },
            reporter: { id: 'gone', name: 'Gone' },
            customfield_10001: [
              { id: 'cy', name: 'Cy' },
              { id: 'bob', name: 'Bob' },
            ],
          },
        },
        open('APP-1'),
      ],
    });
    const sight = await tracker.sees('ada');
    expect(tracker.asked).toEqual([
      {
        user: 'ada',
        about: {
          projects: ['WEB', 'APP'],
          levelled: [
            { id: 'id of web-2', key: 'WEB-2', project: 'WEB', level: 'board', people: ['bob', 'cy'] },
          ],
        },
      },
    ]);
    expect(sight).toEqual({ projects: new Set(['WEB', 'APP']), levelled: new Set(['WEB-2']) });
  });

  test('an issue with a level that has no id is left out, so it is closed', async () => {
    const { id: _, ...nameless } = levelled('WEB-2');
    const tracker = aTracker({ issues: [nameless] });
    expect(await tracker.sees('ada')).toEqual({ projects: new Set(['WEB']), levelled: new Set() });
  });
});

describe('nothing is asked', () => {
  test('of somebody the tracker does not know: they see nothing, until it knows them', async () => {
    const tracker = aTracker();
    const nothing = { projects: new Set(), levelled: new Set() };
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
    tracker.passes(5 * MINUTE - 1);
    expect(await tracker.sees('ada')).toBe(first);
    expect(tracker.asked).toHaveLength(1);
    tracker.passes(1);
    expect(await tracker.sees('ada')).toBe(first);
    expect(tracker.asked).toHaveLength(2);
    tracker.answersWith(async () => ({ projects: new Set(), levelled: new Set() }));
    tracker.passes(5 * MINUTE);
    expect((await tracker.sees('ada')).projects).toEqual(new Set());
  });

  test.each<[string, readonly Issue[]]>([
    ['a new project', [open('WEB-1'), open('NEW-1')]],
    ['a new issue with a level', [open('WEB-1'), levelled('WEB-2')]],
  ])('for half a minute only once there is %s', async (_what, issues) => {
    const tracker = aTracker();
    const first = await tracker.sees('ada');
    tracker.world.issues = issues;
    tracker.passes(30 * SECOND - 1);
    expect(await tracker.sees('ada')).toBe(first);
    tracker.passes(1);
    expect(await tracker.sees('ada')).not.toEqual(first);
    expect(tracker.asked).toHaveLength(2);
  });

  test('no longer either once the level of an issue is another', async () => {
    const tracker = aTracker({ issues: [levelled('WEB-1', 'board')] });
    await tracker.sees('ada');
    tracker.world.issues = [levelled('WEB-1', 'staff')];
    tracker.answersWith(async () => ({ projects: new Set(['WEB']), levelled: new Set() }));
    tracker.passes(30 * SECOND);
    expect((await tracker.sees('ada')).levelled).toEqual(new Set());
  });

  test('for as long although other issues of the same projects came', async () => {
    const tracker = aTracker();
    await tracker.sees('ada');
    tracker.world.issues = [open('WEB-1'), open('WEB-2')];
    tracker.passes(MINUTE);
    await tracker.sees('ada');
    expect(tracker.asked).toHaveLength(1);
  });

  test('for each asker by itself, and of three hundred at most', async () => {
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
    tracker.passes(-MINUTE);
    await tracker.sees('ada');
    expect(tracker.asked).toHaveLength(2);
  });
});

test('who asks while the tracker is asked about them waits for the same answer', async () => {
  const tracker = aTracker({ people: ['ada', 'bob'] });
  const { promise, resolve } = Promise.withResolvers<Sight>();
  tracker.answersWith(() => promise);
  const all = [tracker.sees('ada'), tracker.sees('ada'), tracker.sees('bob')];
  resolve({ projects: new Set(['WEB']), levelled: new Set() });
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
    tracker.passes(MINUTE);
    expect(await tracker.sees('ada')).toBe(first);
    tracker.passes(4 * MINUTE);
    await expect(tracker.sees('ada')).rejects.toBe(down);
  });

  test('a bug is no reason to go on with an earlier answer', async () => {
    const tracker = aTracker();
    await tracker.sees('ada');
    tracker.world.trouble = new TypeError('a bug');
    tracker.world.issues = [open('NEW-1')];
    tracker.passes(MINUTE);
    await expect(tracker.sees('ada')).rejects.toThrow('a bug');
  });
});
