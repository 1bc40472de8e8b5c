import { millisecondsInDay, millisecondsInHour } from 'date-fns/constants';
import { describe, expect, test } from '#jest';
import type { Issue } from '../../../src/model/issue.ts';
import { afterwards, altered, type JiraFault, refusal } from '../../support/stand-in-jira-faults.ts';
import {
  allPages,
  expectSame,
  issuesIn,
  listed,
  loadAll,
  type StartedTracker,
  startTracker,
  wholeIssueOf,
} from './start-tracker.ts';

const modes = ['cloud', 'dataCenter'] as const;
const MANY = 1000;

function callsOf({ jira }: StartedTracker, path: string) {
  return jira.calls.filter((call) => call.path.startsWith(path));
}

/** Questions about single issues that ask for more than how many entries there are. */
function callsForMore(started: StartedTracker) {
  return callsOf(started, '/issue/').filter(({ query }) => query.maxResults !== '1');
}

/** What the calls of a search asked for. */
function sizesOf(started: StartedTracker): unknown[] {
  return callsOf(started, '/search').map(({ body }) => Object(body).maxResults);
}

describe('a changelog that is later than its issue', () => {
  test('costs nothing where it is so in all of them by some ms', async () => {
    const started = await startTracker({ issues: 20 });
    const earlier = (body: unknown): unknown =>
      JSON.parse(JSON.stringify(body), (key, value: unknown) =>
        key === 'updated' && typeof value === 'string'
          ? new Date(Date.parse(value) - 30).toISOString().replace('Z', '+0000')
          : value,
      );
    started.jira.faults.push('/search/jql', altered(earlier));
    await started.tracker.load({ by: 'created', from: null }, null);
    expect(callsForMore(started)).toEqual([]);
  });

  test('is asked for again with its issue, together with all others of the page', async () => {
    const started = await startTracker({ issues: 20 });
    const { tracker, jira, world, pass } = started;
    const change = () => {
      pass(millisecondsInDay);
      for (const key of world.keys()) world.transition(key);
    };
    jira.faults.push('/search/jql', afterwards(change));
    const { entries } = await tracker.load({ by: 'created', from: null }, null);
    const [again, ...more] = callsForMore(started);
    expect(more).toEqual([]);
    const ids: readonly string[] = Object(again?.body).issueIdsOrKeys;
    expect(ids.length).toBeGreaterThan(1);
    const told = issuesIn(entries);
    for (const id of ids) {
      expect(told.get(id)).toEqual(wholeIssueOf(world, id));
    }
    expect(told.size).toBe(20);
  });
});

describe('the instants of a changelog in bulk', () => {
  /** An answer about changelogs with the instants of all entries, or of some, spelled in another way. */
  const spelled = (instant: (at: number) => unknown) =>
    altered((body): unknown =>
      JSON.parse(JSON.stringify(body), (_, one: unknown) => {
        if (Object(one).items === undefined || one === null || typeof one !== 'object') return one;
        // An instant comes as a number or as a text.
        return { ...one, created: instant(new Date(Object(one).created).getTime()) };
      }),
    );

  test('are seconds below 1e11, and those that came with the issue as well are as exact as there', async () => {
    const started = await startTracker({ issues: 30 });
    started.jira.faults.push(
      '/changelog/bulkfetch',
      spelled((at) => Math.floor(at / 1000)),
      MANY,
    );
    const { issues, expected } = await loadAll(started);
    const secondsOf = (issue: Issue | undefined) =>
      issue?.changes.map(({ at }) => Math.floor(at / 1000)).toSorted();
    for (const [id, whole] of expected) {
      expect(issues.get(id)?.history).toEqual({ complete: true });
      expect(secondsOf(issues.get(id))).toEqual(secondsOf(whole));
    }
    expect(callsForMore(started)).toEqual([]);
    const exact = [...expected].flatMap(([id, whole]) => {
      const read = new Map(issues.get(id)?.changes.map(({ entry, at }) => [entry, at]));
      return whole.changes.filter(({ at, entry }) => at % 1000 > 0 && read.get(entry) === at);
    });
    expect(exact.length).toBeGreaterThan(100);
  });

  test('that are others than those that came with the issue are not believed, and asked for page by page', async () => {
    const started = await startTracker({ issues: 30 });
    started.jira.faults.push(
      '/changelog/bulkfetch',
      spelled((at) => at + millisecondsInHour),
      MANY,
    );
    const { issues, expected } = await loadAll(started);
    expectSame(issues, expected);
    expect(callsForMore(started)).not.toEqual([]);
  });

  test('that no way of asking tells alike leave the history not whole, with the reason', async () => {
    const started = await startTracker({ issues: 30 });
    const later = spelled((at) => at + millisecondsInHour);
    started.jira.faults.push(/changelog/, later, MANY);
    const { issues, expected } = await loadAll(started);
    const cut = [...issues].filter(([, { history }]) => !history.complete);
    expect(cut).not.toEqual([]);
    for (const [id, { history }] of cut) {
      expect(history).toMatchObject({
        reason: expect.stringMatching(
          /^Jira gives other times for \d+ changelog entries than with the issue$/,
        ),
      });
      expect(expected.get(id)?.changes.length).toBeGreaterThan(0);
      issues.delete(id);
      expected.delete(id);
    }
    expectSame(issues, expected);
  });
});

