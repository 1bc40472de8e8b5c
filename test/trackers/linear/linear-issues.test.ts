import { millisecondsInHour } from 'date-fns/constants';
import { describe, expect, test } from '#jest';
import { everything, issuesOf, pagesOf, startLinear } from './start-linear.ts';

const hour = millisecondsInHour;

describe('an issue of Linear', () => {
  test('has its content and every change of its history in Dwell’s nouns', async () => {
    const { world, tracker, pass } = await startLinear();
    const parent = world.create('ENG');
    const key = world.create('ENG', { title: 'A bug', labels: [world.label('bug')], priority: 2 });
    pass(hour);
    world.move(key, 'In Progress', 'bob');
    pass(hour);
    world.change(key, {
      ...{ assignee: world.person('bob'), labels: [world.label('needs design')], priority: 0 },
      ...{ estimate: 3, cycle: world.cycle(2), parent: world.issue(parent).id, dueDate: '2026-04-01' },
    });
    pass(hour);
    world.change(key, { title: 'A bad bug' }, null);
    world.move(key, 'Done', null);
    const issue = issuesOf(await pagesOf(tracker)).get(key);
    const created = world.issue(key).created;
    const team = world.teams[0];
    const bob = { id: world.person('bob'), name: 'bob' };
    const done = { id: world.state('ENG', 'Done'), name: 'Done' };
    const cycle = { id: world.cycle(2), name: 'ENG Cycle 2' };
    const designed = { id: 'needs design', name: 'needs design' };
    expect(issue).toMatchObject({
      ...{ id: world.issue(key).id, key, summary: 'A bad bug', created, updated: created + 3 * hour },
      ...{ project: { id: team?.id, name: 'Engineering' }, resolved: created + 3 * hour, status: done },
      ...{ assignee: bob, history: { complete: true }, link: `https://linear.app/acme/issue/${key}/a-title` },
    });
    expect(issue?.fields).toMatchObject({
      ...{ priority: null, estimate: 3, duedate: '2026-04-01', labels: [designed], sprint: [cycle] },
      ...{
        parent: { id: world.issue(parent).id, name: parent },
        resolution: { id: 'completed', name: 'Done' },
      },
      reporter: { id: world.person('ada'), name: 'ada' },
    });
    const text = (value: { readonly name: string } | null) => value?.name ?? null;
    const read = issue?.changes.map(({ at, field, from, to, by }) => [
      ...[(at - created) / hour, field, text(from), text(to)],
      world.people.find(({ id }) => id === by)?.name ?? null,
    ]);
    expect(read).toEqual([
      [1, 'status', 'Todo', 'In Progress', 'bob'],
      [2, 'assignee', null, 'bob', 'ada'],
      [2, 'sprint', null, 'ENG Cycle 2', 'ada'],
      [2, 'priority', 'High', null, 'ada'],
      [2, 'estimate', null, '3', 'ada'],
      [2, 'duedate', null, '2026-04-01', 'ada'],
      [2, 'parent', null, parent, 'ada'],
      [2, 'labels', 'bug', 'needs design', 'ada'],
      [3, 'summary', 'A bug', 'A bad bug', null],
      [3, 'status', 'In Progress', 'Done', null],
      [3, 'resolution', null, 'Done', null],
    ]);
  });

  test('comes after the statuses, people and sprint it mentions', async () => {
    const { world, tracker } = await startLinear();
    const key = world.create('ENG', { assignee: world.person('bob'), cycle: world.cycle(1) });
    world.move(key, 'In Review');
    const [page] = await pagesOf(tracker);
    expect(page?.entries.map(({ kind }) => kind)).toEqual(['statuses', 'users', 'directory', 'issue']);
    expect(page?.entries[0]).toMatchObject({
      statuses: [
        { name: 'In Review', category: 'In Progress', scope: 'ENG' },
        { name: 'Todo', category: 'To Do', scope: 'ENG' },
      ],
    });
    expect(page?.entries[2]).toMatchObject({ part: { sprints: [{ id: world.cycle(1), state: 'closed' }] } });
  });

  test('with a history longer than a page has all of it', async () => {
    const { world, linear, tracker, pass } = await startLinear();
    const key = world.create('OPS');
    for (let i = 0; i < 231; i += 1) {
      pass(1000);
      world.move(key, i % 2 === 0 ? 'In Progress' : 'Todo');
    }
    const issue = issuesOf(await pagesOf(tracker)).get(key);
    expect(issue?.changes).toHaveLength(231);
    expect(issue?.history).toEqual({ complete: true });
    expect(linear.callsOf('History')).toHaveLength(2);
  });

  test.each([
    // What is refused stays so; what fails is read again.
    ['is refused', 'invalid input', 400, 1, true],
    ['cannot be read', 'internal error', 500, 6, false],
  ])(
    'whose older history %s is marked, with the reason, and the other issues come whole',
    async (_, type, status, times, hasEnd) => {
      const { world, linear, tracker, pass } = await startLinear();
      const [key, other] = [world.create('OPS'), world.create('OPS')];
      for (let i = 0; i < 30; i += 1) {
        pass(1000);
        world.move(key, i % 2 === 0 ? 'In Progress' : 'Todo');
      }
      linear.manners.failing = { operation: 'History', type, status, times };
      const read = issuesOf(await pagesOf(tracker));
      expect(read.get(other)?.history).toEqual({ complete: true });
      expect(read.get(key)?.changes).toHaveLength(20);
      expect(read.get(key)?.history).toEqual({
        ...{ complete: false, unknownFrom: null },
        unknownUntil: hasEnd ? read.get(key)?.changes[0]?.at : null,
        reason: expect.stringMatching(/^Linear does not show its older history: .* HTTP \d00: This fails/),
      });
      expect(issuesOf(await pagesOf(tracker)).get(key)?.history).toEqual({ complete: true });
    },
  );

  test('whose history lags behind its status is marked until the entry is there', async () => {
    const { world, linear, tracker, pass } = await startLinear();
    const key = world.create('ENG');
    pass(hour);
    world.move(key, 'In Progress');
    pass(hour);
    world.move(key, 'Done');
    linear.manners.late.set(key, 1);
    const created = world.issue(key).created;
    expect(issuesOf(await pagesOf(tracker)).get(key)?.history).toEqual({
      ...{ complete: false, unknownFrom: created + hour, unknownUntil: null },
      reason: 'Linear shows the issue in Done, and its history ends in In Progress',
    });
    linear.manners.late.delete(key);
    expect(issuesOf(await pagesOf(tracker)).get(key)?.history).toEqual({ complete: true });
  });

  test('in a state that is new to Dwell has its name after another look at the lists', async () => {
    const { world, tracker, pass } = await startLinear();
    const key = world.create('ENG');
    await pagesOf(tracker);
    const state = { id: 'a-new-state', name: 'Blocked', type: 'started', team: world.teams[0]?.id ?? '' };
    world.states.push(state);
    world.change(key, { state: state.id });
    pass(1000);
    expect(issuesOf(await pagesOf(tracker)).get(key)?.status).toEqual({ id: state.id, name: 'Blocked' });
  });
});

