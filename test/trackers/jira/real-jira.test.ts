import { millisecondsInDay, millisecondsInHour } from 'date-fns/constants';
import { describe, expect, test } from '#jest';
import { afterwards, altered, type JiraFault, refusal } from '../../support/stand-in-jira-faults.ts';
import { allPages, issuesIn, listed, startTracker, wholeIssueOf } from './start-tracker.ts';

const modes = ['cloud', 'dataCenter'] as const;
const MANY = 1000;

type Started = Awaited<ReturnType<typeof startTracker>>;

function callsOf({ jira }: Started, path: string) {
  return jira.calls.filter((call) => call.path.startsWith(path));
}

/** Questions about single issues that ask for more than how many entries there are. */
function callsForMore(started: Started) {
  return callsOf(started, '/issue/').filter(({ query }) => query.maxResults !== '1');
}

/** What the calls of a search asked for. */
function sizesOf(started: Started): unknown[] {
  return callsOf(started, '/search').map(({ body }) => member(body, 'maxResults'));
}

function member(body: unknown, name: string): unknown {
  return body !== null && typeof body === 'object' ? Reflect.get(body, name) : undefined;
}

function jqlOf({ body }: { readonly body: unknown }): string {
  return String(member(body, 'jql'));
}

/** An answer with some of its members replaced. */
function bent(members: object) {
  return altered((body) => (body !== null && typeof body === 'object' ? { ...body, ...members } : body));
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
    const ids = member(again?.body, 'issueIdsOrKeys');
    expect(Array.isArray(ids) ? ids.length : 0).toBeGreaterThan(1);
    const told = issuesIn(entries);
    for (const id of Array.isArray(ids) ? ids.map(String) : []) {
      expect(told.get(id)).toEqual(wholeIssueOf(world, id));
    }
    expect(told.size).toBe(20);
  });
});

describe('the instants of a changelog in bulk', () => {
  /** An answer about changelogs with the instants of all entries, or of some, spelled in another way. */
  const spelled = (instant: (at: number, id: string) => unknown) =>
    altered((body): unknown =>
      JSON.parse(JSON.stringify(body), (_, one: unknown) => {
        if (member(one, 'items') === undefined || one === null || typeof one !== 'object') return one;
        const at = new Date(
          Number.isNaN(Number(member(one, 'created')))
            ? String(member(one, 'created'))
            : Number(member(one, 'created')),
        );
        return { ...one, created: instant(at.getTime(), String(member(one, 'id'))) };
      }),
    );

  /** What is read of all issues, and what it ought to be. */
  async function readAll({ tracker, world }: Started) {
    const pages = await allPages(tracker.load);
    const told = issuesIn(pages.flatMap(({ entries }) => entries));
    return [...world.ids()].map((id) => ({ told: told.get(id), whole: wholeIssueOf(world, id) }));
  }

  test('are seconds below 1e11, and those that came with the issue as well are as exact as there', async () => {
    const started = await startTracker({ issues: 30 });
    started.jira.faults.push(
      '/changelog/bulkfetch',
      spelled((at) => Math.floor(at / 1000)),
      MANY,
    );
    const all = await readAll(started);
    const toTheSecond = (at: number) => Math.floor(at / 1000);
    for (const { told, whole } of all) {
      expect(told?.history).toEqual({ complete: true });
      const instants = (issue: typeof whole | undefined) =>
        issue?.changes.map(({ at }) => toTheSecond(at)).toSorted();
      expect(instants(told)).toEqual(instants(whole));
    }
    expect(callsForMore(started)).toEqual([]);
    const exact = all.flatMap(({ told, whole }) =>
      whole.changes.filter(
        ({ at, entry }) => at % 1000 > 0 && told?.changes.some((one) => one.entry === entry && one.at === at),
      ),
    );
    expect(exact.length).toBeGreaterThan(100);
  });

  test('that are others than those that came with the issue are not believed, and asked for page by page', async () => {
    const started = await startTracker({ issues: 30 });
    started.jira.faults.push(
      '/changelog/bulkfetch',
      spelled((at) => at + millisecondsInHour),
      MANY,
    );
    for (const { told, whole } of await readAll(started)) expect(told).toEqual(whole);
    expect(callsForMore(started)).not.toEqual([]);
  });

  test('that no way of asking tells alike leave the history not whole, with the reason', async () => {
    const started = await startTracker({ issues: 30 });
    const later = spelled((at) => at + millisecondsInHour);
    started.jira.faults.push(/changelog/, later, MANY);
    const all = await readAll(started);
    const cut = all.filter(({ told }) => told?.history.complete === false);
    expect(cut).not.toEqual([]);
    for (const { told, whole } of cut) {
      expect(told?.history).toMatchObject({
        complete: false,
        reason: expect.stringMatching(
          /^Jira gives other times for \d+ changelog entries than with the issue$/,
        ),
      });
      expect(whole.changes.length).toBeGreaterThan(0);
    }
    for (const { told, whole } of all) if (told?.history.complete) expect(told).toEqual(whole);
  });
});

