import { millisecondsInDay } from 'date-fns/constants';
import { describe, expect, test } from '#jest';
import type { TrackerIssues } from '../../../src/mirror/lists/tracker-issues.ts';
import { createFieldTitles } from '../../../src/mirror/use-field-ids.ts';
import { runs, soaking } from '../../support/soak.ts';
import { altered, rateLimited, unavailable } from '../../support/stand-in-jira-faults.ts';
import type { JiraWorld } from '../../support/stand-in-jira-world.ts';
import { startTracker, trackerNow, wholeIssueOf } from '../../trackers/jira/start-tracker.ts';
import { startSync } from './start-sync.ts';

/** More than two pages of Cloud, and than one of Data Center. */
const FEW = 210;
const ISSUES = soaking ? Math.min(50_000, runs(5 * FEW)) : FEW;
/** Ten of each size, each twice the one before. */
const SMALL_PAGES = 70;
async function start(wish: Parameters<typeof startTracker>[0]) {
  let passed = 0;
  const { tracker, jira, world, pass } = await startTracker({ issues: ISSUES, ...wish });
  const later = (ms: number) => {
    passed += ms;
    pass(ms);
  };
  return { tracker, jira, world, later, ...(await startSync({ now: () => trackerNow + passed })) };
}

/** Ids whose stored issue differs from the tracker's. */
async function different(world: JiraWorld, issues: TrackerIssues): Promise<readonly string[]> {
  const { issues: stored } = await issues.changedSince(0, 100_000);
  const titles = createFieldTitles();
  titles.note((await issues.directory()).fields);
  const byId = new Map(stored.map(({ issue }) => [issue.id ?? '', JSON.stringify(sortedMembers(issue))]));
  const wrong: string[] = [];
  for (const id of world.ids()) {
    if (byId.get(id) !== JSON.stringify(sortedMembers(titles.useIds(wholeIssueOf(world, id)))))
      wrong.push(id);
    byId.delete(id);
  }
  return [...wrong, ...byId.keys()];
}

