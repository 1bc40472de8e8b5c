import { millisecondsInDay } from 'date-fns/constants';
import { describe, expect, test } from '#jest';
import { emptyPage, type SearchWindow } from '../../../src/trackers/live-tracker.ts';
import { afterwards, altered, meanwhile, refusal } from '../../support/stand-in-jira-faults.ts';
import {
  allPages,
  expectSame,
  issuesIn,
  loadAll,
  type StartedTracker,
  startTracker,
  trackerNow,
  wholeIssueOf,
} from './start-tracker.ts';

const everything = { by: 'created', from: null } as const;
/** The issue with so many changelog entries, in any world. */
const withEntries = (keys: Iterable<string>, number: number) => [...keys][number] ?? '';
const LONGEST = 17;

function pathsOf({ jira }: StartedTracker, path: string): number {
  return jira.calls.filter((call) => call.path.includes(path)).length;
}

/** An answer in which every list of this name has lost its first element, or its last one. */
function withoutFirst(name: string, cut = (list: unknown[]) => list.slice(1)) {
  const without = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(without);
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, member]: [string, unknown]) => [
        key,
        key === name && Array.isArray(member) ? cut(member) : without(member),
      ]),
    );
  };
  return altered(without);
}

describe('whole histories', () => {
  test.each([
    ['Cloud that cuts at 40', { mode: 'cloud', issues: 105 }],
    ['Cloud whose totals lie', { mode: 'cloud', issues: 105, manners: { lies: true } }],
    ['Cloud that cuts at 100', { mode: 'cloud', issues: 105, manners: { embeds: 100, lies: true } }],
    [
      'Cloud that tells instants as numbers',
      { mode: 'cloud', issues: 20, manners: { bulkInstants: 'number' } },
    ],
    ['Cloud with short pages', { mode: 'cloud', issues: 105, manners: { shortPages: true } }],
    ['Cloud with changelogs longer than a page', { mode: 'cloud', issues: 20, longest: 4500 }],
    [
      'Cloud that offers no changelogs in bulk',
      { mode: 'cloud', issues: 105, manners: { forbidden: new Set(['/changelog/bulkfetch']) } },
    ],
    ['Data Center', { mode: 'dataCenter', issues: 205 }],
  ] as const)('are told by %s as its own full JSON does', async (_, wish) => {
    const { pages, issues, expected } = await loadAll(await startTracker(wish));
    expectSame(issues, expected);
    expect(pages.length).toBeGreaterThan(wish.issues > 100 ? 1 : 0);
    const lengths = [...issues.values()].map(
      ({ changes }) => new Set(changes.map(({ entry }) => entry)).size,
    );
    expect(Math.max(...lengths)).toBeGreaterThan(390);
    expect([...issues.values()].every(({ history }) => history.complete)).toBe(true);
  });

  test('cost one question for all of a page where changelogs come in bulk, and nothing is asked of the rest', async () => {
    const started = await startTracker({ issues: 100 });
    await allPages(started.tracker.load);
    expect(pathsOf(started, '/changelog/bulkfetch')).toBe(1);
    // Nobody could tell a changelog that just fits from one that was cut by a site whose totals lie.
    const fitting = [...started.world.ids()].filter((id) => started.world.whole(id).changelog?.total === 40);
    expect(pathsOf(started, '/changelog')).toBe(1 + fitting.length);
  });

  test('ask in bulk no more once that was refused', async () => {
    const started = await startTracker({ manners: { absent: new Set(['/changelog/bulkfetch']) } });
    await allPages(started.tracker.load);
    expect(pathsOf(started, '/changelog/bulkfetch')).toBe(1);
  });

  test.each(['own pages', 'no pages'])('of Data Center that embeds a part come from %s', async (where) => {
    const started = await startTracker({
      mode: 'dataCenter',
      issues: 20,
      manners: { ownChangelog: where === 'own pages' },
    });
    started.jira.faults.push('/search', withoutFirst('histories'));
    const { issues, expected } = await loadAll(started);
    expectSame(issues, expected);
  });

  test('are read issue by issue where the bulk lacks an entry', async () => {
    const started = await startTracker({ issues: 20 });
    started.jira.faults.push('/changelog/bulkfetch', withoutFirst('changeHistories'));
    const { issues, expected } = await loadAll(started);
    expectSame(issues, expected);
    expect(pathsOf(started, '/issue/')).toBeGreaterThan(0);
  });

  test('are read issue by issue where the bulk lacks the newest entry and nobody tells how many there are', async () => {
    const started = await startTracker({ issues: 20, manners: { lies: true } });
    const { jira } = started;
    jira.faults.push(
      '/changelog/bulkfetch',
      withoutFirst('changeHistories', (list) => list.slice(0, -1)),
    );
    const { issues, expected } = await loadAll(started);
    expectSame(issues, expected);
  });

  test('longer than a page of the bulk are read to their end there', async () => {
    const started = await startTracker({ issues: 20, longest: 4500 });
    await allPages(started.tracker.load);
    expect(pathsOf(started, '/changelog/bulkfetch')).toBe(3);
    const { calls } = started.jira;
    expect(calls.filter(({ path, query }) => path.startsWith('/issue/') && query.maxResults !== '1')).toEqual(
      [],
    );
  });

  test('are called cut, with the reason, where Jira goes on lacking an entry', async () => {
    const started = await startTracker({ issues: 20 });
    const { tracker, jira, world } = started;
    const key = withEntries(world.keys(), LONGEST);
    const { id } = world.whole(key);
    jira.faults.push('/changelog/bulkfetch', refusal(400, 'Not now.'));
    jira.faults.push(`/issue/${id}/changelog`, withoutFirst('values'), 100);
    const { issues, expected } = await loadAll(started);
    expect(issues.get(id)?.history).toEqual({
      complete: false,
      unknownFrom: null,
      unknownUntil: null,
      reason: expect.stringMatching(/^Jira counts 400 changelog entries and hands out 39\d$/),
    });
    issues.delete(id);
    expected.delete(id);
    expectSame(issues, expected);
    jira.faults.clear();
    const again = await tracker.loadIds([id]);
    expect(issuesIn(again.entries).get(id)).toEqual(wholeIssueOf(world, id));
  });

  test('are called cut where Jira refuses them', async () => {
    const started = await startTracker({
      issues: 20,
      manners: { forbidden: new Set(['/changelog/bulkfetch', '/issue/:id/changelog']) },
    });
    const { issues } = await loadAll(started);
    const cut = [...issues.values()].filter(({ history }) => !history.complete);
    expect(cut.length).toBeGreaterThan(3);
    expect(cut[0]?.history).toMatchObject({ reason: expect.stringContaining('whole changelog') });
  });

  test.each(['cloud', 'dataCenter'] as const)(
    'and fields are of one time when an issue of %s changes meanwhile',
    async (mode) => {
      const started = await startTracker({ issues: 20, mode });
      const { tracker, jira, world, pass } = started;
      const key = withEntries(world.keys(), LONGEST);
      const change = () => {
        pass(millisecondsInDay);
        world.transition(key);
      };
      if (mode === 'cloud') jira.faults.push('/search/jql', afterwards(change));
      else {
        jira.faults.push('/search', withoutFirst('histories'));
        jira.faults.push('/changelog', meanwhile(change));
      }
      const { entries } = await tracker.load(everything, null);
      const { id } = world.whole(key);
      expect(issuesIn(entries).get(id)).toEqual(wholeIssueOf(world, id));
    },
  );

  test('are read on when they grow while they are read', async () => {
    const started = await startTracker({
      issues: 20,
      manners: { absent: new Set(['/changelog/bulkfetch']) },
    });
    const { jira, world, pass } = started;
    const key = withEntries(world.keys(), LONGEST);
    const { id } = world.whole(key);
    const grow = () => {
      pass(60_000);
      for (let i = 0; i < 3; i += 1) world.transition(key);
    };
    jira.faults.push((call) => call.query.startAt === '300', meanwhile(grow));
    const { issues, expected } = await loadAll(started);
    expect(issues.get(id)?.history).toEqual({ complete: true });
    expectSame(issues, expected);
  });

  test('and issues are left out that go meanwhile', async () => {
    const { tracker, jira, world } = await startTracker({ issues: 20 });
    const key = withEntries(world.keys(), LONGEST);
    const { id } = world.whole(key);
    jira.faults.push(
      '/search/jql',
      afterwards(() => world.remove(key)),
    );
    const { entries, found } = await tracker.load(everything, null);
    expect(issuesIn(entries).size).toBe(19);
    expect(found.map((one) => one.id)).not.toContain(id);
  });

  test('an issue that cannot be read is rejected with the reason, and the others go on', async () => {
    const { tracker, jira } = await startTracker({ issues: 20 });
    const bend = (body: unknown): unknown => {
      const text = JSON.stringify(body).replace(/"status":\{[^{}]*"name":"[^"]*"/, '"status":{"name":7');
      return JSON.parse(text);
    };
    jira.faults.push('/search/jql', altered(bend));
    const { entries, found } = await tracker.load(everything, null);
    expect(issuesIn(entries).size).toBe(19);
    expect(entries.filter(({ kind }) => kind === 'rejected')).toEqual([
      {
        kind: 'rejected',
        source: 'https://tallow.example',
        key: found[0]?.key,
        reason: 'fields.status.name cannot be read: it is the number 7',
      },
    ]);
    expect(found).toHaveLength(20);
  });
});

describe.each(['cloud', 'dataCenter'] as const)('a search of %s', (mode) => {
  const issues = mode === 'cloud' ? 105 : 205;

  test('finds every issue once, oldest first, and surveys what it loads', async () => {
    // Here pages end among issues of one minute.
    const many = mode === 'cloud' ? 150 : 410;
    const { tracker, world } = await startTracker({ mode, issues: many });
    const loaded = (await allPages(tracker.load)).flatMap(({ found }) => found);
    const surveyed = (await allPages((window, place) => tracker.survey(window, place, 'updated'))).flatMap(
      ({ found }) => found,
    );
    expect(new Set(loaded.map(({ id }) => id))).toEqual(new Set(world.ids()));
    expect(loaded).toHaveLength(many);
    expect(loaded.map(({ created }) => created)).toEqual(
      loaded.map(({ created }) => created).toSorted((a, b) => (a ?? 0) - (b ?? 0)),
    );
    expect(surveyed).toEqual(loaded.map(({ created: _, ...one }) => one));
  });

  test.each(['Europe/Berlin', 'America/St_Johns', 'Pacific/Kiritimati'])(
    'misses nothing that was updated since, on an account in %s',
    async (timeZone) => {
      const { tracker, world } = await startTracker({ mode, issues, manners: { timeZone } });
      const from = trackerNow - 200 * millisecondsInDay;
      const survey = (window: SearchWindow, place: string | null) => tracker.survey(window, place, 'updated');
      const pages = await allPages(survey, { by: 'updated', from });
      const found = pages.flatMap((page) => page.found);
      const later = [...world.ids()].filter(
        (id) => Date.parse(String(world.whole(id).fields?.updated)) >= from,
      );
      expect(found.map(({ id }) => id)).toEqual(expect.arrayContaining(later));
      expect(found.length).toBeLessThan(issues);
      expect(Math.min(...found.map(({ updated }) => updated ?? 0))).toBeGreaterThanOrEqual(from - 60_000);
    },
  );

  test.each(['earlier', 'later'] as const)(
    'misses nothing in an hour that comes twice, whether Jira means the %s one',
    async (overlap) => {
      for (const at of ['2025-10-26T00:45:20Z', '2025-10-26T01:45:20Z']) {
        const manners = { timeZone: 'Europe/Berlin', overlap };
        const { tracker, world, pass } = await startTracker({ mode, issues, at, manners });
        const [first = '', second = ''] = world.keys();
        world.transition(first);
        pass(600_000);
        world.transition(second);
        const { found } = await tracker.survey({ by: 'updated', from: Date.parse(at) }, null, 'updated');
        expect(found.map(({ key }) => key)).toEqual(expect.arrayContaining([first, second]));
        expect(found.length).toBeLessThan(issues / 2);
      }
    },
  );

  test('says that a place is no longer good', async () => {
    const { tracker, world, pass } = await startTracker({ mode, issues });
    const { next } = await tracker.load(everything, null);
    if (mode === 'cloud') pass(millisecondsInDay);
    else world.remove([...world.keys()][3] ?? '');
    await expect(tracker.load(everything, next)).rejects.toMatchObject({ code: 'bad-request' });
    await expect(tracker.load(everything, 'nowhere')).rejects.toMatchObject({ code: 'bad-request' });
  });

  test('tells how many there are, or nothing where that is refused', async () => {
    const { tracker, jira } = await startTracker({ mode, issues });
    expect(await tracker.count()).toBe(issues);
    jira.faults.push('/search', refusal(403, 'No.'));
    expect(await tracker.count()).toBeNull();
  });

  test('loads issues by id and names those that are not there', async () => {
    const { tracker, world } = await startTracker({ mode, issues });
    const [first = '', second = '', third = '', ...rest] = world.ids();
    world.remove(second);
    world.move(third, 'DESK');
    const asked = [first, second, third, ...rest.slice(0, 90)];
    const { entries, found, missing } = await tracker.loadIds(asked);
    expect(missing).toEqual([second]);
    expect(found.find(({ id }) => id === third)?.key).toMatch(/^DESK-/);
    expect([...issuesIn(entries).values()]).toEqual(
      expect.arrayContaining([wholeIssueOf(world, first), wholeIssueOf(world, third)]),
    );
    expect(found).toHaveLength(asked.length - 1);
    expect(await tracker.loadIds([])).toEqual(emptyPage);
  });

  test('keeps to the wish, also for issues asked for by id', async () => {
    const { tracker, world } = await startTracker({ mode, issues, jql: 'project in (LARK, FERN)' });
    const survey = (window: SearchWindow, place: string | null) => tracker.survey(window, place, 'keys');
    const found = (await allPages(survey)).flatMap((page) => page.found);
    expect(new Set(found.map(({ key }) => key.split('-')[0]))).toEqual(new Set(['LARK', 'FERN']));
    const { missing } = await tracker.loadIds([...world.ids()].slice(0, 50));
    const others = [...world.ids()].slice(0, 50).filter((id) => !found.some((one) => one.id === id));
    expect(others.length).toBeGreaterThan(0);
    expect(missing).toEqual(others);
  });
});

test('Data Center that refuses a search for one issue that is gone is asked issue by issue', async () => {
  const { tracker, jira, world } = await startTracker({ mode: 'dataCenter', issues: 20 });
  const [first = '', second = '', third = ''] = world.ids();
  world.remove(second);
  jira.faults.push('/search', refusal(400, `A value with ID '${second}' does not exist for the field 'id'.`));
  const { found, missing } = await tracker.loadIds([first, second, third]);
  expect(found.map(({ id }) => id)).toEqual([first, third]);
  expect(missing).toEqual([second]);
});
