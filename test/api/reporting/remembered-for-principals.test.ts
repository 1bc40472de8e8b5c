import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from '#jest';
import {
  createCyclePercentiles,
  createDwellPercentiles,
} from '../../../src/api/answers/figures/usual-times.ts';
import { createMemoryMirror, createStoreMirror } from '../../../src/mirror/create-mirrors.ts';
import { tableOf } from '../../../src/mirror/issue-table.ts';
import type { Mirror } from '../../../src/mirror/mirror.ts';
import { AppError } from '../../../src/model/error.ts';
import type { Issue } from '../../../src/model/issue.ts';
import { anIssue } from '../../support/issue-story.ts';
import { localReporting } from '../../support/local-reporting.ts';
import { openTestStore } from '../../support/open-test-store.ts';
import { principalOf } from '../../support/principal-of.ts';
import { aStatus } from '../../support/small-world.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const [ada, bob, eve] = [principalOf('ada'), principalOf('bob'), principalOf('eve')];
const now = () => Date.parse('2026-03-18T12:00:00Z');
const statuses = [
  aStatus('To Do', { category: 'To Do' }),
  aStatus('Doing', { category: 'In Progress' }),
  aStatus('Done', { category: 'Done' }),
];
const replace = <One>(_: One, incoming: One) => incoming;

/** An issue, Ada's unless it is another's, that was in progress for two days; a secret one is for its own people and viewers of its level. */
function finished(key: string, { secret = false, assignee = 'ada' } = {}): Issue {
  const story = anIssue(key, '2026-03-01T09:00:00Z')
    .moves('Doing', '2026-03-02T09:00:00Z')
    .moves('Done', '2026-03-04T09:00:00Z')
    .changes('assignee', null, assignee, '2026-03-05T09:00:00Z');
  const { issue } = secret ? story.changes('security', null, 'Secret', '2026-03-06T09:00:00Z') : story;
  return { ...issue, assignee: { id: assignee, name: assignee } };
}

/** The reporting port over a store, which others write to meanwhile. */
async function living(issues: readonly Issue[], viewers: readonly string[] = []) {
  const store = await openTestStore(temporaryFolder());
  const stored = store.issues('file');
  await stored.putStatuses(statuses, 'list');
  await stored.putIssues(issues, replace);
  const opensTo = (...names: readonly string[]) =>
    stored.putDirectory({ access: [{ kind: 'level', id: 'Secret', viewers: names }] });
  await opensTo(...viewers);
  const mirror = createStoreMirror('file', stored);
  return {
    ...{ stored, mirror, opensTo },
    reporting: localReporting(mirror, now),
    close: () => store.close(),
  };
}

const noTable = async () => {
  throw new Error('No columns are needed here.');
};

test('who sees the same issues of a project shares an effect, whatever they see of others', async () => {
  const { reporting, stored, opensTo, close } = await living(
    [finished('WEB-1'), finished('WEB-2', { secret: true }), finished('APP-1')],
    ['ada', 'bob'],
  );
  const effects = (project: string) =>
    Promise.all([ada, bob, eve].map((principal) => reporting.effectOn(principal, [project])));
  const [first, same, less] = await effects('WEB');
  expect(first).toEqual(expect.any(String));
  expect(same).toBe(first);
  expect(less).not.toBe(first);
  expect(new Set(await effects('APP')).size).toBe(1);

  await opensTo('ada', 'bob', 'eve');
  expect(new Set(await effects('WEB')).size).toBe(1);

  await opensTo('ada');
  const [, narrowed] = await effects('WEB');
  expect(narrowed).toBe(less);

  await stored.putIssues([finished('WEB-2')], replace);
  expect(new Set(await effects('WEB')).size).toBe(1);
  close();
});

test('the projects of assigned issues follow issues and rights', async () => {
  const { reporting, stored, close } = await living([finished('WEB-1'), finished('APP-1')]);
  const projects = async () => Object.fromEntries(await reporting.assignedProjects(ada));
  expect(await projects()).toEqual({ WEB: 1, APP: 1 });
  expect(await reporting.assignedProjects(ada)).toBe(await reporting.assignedProjects(ada));
  expect(await reporting.assignedProjects(bob)).toEqual(new Map());

  await stored.putIssues([finished('WEB-2')], replace);
  expect(await projects()).toEqual({ WEB: 2, APP: 1 });

  await stored.putDirectory({ access: [{ kind: 'project', id: 'WEB', viewers: ['bob'] }] });
  expect(await projects()).toEqual({ APP: 1 });
  close();
});

test('examples follow issues and rights, and need no columns', async () => {
  const { mirror, stored, opensTo, close } = await living([finished('WEB-1', { secret: true })]);
  const reporting = localReporting({ ...mirror, table: noTable }, now);
  expect(await reporting.exampleKeys(bob, 1)).toEqual([]);
  await opensTo('bob');
  expect(await reporting.exampleKeys(bob, 1)).toEqual(['WEB-1']);
  expect(await reporting.exampleKeys(bob, 1)).toBe(await reporting.exampleKeys(bob, 1));
  await opensTo('eve');
  expect(await reporting.exampleKeys(bob, 1)).toEqual([]);
  await stored.putIssues([finished('WEB-1')], replace);
  expect(await reporting.exampleKeys(bob, 1)).toEqual(['WEB-1']);
  close();
});