describe('a search of Linear', () => {
  test('finds every issue once, oldest first, archived ones too, and none in the trash', async () => {
    const { world, linear, tracker, pass } = await startLinear();
    const keys = Array.from({ length: 120 }, (_, i) => {
      pass(1000);
      return world.create(i % 2 === 0 ? 'ENG' : 'SEC');
    });
    const [archived = '', trashed = '', ...others] = keys;
    world.archive(archived);
    world.trash(trashed);
    const pages = await pagesOf(tracker);
    expect(pages.flatMap(({ found }) => found.map(({ key }) => key))).toEqual([archived, ...others]);
    expect([...issuesOf(pages).keys()]).toEqual([archived, ...others]);
    const surveyed = await pagesOf(tracker, everything, 'keys');
    expect(surveyed.flatMap(({ found }) => found.map(({ key }) => key))).toEqual([archived, ...others]);
    expect(Math.max(...linear.calls.map(({ complexity }) => complexity))).toBeLessThan(10_000);
    expect(await tracker.connection.count()).toBe(119);
  });

  test('shows what was updated since, where it is, and what has gone into the trash', async () => {
    const { world, tracker, pass } = await startLinear();
    const [one, two, three] = [world.create('ENG'), world.create('ENG'), world.create('ENG')];
    pass(hour);
    const from = world.clock();
    world.move(two, 'In Review');
    world.trash(three);
    const [page] = await pagesOf(tracker, { by: 'updated', from }, 'updated');
    expect(page?.found).toEqual([
      {
        ...{ id: world.issue(two).id, key: two, updated: from, assignee: null },
        status: world.state('ENG', 'In Review'),
      },
      expect.objectContaining({ key: three }),
    ]);
    const ids = [one, two, three].map((key) => world.issue(key).id);
    const loaded = await tracker.issues({ ids: [...ids, 'nothing'], detail: 'whole' });
    expect(loaded.found.map(({ key }) => key).sort()).toEqual([one, two]);
    expect(loaded.missing).toEqual([ids[2], 'nothing']);
    const looked = await tracker.issues({ ids: [...ids, 'nothing'], detail: 'presence' });
    expect(looked.missing).toEqual([ids[2], 'nothing']);
  });

  test('sets aside an issue that Linear fails to show, and goes on with the others', async () => {
    const { world, linear, tracker, pass } = await startLinear();
    const keys = Array.from({ length: 60 }, () => {
      pass(1000);
      return world.create('ENG');
    });
    const [first = '', broken = '', ...others] = keys;
    linear.manners.broken.add(broken);
    const pages = await pagesOf(tracker);
    expect(pages.flatMap(({ found }) => found.map(({ key }) => key))).toEqual([first, ...others]);
    const failed = [
      { id: world.issue(broken).id, key: broken, reason: expect.stringContaining('Something broke') },
    ];
    expect(pages.flatMap((page) => page.failed)).toEqual(failed);
    const ids = [first, broken].map((key) => world.issue(key).id);
    expect(await tracker.issues({ ids, detail: 'whole' })).toMatchObject({ failed, missing: [] });
  });

  test('reads the lists again for what is new, and not again for what is gone', async () => {
    const { world, linear, tracker, pass } = await startLinear();
    const key = world.create('ENG', { labels: ['a-deleted-label'] });
    for (let i = 0; i < 3; i += 1) {
      pass(10_000);
      expect(issuesOf(await pagesOf(tracker)).get(key)?.fields.labels).toEqual([
        { id: 'a-deleted-label', name: 'a-deleted-label' },
      ]);
    }
    expect(linear.callsOf('IssueLabels')).toHaveLength(2);
  });

  test('refuses a place that is no longer good', async () => {
    const { world, tracker } = await startLinear();
    world.create('ENG');
    const search = tracker.issues({ window: everything, place: 'nowhere', detail: 'whole' });
    await expect(search).rejects.toMatchObject({ code: 'bad-request', reason: 'request-refused' });
  });
});