describe('Data Center that answers nothing behind its first issues', () => {
  const LIMIT = 'Search limit exceeded. Your search requests more than the platform limit.';
  const isBeyond = (call: { readonly body: unknown }) =>
    Number(Object(call.body).startAt) + Number(Object(call.body).maxResults) > 300;

  test.each(['created', 'updated'] as const)('is searched by %s to the end, window by window', async (by) => {
    const started = await startTracker({ mode: 'dataCenter', issues: 450 });
    started.jira.faults.push(isBeyond, refusal(500, LIMIT), MANY);
    const pages = await allPages(started.tracker.load, { by, from: null });
    const ids = pages.flatMap(({ found }) => found.map(({ id }) => id));
    expect(new Set(ids)).toEqual(new Set(started.world.ids()));
    expect(ids.length).toBeLessThan(550);
  });

  test('is quoted where even a new window does not help', async () => {
    const { tracker, jira } = await startTracker({ mode: 'dataCenter', issues: 450 });
    const { next } = await tracker.load({ by: 'created', from: null }, null);
    jira.faults.push('/search', refusal(500, LIMIT), MANY);
    await expect(tracker.load({ by: 'created', from: null }, next)).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('Search limit exceeded'),
    });
  });
});

describe('a history that Jira fails to tell in bulk', () => {
  const LONG = 40;
  const longOnes = ({ world }: StartedTracker) =>
    [...world.ids()].filter((id) => (world.whole(id).changelog?.total ?? 0) > LONG);
  const asksFor =
    (id: string) =>
    ({ path, body }: { readonly path: string; readonly body: unknown }) =>
      path === '/changelog/bulkfetch' && JSON.stringify(body).includes(`"${id}"`);

  test('comes from its own pages, and the others in bulk', async () => {
    const started = await startTracker({ issues: 105 });
    const [, poisoned = ''] = longOnes(started);
    started.jira.faults.push(asksFor(poisoned), refusal(500, 'Broken history.'), MANY);
    const { issues, expected } = await loadAll(started);
    expectSame(issues, expected);
    const singly = callsOf(started, '/issue/').filter(({ query }) => query.startAt !== undefined);
    expect(new Set(singly.map(({ path }) => path))).toEqual(new Set([`/issue/${poisoned}/changelog`]));
  });

  test('is cut, with the reason, where its own pages fail as well, and only that one', async () => {
    const started = await startTracker({ issues: 105 });
    const [poisoned = ''] = longOnes(started);
    const { faults } = started.jira;
    faults.push(asksFor(poisoned), refusal(500, 'Broken history.'), MANY);
    faults.push(`/issue/${poisoned}/changelog`, refusal(500, 'Broken history.'), MANY);
    const { issues, expected } = await loadAll(started);
    expect(issues.get(poisoned)?.history).toMatchObject({
      complete: false,
      reason: expect.stringContaining('Broken history'),
    });
    issues.delete(poisoned);
    expected.delete(poisoned);
    expectSame(issues, expected);
  });

  test('is the failure of Jira itself where it is so of each', async () => {
    const { jira, tracker } = await startTracker({ issues: 105 });
    jira.faults.push(/changelog/, refusal(500, 'Down.'), MANY);
    await expect(tracker.load({ by: 'created', from: null }, null)).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('Down'),
    });
  });
});

test('entries that the bulk lacks in the middle are found though totals lie', async () => {
  const started = await startTracker({ issues: 105, manners: { lies: true } });
  const withoutOldest = altered((body) => {
    const cut = Object(body).issueChangeLogs.map((log: { readonly changeHistories: readonly unknown[] }) => {
      const { changeHistories: all } = log;
      return { ...log, changeHistories: all.length > 50 ? all.slice(3) : all };
    });
    return { ...Object(body), issueChangeLogs: cut };
  });
  started.jira.faults.push('/changelog/bulkfetch', withoutOldest, MANY);
  const { issues, expected } = await loadAll(started);
  expectSame(issues, expected);
});