/** Members of an issue come in the order in which it was put together. */
function sortedMembers(issue: object): object {
  return Object.fromEntries(Object.entries(issue).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

const searches = /^\/search(\/jql)?$/;

describe.each(['cloud', 'dataCenter'] as const)('Jira %s', (mode) => {
  test('is taken whole, with few requests and within its limits', async () => {
    const { tracker, jira, world, issues, process } = await start({ mode });
    const status = await process(tracker).turn();
    expect(status).toMatchObject({ filled: true, issues: ISSUES, cutHistories: 0, problem: null });
    expect(await different(world, issues)).toEqual([]);
    const forIssues = jira.calls.filter(({ path }) => searches.test(path) || path.includes('changelog'));
    // Beside 40 for 1,000 issues: their number, and what was updated meanwhile.
    expect(forIssues.length).toBeLessThanOrEqual((ISSUES / 1000) * 40 + 4);
    expect(jira.spent().busiestSecond).toBeLessThanOrEqual(100);
  });

  test('is followed: changes, moves, new and removed issues', async () => {
    const { tracker, jira, world, later, issues, filled } = await start({
      mode,
      issues: 60,
      lagMs: 20_000,
    });
    const sync = await filled(tracker);
    later(30 * 60_000);
    const [one = '', two = '', three = '', four = ''] = world.keys();
    world.transition(one);
    const moved = world.move(two, 'OPS2');
    world.edit(three);
    world.add(3);
    later(25_000);
    const before = jira.calls.length;
    await sync.turn();
    expect(await different(world, issues)).toEqual([]);
    expect(jira.calls.length - before).toBeLessThan(15);
    expect((await issues.issue(two))?.key).toBe(moved);

    world.remove(four);
    later(25_000);
    const status = await sync.turn({ compare: true });
    expect(await different(world, issues)).toEqual([]);
    expect(await issues.issue(four)).toBeNull();
    expect(status.comparedAt).not.toBeNull();
  });

  test.each([600_000, -600_000])('is followed with a clock %d ms ahead of ours', async (aheadMs) => {
    const { tracker, world, later, issues, filled, process } = await start({ mode, issues: 60 });
    world.runAhead(aheadMs);
    await filled(tracker);
    for (const key of [...world.keys()].slice(0, 5)) {
      later(60_000);
      world.transition(key);
      const status = await process(tracker).turn();
      expect(status.clockAheadMs).toBeGreaterThan(aheadMs - 2000);
      expect(status.clockAheadMs).toBeLessThan(aheadMs + 2000);
    }
    expect(await different(world, issues)).toEqual([]);
  });

  test.each([
    ['by the next process', 0],
    ['days later, when the place in the search is no longer good', 2 * millisecondsInDay],
  ])('is continued %s where a page was refused again and again', async (_, laterMs) => {
    const { tracker, jira, world, later, issues, process } = await start({ mode });
    let searched = 0;
    jira.faults.push(
      ({ path }) => searches.test(path) && ++searched > (mode === 'cloud' ? 1 : 2),
      unavailable(null),
      50,
    );
    await expect(process(tracker).turn()).rejects.toThrow();
    jira.faults.clear();
    const stopped = await process(tracker).status();
    expect(stopped).toMatchObject({ filled: false, done: await issues.count(), asOf: null });
    expect(stopped.problem?.message).toContain('/search');
    expect(stopped.done).toBeGreaterThan(0);
    later(laterMs);
    const before = jira.calls.length;
    expect(await process(tracker).turn()).toMatchObject({ filled: true, done: ISSUES, problem: null });
    expect(await different(world, issues)).toEqual([]);
    const again = jira.calls.slice(before).filter(({ path }) => searches.test(path));
    // The pages that were left, updates, and the comparison; after failures pages are small for a while.
    if (laterMs === 0) expect(again.length).toBeLessThanOrEqual(2 + 1 + 3 + SMALL_PAGES);
  });

  test('may ask us to slow down', async () => {
    const { tracker, jira, world, issues, process } = await start({ mode, issues: 60 });
    jira.faults.push(() => true, rateLimited(2), 3);
    jira.faults.push(({ path }) => searches.test(path), rateLimited(30), 3);
    const status = await process(tracker).turn();
    expect(status.requests.slowedDown).toBeGreaterThanOrEqual(6);
    expect(status.requests.sent).toBe(jira.calls.length);
    expect(await different(world, issues)).toEqual([]);
  });

  test.each([true, false])(
    'is compared by status and assignee, which may change without a new `updated` (in the changelog: %j)',
    async (withEntries) => {
      const { tracker, jira, world, later, issues, filled } = await start({ mode, issues: 60 });
      const sync = await filled(tracker);
      later(30 * 60_000);
      await sync.turn({ compare: true });
      const before = jira.calls.length;
      await sync.turn({ compare: true });
      const requests = jira.calls.length - before;

      const [one = '', two = '', three = ''] = world.ids();
      world.changeSilently(one, 2, withEntries);
      world.changeSilently(two, null, withEntries);
      later(60_000);
      // No look at what was updated finds it.
      await sync.turn();
      expect((await different(world, issues)).toSorted()).toEqual([one, two].toSorted());
      await sync.turn({ compare: true });
      expect(await different(world, issues)).toEqual([]);
      // Nor is there more to ask for where nothing has changed.
      const after = jira.calls.length;
      await sync.turn({ compare: true });
      expect(jira.calls.length - after).toBe(requests);

      world.changeSilently(three, 3, withEntries);
      later(millisecondsInDay + 60_000);
      await sync.turn();
      expect(await different(world, issues)).toEqual([]);
    },
  );

  test('that answers as to an anonymous user sends no news and removes no issue', async () => {
    const { tracker, jira, world, later, issues, process } = await start({ mode, issues: 60 });
    const sync = process(tracker);
    const { asOf } = await sync.turn();
    later(2 * 3_600_000);
    const stored = { asOf, issues: 60 };

    jira.faults.push(
      '/myself',
      altered(() => ({})),
      Number.POSITIVE_INFINITY,
    );
    await expect(sync.turn()).rejects.toMatchObject({ code: 'not-allowed' });
    expect(await sync.status()).toMatchObject(stored);
    expect((await sync.status())?.problem?.message).toContain('anonymous');
    jira.faults.clear();

    // It knows us, and shows nothing all the same.
    for (const key of world.keys()) jira.manners.withheld.add(key.split('-')[0] ?? '');
    for (const compare of [false, true]) {
      later(60_000);
      await expect(sync.turn({ compare })).rejects.toMatchObject({ code: 'unavailable' });
      expect(await sync.status()).toMatchObject(stored);
    }
    expect((await sync.status())?.problem?.message).toContain('none of the 60 issues kept here');
    // A webhook is no reason to take an issue away either.
    const [gone = ''] = world.ids();
    await sync.nudge([gone]);
    await expect(sync.turn()).rejects.toMatchObject({ code: 'unavailable' });
    expect(await issues.count()).toBe(60);

    jira.manners.withheld.clear();
    world.transition([...world.keys()][3] ?? '');
    later(60_000);
    const status = await sync.turn();
    expect(status).toMatchObject({ problem: null, issues: 60 });
    expect(status.asOf).toBeGreaterThan(asOf ?? 0);
    expect(await different(world, issues)).toEqual([]);

    for (const key of world.keys()) jira.manners.withheld.add(key.split('-')[0] ?? '');
    expect(await sync.turn({ compare: true, acceptRemovals: true })).toMatchObject({ issues: 0 });
  });

  test('removes no issue when the account has lost its right to browse, unless an admin accepts it', async () => {
    const { tracker, jira, world, later, filled } = await start({ mode });
    const sync = await filled(tracker);
    const projects = [...new Set([...world.keys()].map((key) => key.split('-')[0] ?? ''))];
    for (const project of projects.slice(0, -1)) jira.manners.withheld.add(project);
    later(60_000);
    const guarded = await sync.turn({ compare: true });
    expect(guarded.issues).toBe(ISSUES);
    expect(guarded.problem?.message).toContain('none was removed');
    const accepted = await sync.turn({ compare: true, acceptRemovals: true });
    expect(accepted.issues).toBeLessThan(ISSUES / 2);
    expect(accepted.problem).toBeNull();
    jira.manners.withheld.clear();
    expect(await sync.turn({ compare: true })).toMatchObject({
      issues: ISSUES,
    });
  });
});

describe.each(['cloud', 'dataCenter'] as const)('Jira %s that fails to show some issues', (mode) => {
  // At the edges of pages of either product, in the middle, and side by side.
  test.each([
    ['error', [0, 1, 2, 3, 99, 130, 198, 199, 200, 201, FEW - 1]],
    ...(soaking ? ([['error', [0]]] as const) : []),
    ['silence', soaking ? [0, 130, FEW - 1] : [130]],
  ] as const)(
    'is taken but for those, which are named, and taken once they are shown: %s at %j',
    async (how, places) => {
      const { tracker, jira, world, issues, later, process } = await start({ mode, issues: FEW });
      const ids = [...world.ids()];
      const bad = places.map((place) => ids[place] ?? '');
      for (const id of bad) jira.manners.untellable.set(id, how);
      const sync = process(tracker);
      const status = await sync.turn();
      expect(status).toMatchObject({ filled: true, problem: null, issues: FEW - bad.length });
      expect((await different(world, issues)).toSorted()).toEqual(bad.toSorted());
      const keys = bad.map((id) => world.whole(id).key);
      expect(status.withheld.map((line) => line.split(':')[0]).toSorted()).toEqual(keys.toSorted());
      const reason = how === 'error' ? 'with HTTP 500' : 'did not answer';
      for (const line of status.withheld) expect(line).toContain(reason);

      // Neither does it stop what follows.
      world.transition(ids[50] ?? '');
      world.edit(bad[0] ?? '');
      later(26 * 3_600_000);
      expect(await sync.turn()).toMatchObject({ problem: null, issues: FEW - bad.length });
      expect((await different(world, issues)).toSorted()).toEqual(bad.toSorted());

      jira.manners.untellable.clear();
      later(2 * 3_600_000);
      expect(await sync.turn()).toMatchObject({ withheld: [], issues: FEW, problem: null });
      expect(await different(world, issues)).toEqual([]);
    },
  );
});

test('an issue with the character NUL, which not every database stores, is named and holds up no other', async () => {
  const { tracker, jira, world, issues, process } = await start({ mode: 'cloud', issues: 20 });
  const [id = ''] = world.ids();
  const { key, fields } = world.whole(id);
  jira.faults.push(
    // Issues that were found and not taken are requested by their ids.
    ({ path }) => path === '/search/jql' || path === '/issue/bulkfetch',
    altered((answer) =>
      JSON.parse(JSON.stringify(answer).replaceAll(JSON.stringify(fields?.summary), '"odd\\u0000"')),
    ),
    Number.POSITIVE_INFINITY,
  );
  const status = await process(tracker).turn();
  expect(status).toMatchObject({ filled: true, issues: 19, problem: null });
  expect(status.withheld).toEqual([`${key}: fields.summary has the character NUL, which cannot be stored`]);
  expect(await different(world, issues)).toEqual([id]);
});

test('lists that Jira sends in a wrong form hold up neither a fill nor the other lists', async () => {
  const { tracker, jira, issues, process } = await start({ mode: 'cloud', issues: 20 });
  jira.faults.push('/users/search', unavailable(null), Number.POSITIVE_INFINITY);
  jira.faults.push(
    '/field',
    altered(() => ({ values: 'odd' })),
    Number.POSITIVE_INFINITY,
  );
  const status = await process(tracker).turn();
  expect(status).toMatchObject({ filled: true, issues: 20, problem: null });
  const lists = status.withheld.map((line) => line.split(':')[0]).toSorted();
  expect(lists).toEqual(['fields', 'people']);
  expect((await issues.directory()).groups.length).toBeGreaterThan(0);
});

test('a soak takes more issues than a hurry', () => {
  expect(ISSUES > FEW).toBe(soaking);
});