describe('lists of Linear', () => {
  test('have states, people, cycles and priorities; one that is refused is named, and the others follow', async () => {
    const { linear, tracker } = await startLinear();
    linear.manners.failing = { operation: 'Cycles', type: 'forbidden', status: 400, times: 1 };
    const read = [];
    for await (const { entries } of tracker.lists(null)) read.push(...entries);
    expect(read.map((entry) => ('source' in entry ? entry.source : entry.kind))).toEqual([
      ...['directory', 'statuses', 'users', 'sprints', 'directory'],
    ]);
    const [, statuses, users] = read;
    const names =
      statuses?.kind === 'statuses' ? statuses.statuses.map(({ name, category }) => [name, category]) : [];
    expect(names.slice(0, 8)).toEqual([
      ...[
        ['Triage', 'To Do'],
        ['Backlog', 'To Do'],
        ['Todo', 'To Do'],
        ['In Progress', 'In Progress'],
      ],
      ...[
        ['In Review', 'In Progress'],
        ['Done', 'Done'],
        ['Canceled', 'Done'],
        ['Duplicate', 'Done'],
      ],
    ]);
    expect(users?.kind === 'users' && users.users[0]).toEqual({
      ...{ id: expect.any(String), name: 'ada', login: 'ada', email: 'ada@example.com', timeZone: 'UTC' },
    });
    expect(read.at(-1)).toMatchObject({
      part: { priorities: [{ id: '1', name: 'Urgent', place: 0 }, {}, {}, {}] },
    });
  });
});
