import { millisecondsInMinute } from 'date-fns/constants';
import { describe, expect, test } from '#jest';
import { altered, refusal } from '../../support/stand-in-jira-faults.ts';
import { startTracker, trackerNow } from '../../trackers/jira/start-tracker.ts';
import { startSync } from './start-sync.ts';

const PROJECTS = 63;
/** The projects that are read at once. */
const SLICE = 20;

/** A Jira with an issue in each of many projects. */
async function start() {
  const started = await startTracker({ issues: 0, more: { projects: PROJECTS - 5 } });
  const { tracker, jira, world } = started;
  for (const { key } of world.projects) world.add(1, key);
  let passed = 0;
  const now = () => trackerNow + passed;
  const sync = await startSync({ now, withAccess: true });
  const projects = world.projects.map(({ key }) => key);
  return {
    ...{ tracker, jira, world, projects, ...sync },
    pass(ms: number) {
      passed += ms;
      started.pass(ms);
    },
    /** Projects whose permission schemes were read. */
    read: () => jira.calls.flatMap(({ path }) => /^\/project\/(.+)\/permissionscheme$/.exec(path)?.[1] ?? []),
    /** Projects with a stored answer that is good. */
    async stored() {
      const accessOf = await sync.kept.projectAccess(now());
      return projects.filter((project) => accessOf(project) !== undefined);
    },
    /** Calls `work` with the request that is the `count`th for a scheme. */
    atScheme(count: number, work: () => void) {
      let left = count;
      jira.faults.push(
        ({ path }) => {
          if (path.endsWith('/permissionscheme')) left -= 1;
          if (left === 0) work();
          return false;
        },
        refusal(500, 'Never.'),
      );
    },
  };
}

test('who can browse projects is stored, and read again when it is due', async () => {
  const { tracker, world, projects, process, pass, read, stored } = await start();
  await process(tracker).turn();
  expect(new Set(read())).toEqual(new Set(projects));
  expect(await stored()).toEqual(projects);
  pass(10 * millisecondsInMinute - 1);
  await process(tracker).turn();
  expect(read()).toHaveLength(PROJECTS);
  // A project that has no issue any more is forgotten.
  const [gone = ''] = world.keys();
  world.remove(gone);
  pass(1);
  await process(tracker).turn({ compare: true });
  expect(read()).toHaveLength(2 * PROJECTS - 1);
  expect(await stored()).toEqual(projects.filter((project) => !gone.startsWith(`${project}-`)));
  pass(15 * millisecondsInMinute);
  expect(await stored()).toEqual([]);
});

test('the first answers are good for an hour, for it is unknown what they will cost', async () => {
  const { tracker, process, pass, stored } = await start();
  await process(tracker).turn();
  pass(60 * millisecondsInMinute - 1);
  expect(await stored()).toHaveLength(PROJECTS);
  pass(1);
  expect(await stored()).toEqual([]);
});

describe('while projects are read', () => {
  test('a process that is stopped leaves its place to the next one', async () => {
    const { tracker, process, read, stored, atScheme } = await start();
    const first = process(tracker);
    atScheme(2 * SLICE + 5, () => void first.stop());
    await expect(first.turn()).rejects.toMatchObject({ reason: 'stopping' });
    const before = read();
    expect((await stored()).length).toBe(2 * SLICE);
    await process(tracker).turn();
    expect(await stored()).toHaveLength(PROJECTS);
    const again = read().slice(before.length);
    // The stopped process may have had requests under way.
    expect(new Set(again).size).toBe(PROJECTS - 2 * SLICE);
  });

  test('an announced change is read after a slice, not after all', async () => {
    const { tracker, jira, world, process, atScheme } = await start();
    const [id = ''] = world.ids();
    const sync = process(tracker);
    let sent = 0;
    atScheme(5, () => {
      void sync.nudge([id]);
      sent = jira.calls.length;
    });
    await sync.turn();
    const waited = jira.calls.slice(sent).findIndex(({ body }) => JSON.stringify(body).includes(id));
    expect(waited).toBeGreaterThanOrEqual(0);
    expect(waited).toBeLessThanOrEqual(SLICE + 1);
  });

  test('a failure holds up neither issues nor lists, and the next turn goes on', async () => {
    const { tracker, jira, issues, process, stored } = await start();
    jira.faults.push(
      '/project/search',
      altered(() => ({})),
      Number.POSITIVE_INFINITY,
    );
    const sync = process(tracker);
    expect(await sync.turn()).toMatchObject({ filled: true, issues: PROJECTS, problem: null });
    expect((await issues.directory()).groups).toHaveLength(3);
    expect(await stored()).toEqual([]);
    jira.faults.clear();
    await sync.turn();
    expect(await stored()).toHaveLength(PROJECTS);
  });
});