describe.each(modes)('an issue of %s without what it needs', (mode) => {
  /** Every answer's issues, with one of them spelled otherwise. */
  const spelling = (id: string, members: object) =>
    altered((body) => ({
      ...Object(body),
      issues: Object(body).issues.map((one: { readonly id: string }) =>
        one.id === id ? { ...one, ...members } : one,
      ),
    }));

  test.each([
    ['no key', { key: undefined }, 'key is missing'],
    ['no fields', { fields: null }, 'fields is missing'],
  ])('(%s) is rejected with its path, and the others are told', async (_, members, reason) => {
    const { jira, world, tracker } = await startTracker({ mode, issues: 20 });
    const [, broken = '', ...others] = world.ids();
    jira.faults.push(/search/, spelling(broken, members), MANY);
    const pages = await allPages(tracker.load);
    const entries = pages.flatMap((page) => page.entries);
    const key = 'key' in members ? broken : world.whole(broken).key;
    expect(entries.filter(({ kind }) => kind === 'rejected')).toEqual([
      {
        kind: 'rejected',
        source: world.site,
        key,
        reason: expect.stringMatching(new RegExp(`^issues\\.\\d+\\.${reason}$`)),
      },
    ]);
    expect(pages.flatMap(({ found }) => found).filter(({ id }) => id === broken)).toEqual([
      expect.objectContaining({ id: broken, key }),
    ]);
    const told = issuesIn(entries);
    for (const id of others) expect(told.get(id)).toEqual(wholeIssueOf(world, id));
  });

  test('(no id) is rejected, and nothing asked for by id is called missing for it', async () => {
    const { jira, world, tracker } = await startTracker({ mode, issues: 450 });
    const ids = [...world.ids()];
    const [, broken = ''] = ids;
    jira.faults.push(/search|issue.bulkfetch/, spelling(broken, { id: null }), MANY);
    const told = await allPages(tracker.load);
    const found = told.flatMap((page) => page.found.map(({ id }) => id));
    expect(new Set(found)).toEqual(new Set(ids.filter((id) => id !== broken)));
    const rejected = told.flatMap(({ entries }) => entries.filter(({ kind }) => kind === 'rejected'));
    expect(rejected).toEqual([expect.objectContaining({ key: world.whole(broken).key })]);
    const { missing } = await tracker.loadIds(ids.slice(0, 10));
    expect(missing).toEqual([]);
  });
});

describe.each(modes)('pages of %s', (mode) => {
  test('are asked for in half where they are too much', async () => {
    const started = await startTracker({ mode, issues: 30 });
    const { tracker, jira, world } = started;
    const tooMuch = (call: { readonly path: string; readonly body: unknown }) =>
      call.path.startsWith('/search') && Number(Object(call.body).maxResults) > 20;
    jira.faults.push(tooMuch, refusal(504, 'Gateway Timeout'), MANY);
    const pages = await allPages(tracker.load);
    expect(new Set(pages.flatMap(({ found }) => found.map(({ id }) => id)))).toEqual(new Set(world.ids()));
    const largest = mode === 'cloud' ? 100 : 200;
    expect(sizesOf(started).slice(0, 4)).toEqual([largest, largest, largest / 2, largest / 2]);
  });
});

test.each([
  ['tokens of a search', '/search/jql', { issues: [], isLast: false }],
  ['changelogs in bulk', '/changelog/bulkfetch', { issueChangeLogs: [] }],
])('%s that lead in a circle of two are noticed', async (_, path, page) => {
  const { tracker, jira } = await startTracker({ issues: 20 });
  let turn = 0;
  const circling: JiraFault = (response) => {
    turn += 1;
    const body = { ...page, nextPageToken: turn % 2 === 0 ? 'A' : 'B' };
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
  };
  jira.faults.push(path, circling, MANY);
  await expect(allPages(tracker.load)).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('in a circle'),
  });
  expect(turn).toBeLessThan(6);
});

describe('lists', () => {
  test('of people that come in smaller pieces than asked for are read to their end', async () => {
    const whole = await startTracker({ issues: 1 });
    const cut = await startTracker({ issues: 1 });
    const smaller = altered((body) => (Array.isArray(body) ? body.slice(0, 2) : body));
    cut.jira.faults.push('/users/search', smaller, MANY);
    const people = async ({ tracker }: StartedTracker) =>
      new Set(
        (await listed(tracker))
          .flatMap((entry) => (entry.kind === 'users' ? entry.users : []))
          .map(({ id }) => id),
      );
    expect(await people(cut)).toEqual(await people(whole));
  });

  test.each([
    [400, 'The board does not support sprints.', []],
    [403, 'You may not see sprints.', [expect.stringContaining('You may not see sprints.')]],
  ])('of sprints are not called whole where a board answers %s', async (status, sentence, reasons) => {
    const { tracker, jira } = await startTracker({ issues: 1 });
    jira.faults.push('/board/11/sprint', refusal(status, sentence));
    const told = (await listed(tracker)).filter((entry) => entry.kind === 'unreadable');
    expect(told.map(({ reason }) => reason)).toEqual(reasons);
  });
});