describe('Data Center that answers nothing behind its first issues', () => {
  const LIMIT = 'Search limit exceeded. Your search requests more than the platform limit.';
  const isBeyond = (call: { readonly body: unknown }) =>
    Number(member(call.body, 'startAt')) + Number(member(call.body, 'maxResults')) > 300;

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
  const longOnes = ({ world }: Started) =>
    [...world.ids()].filter((id) => (world.whole(id).changelog?.total ?? 0) > LONG);
  const asksFor =
    (id: string) =>
    ({ path, body }: { readonly path: string; readonly body: unknown }) =>
      path === '/changelog/bulkfetch' && JSON.stringify(body).includes(`"${id}"`);

  test('comes from its own pages, and the others in bulk', async () => {
    const started = await startTracker({ issues: 105 });
    const { jira, world, tracker } = started;
    const long = longOnes(started);
    const [, poisoned = ''] = long;
    jira.faults.push(asksFor(poisoned), refusal(500, 'Broken history.'), MANY);
    const told = issuesIn((await allPages(tracker.load)).flatMap(({ entries }) => entries));
    for (const id of world.ids()) expect(told.get(id)).toEqual(wholeIssueOf(world, id));
    const singly = callsOf(started, '/issue/').filter(({ query }) => query.startAt !== undefined);
    expect(new Set(singly.map(({ path }) => path))).toEqual(new Set([`/issue/${poisoned}/changelog`]));
  });

  test('is cut, with the reason, where its own pages fail as well, and only that one', async () => {
    const started = await startTracker({ issues: 105 });
    const { jira, world, tracker } = started;
    const [poisoned = ''] = longOnes(started);
    jira.faults.push(asksFor(poisoned), refusal(500, 'Broken history.'), MANY);
    jira.faults.push(`/issue/${poisoned}/changelog`, refusal(500, 'Broken history.'), MANY);
    const told = issuesIn((await allPages(tracker.load)).flatMap(({ entries }) => entries));
    expect(told.get(poisoned)?.history).toMatchObject({
      complete: false,
      reason: expect.stringContaining('Broken history'),
    });
    const others = [...world.ids()].filter((id) => id !== poisoned);
    for (const id of others) expect(told.get(id)).toEqual(wholeIssueOf(world, id));
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
  const { jira, world, tracker } = started;
  const withoutOldest = altered((body) => {
    const logs = member(body, 'issueChangeLogs');
    const cut = (Array.isArray(logs) ? logs : []).map((log: object) => {
      const told = member(log, 'changeHistories');
      return { ...log, changeHistories: Array.isArray(told) && told.length > 50 ? told.slice(3) : told };
    });
    return { ...Object(body), issueChangeLogs: cut };
  });
  jira.faults.push('/changelog/bulkfetch', withoutOldest, MANY);
  const told = issuesIn((await allPages(tracker.load)).flatMap(({ entries }) => entries));
  for (const id of world.ids()) expect(told.get(id)).toEqual(wholeIssueOf(world, id));
});

describe.each(modes)('an issue of %s without what it needs', (mode) => {
  /** Every answer's issues, with one of them spelled otherwise. */
  const spelling = (id: string, members: object) =>
    altered((body) => {
      const issues = member(body, 'issues');
      const told = Array.isArray(issues) ? issues : [];
      return {
        ...Object(body),
        issues: told.map((one: object) => (member(one, 'id') === id ? { ...one, ...members } : one)),
      };
    });

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

describe('issues asked for by id', () => {
  test('that Jira fails to tell together are asked for one by one', async () => {
    const started = await startTracker({ issues: 20 });
    const { tracker, jira, world } = started;
    const [well = '', slow = '', gone = '', broken = ''] = world.ids();
    world.remove(gone);
    const issueErrors = [slow, gone, broken].map((id) => ({
      id,
      errorMessage: 'Could not be fetched in time.',
    }));
    const issues = [world.whole(well)].map(({ id, key, fields }) => ({ id, key, fields }));
    jira.faults.push('/issue/bulkfetch', bent({ issueErrors, issues }));
    jira.faults.push(`/issue/${broken}`, refusal(500, 'Field broke.'), MANY);
    const { found, missing, failed } = await tracker.loadIds([well, slow, gone, broken]);
    expect(found.map(({ id }) => id)).toEqual([well, slow]);
    expect(missing).toEqual([gone]);
    expect(failed).toEqual([{ id: broken, reason: expect.stringContaining('Field broke') }]);
  });

  test.each(modes)('are asked for in smaller portions where %s cannot bear all of them', async (mode) => {
    const started = await startTracker({ mode, issues: 20 });
    const { tracker, jira, world } = started;
    const ids = [...world.ids()];
    const [, poisoned = ''] = ids;
    const asksFor = ({ body }: { readonly body: unknown }) =>
      JSON.stringify(body)?.includes(poisoned) ?? false;
    jira.faults.push(asksFor, refusal(500, 'Out of memory.'), MANY);
    const { found, missing, failed } = await tracker.loadIds(ids);
    expect(found).toHaveLength(19);
    expect(missing).toEqual([]);
    expect(failed).toEqual([{ id: poisoned, reason: expect.stringContaining('Out of memory') }]);
  });

  test.each(modes)('fail as a whole where %s fails for each of them', async (mode) => {
    const { tracker, jira, world } = await startTracker({ mode, issues: 20 });
    await tracker.site();
    jira.faults.push(/bulkfetch|search/, refusal(500, 'Down.'), MANY);
    await expect(tracker.loadIds([...world.ids()])).rejects.toMatchObject({ code: 'unavailable' });
  });

  test('are all found in Data Center that hands out fewer at a time', async () => {
    const started = await startTracker({ mode: 'dataCenter', issues: 20 });
    const { tracker, jira, world } = started;
    const fewer = altered((body) => {
      const issues = member(body, 'issues');
      return { ...Object(body), issues: Array.isArray(issues) ? issues.slice(0, 7) : issues };
    });
    jira.faults.push('/search', fewer, 3);
    const { found, missing } = await tracker.loadIds([...world.ids()]);
    expect(new Set(found.map(({ id }) => id))).toEqual(new Set(world.ids()));
    expect(missing).toEqual([]);
  });

  describe.each(modes)('of %s', (mode) => {
    /** Issues that are told by id, and that a search refuses to hear of. */
    function archive({ jira }: Started, ids: readonly string[], isNamed: boolean): void {
      for (const id of ids) {
        const sentence = isNamed ? `An issue with key '${id}' does not exist for field 'id'.` : 'No.';
        jira.faults.push((call) => isRefused(call, id), refusal(400, sentence), MANY);
      }
    }
    const isRefused = (call: { readonly path: string; readonly body: unknown }, id: string) =>
      call.path.startsWith('/search') &&
      new RegExp(`\\bid in \\([^)]*\\b${id}\\b`).test(jqlOf(call)) &&
      member(call.body, 'validateQuery') !== false;

    test.each([true, false])(
      'are found by a search unless they are archived, named or not: %s',
      async (isNamed) => {
        const started = await startTracker({ mode, issues: 40 });
        const { tracker, world } = started;
        const ids = [...world.ids()];
        archive(started, ids.slice(3, 6), isNamed);
        const found = await tracker.findable(ids);
        expect(found).toEqual(new Set(ids.toSpliced(3, 3)));
        expect(callsOf(started, '/search').length).toBeLessThan(isNamed ? 9 : 30);
        expect(await tracker.findable([])).toEqual(new Set());
      },
    );

    test('are found though a refusal names their number for something else', async () => {
      const started = await startTracker({ mode, issues: 40 });
      const ids = [...started.world.ids()];
      const [wronged = '', archived = ''] = ids;
      const sentence = `Issue ${archived} cannot be searched for (reference ${wronged}).`;
      started.jira.faults.push((call) => isRefused(call, archived), refusal(400, sentence), 1);
      started.jira.faults.push(
        (call) => isRefused(call, ids[39] ?? ''),
        refusal(400, `Not ${ids[39]} (reference ${wronged}).`),
        MANY,
      );
      const found = await started.tracker.findable(ids);
      expect(found.has(wronged)).toBe(true);
      expect(found).toEqual(new Set(ids.toSpliced(39, 1).toSpliced(1, 1)));
    });

    test('are kept to the wish where some of them are archived', async () => {
      const started = await startTracker({ mode, issues: 40, jql: 'created >= "1970-01-01 00:00"' });
      const ids = [...started.world.ids()];
      archive(started, ids.slice(3, 6), true);
      const { found, missing } = await started.tracker.loadIds(ids);
      expect(found.map(({ id }) => id)).toEqual(expect.arrayContaining(ids.toSpliced(3, 3)));
      expect(missing).toEqual(ids.slice(3, 6));
    });

    test('are not called missing where it is the wish that is refused', async () => {
      const { tracker, world } = await startTracker({ mode, issues: 20, jql: 'team = Lark' });
      await expect(tracker.loadIds([...world.ids()])).rejects.toMatchObject({ code: 'bad-request' });
      await expect(tracker.findable([...world.ids()])).rejects.toMatchObject({ code: 'bad-request' });
    });
  });
});

describe.each(modes)('pages of %s', (mode) => {
  test('are asked for in half where they are too much', async () => {
    const started = await startTracker({ mode, issues: 30 });
    const { tracker, jira, world } = started;
    const tooMuch = (call: { readonly path: string; readonly body: unknown }) =>
      call.path.startsWith('/search') && Number(member(call.body, 'maxResults')) > 20;
    jira.faults.push(tooMuch, refusal(504, 'Gateway Timeout'), MANY);
    const pages = await allPages(tracker.load);
    expect(new Set(pages.flatMap(({ found }) => found.map(({ id }) => id)))).toEqual(new Set(world.ids()));
    const largest = mode === 'cloud' ? 100 : 200;
    expect(sizesOf(started).slice(0, 4)).toEqual([largest, largest, largest / 2, largest / 2]);
  });
});

test('tokens of Cloud that lead in a circle of two are noticed', async () => {
  const { tracker, jira } = await startTracker({ issues: 20 });
  let turn = 0;
  const circling: JiraFault = (response) => {
    turn += 1;
    const body = { issues: [], isLast: false, nextPageToken: turn % 2 === 0 ? 'A' : 'B' };
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
  };
  jira.faults.push('/search/jql', circling, MANY);
  await expect(allPages(tracker.load)).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('in a circle'),
  });
  expect(turn).toBeLessThan(6);
});

test('changelogs in bulk that lead in a circle are noticed', async () => {
  const { tracker, jira } = await startTracker({ issues: 20 });
  let turn = 0;
  const circling: JiraFault = (response) => {
    turn += 1;
    const body = { issueChangeLogs: [], nextPageToken: turn % 2 === 0 ? 'A' : 'B' };
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
  };
  jira.faults.push('/changelog/bulkfetch', circling, MANY);
  await expect(tracker.load({ by: 'created', from: null }, null)).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('in a circle'),
  });
  expect(turn).toBe(3);
});

describe('lists', () => {
  test('of people that come in smaller pieces than asked for are read to their end', async () => {
    const whole = await startTracker({ issues: 1 });
    const cut = await startTracker({ issues: 1 });
    const smaller = altered((body) => (Array.isArray(body) ? body.slice(0, 2) : body));
    cut.jira.faults.push('/users/search', smaller, MANY);
    const people = async ({ tracker }: Started) =>
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