test('examples of a first fill are not remembered beyond it', async () => {
  const { mirror, close } = await living([finished('WEB-1')]);
  let isFilled = false;
  const filling = async () => {
    if (!isFilled) throw new AppError('not-filled-yet', 'The first fill goes on.');
  };
  const keysThen: string[] = [];
  const recentKeys = async (count: number) => (isFilled ? mirror.recentKeys(count) : keysThen);
  const reporting = localReporting({ ...mirror, settled: filling, recentKeys }, now);
  expect(await reporting.exampleKeys(bob, 1)).toEqual([]);
  isFilled = true;
  expect(await reporting.exampleKeys(bob, 1)).toEqual(['WEB-1']);
  close();
});

test('a table that was replaced is let go, though its principals never come again', async () => {
  const issues = [finished('WEB-1')];
  const real = createMemoryMirror({ name: 'sample', async *entries() {} }, now);
  let table = tableOf(issues);
  const mirror: Mirror = { ...real, table: async () => table };
  const reporting = localReporting(mirror, now);
  await reporting.assignedProjects(ada);
  await reporting.exampleKeys(ada, 1);
  const former = new WeakRef(table);
  table = tableOf(issues);
  await reporting.assignedProjects(bob);
  await reporting.exampleKeys(bob, 1);
  setFlagsFromString('--expose-gc');
  await runInNewContext('gc')({ execution: 'async' });
  expect(former.deref()).toBeUndefined();
});

const MANY = 6;
const some = [
  ...Array.from({ length: MANY }, (_, i) => finished(`WEB-${i + 1}`)),
  ...Array.from({ length: MANY }, (_, i) => finished(`WEB-${i + 101}`, { secret: true })),
];

/** How many issues, or visits, what is usual for a principal was learned from. */
describe.each([
  [
    'cycle times',
    (reporting: ReturnType<typeof localReporting>) => {
      const learn = createCyclePercentiles(reporting, now);
      return async (principal: typeof ada) =>
        (await learn(principal, 'WEB', 'normalHours', now()))?.issues ?? 0;
    },
  ],
  [
    'dwell times',
    (reporting: ReturnType<typeof localReporting>) => {
      const learn = createDwellPercentiles(reporting, now);
      return async (principal: typeof ada) => {
        const found = await learn(principal, ['WEB'], 'normalHours', now());
        return found.get('WEB')?.byStatus.get('Doing')?.visits ?? 0;
      };
    },
  ],
])('usual %s', (_, learning) => {
  test('learned while rights widen are shown to nobody who sees less', async () => {
    const { reporting, opensTo, close } = await living(some);
    let passes = 0;
    const widening = async () => {
      passes += 1;
      if (passes === 1) await opensTo('bob');
    };
    const usual = learning({
      ...reporting,
      async finishedSpans(input) {
        await widening();
        return reporting.finishedSpans(input);
      },
      async endedVisits(input) {
        await widening();
        return reporting.endedVisits(input);
      },
    });
    // Eve comes while Bob's is being learned, and has the effect that his rights had at the beginning.
    expect(await Promise.all([usual(bob), usual(eve)])).toEqual([2 * MANY, MANY]);
    // Of Bob's pass nothing was remembered, and Eve's is for all with the effect.
    const before = passes;
    expect(await usual(eve)).toBe(MANY);
    expect(await usual(principalOf('zoe'))).toBe(MANY);
    expect(passes).toBe(before);
    expect(await usual(bob)).toBe(2 * MANY);
    close();
  });

  test('count the restricted issues of each person, and those that all see are learned once', async () => {
    const { reporting, close } = await living([
      ...some,
      finished('WEB-201', { secret: true, assignee: 'bob' }),
      finished('WEB-202', { secret: true, assignee: 'bob' }),
      finished('APP-1'),
    ]);
    const parts: string[] = [];
    const usual = learning({
      ...reporting,
      finishedSpans(input) {
        parts.push(String(input.part?.classes));
        return reporting.finishedSpans(input);
      },
      endedVisits(input) {
        parts.push(String(input.classes));
        return reporting.endedVisits(input);
      },
    });
    expect(await usual(ada)).toBe(2 * MANY);
    expect(await usual(bob)).toBe(MANY + 2);
    expect(await usual(eve)).toBe(MANY);
    expect(parts).toEqual(['open', 'restricted', 'restricted']);
    // In the other order as well.
    const again = learning(reporting);
    expect([await again(eve), await again(bob), await again(ada)]).toEqual([MANY, MANY + 2, 2 * MANY]);
    close();
  });
});
