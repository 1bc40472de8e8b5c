import { afterEach, beforeEach, describe, expect, test } from '#jest';
import { fill } from '../../src/mirror/fill.ts';
import type { TrackerIssues } from '../../src/mirror/lists/tracker-issues.ts';
import type { Issue, Status } from '../../src/model/issue.ts';
import type { Tracker, TrackerEntry } from '../../src/trackers/tracker.ts';
import { anIssue } from '../support/issue-story.ts';
import { openTestStore, type TestStore } from '../support/open-test-store.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const AT = Date.parse('2026-03-18T12:00:00Z');

let store: TestStore;
let issues: TrackerIssues;
beforeEach(async () => {
  store = await openTestStore(temporaryFolder());
  issues = store.issues('file');
});
afterEach(() => store.close());

function trackerOf(...entries: TrackerEntry[]): Tracker {
  return {
    name: 'file',
    async *entries() {
      yield* entries;
    },
  };
}

const born = (key: string) => anIssue(key, '2026-03-02T09:00:00Z');
const issueEntry = (issue: Issue): TrackerEntry => ({ kind: 'issue', issue });
const listed = (list: string | null, ...statuses: Status[]): TrackerEntry => ({
  kind: 'statuses',
  statuses,
  list,
});
const filled = (...entries: TrackerEntry[]) => fill(trackerOf(...entries), issues, () => AT);
const many = (count: number) => Array.from({ length: count }, (_, i) => born(`DEMO-${i + 1}`).issue);
const named = (id: string, category: Status['category'] = 'Undefined'): Status => ({
  id,
  name: `Status ${id}`,
  category,
  deleted: false,
});

const moved = born('DEMO-1').moves('In Progress', '2026-03-03T09:00:00Z');
const cut: Issue = moved.historyIs({
  complete: false,
  unknownFrom: null,
  unknownUntil: Date.parse('2026-03-03T09:00:00Z'),
  reason: 'only 1 of 2 changelog entries were imported',
}).issue;

describe('fill', () => {
  test('takes in every issue of many batches and notes the moment', async () => {
    const summary = await filled(...many(1201).map(issueEntry));
    expect(summary).toMatchObject({ issues: 1201, changes: 0, unchanged: 0, rejected: [] });
    expect(await issues.count()).toBe(1201);
    expect(await issues.filledAt()).toBe(AT);
  });

  test('writes a batch of few issues with many changes early', async () => {
    const changes = Array.from({ length: 1000 }, () => moved.issue.changes).flat();
    const long = many(30).map((issue) => ({ ...issue, changes }));
    const counts: number[] = [];
    await fill(
      trackerOf(...long.map(issueEntry)),
      issues,
      () => AT,
      (summary) => counts.push(summary.issues),
    );
    expect(counts).toEqual([20, 30]);
  });

  test('counts issues and, when they are repeated, that no issue is new', async () => {
    const entries = [...many(3).slice(1), moved.issue].map(issueEntry);
    expect(await filled(...entries)).toMatchObject({ issues: 3, changes: 1, unchanged: 0 });
    expect(await filled(...entries)).toMatchObject({ issues: 3, changes: 1, unchanged: 3 });
    expect(await filled(...entries, ...entries)).toMatchObject({ issues: 3, changes: 1, unchanged: 3 });
  });

  test('an older snapshot changes nothing', async () => {
    await filled(issueEntry(moved.issue));
    expect(await filled(issueEntry(born('DEMO-1').issue))).toMatchObject({
      unchanged: 1,
    });
    expect(await issues.issue('DEMO-1')).toEqual(moved.issue);
  });

  test('an issue that comes twice in one batch is merged like one in two', async () => {
    const summary = await filled(issueEntry(moved.issue), issueEntry(cut));
    expect(summary).toMatchObject({ issues: 1, changes: 1, unchanged: 0 });
    expect(summary.cut.size).toBe(0);
    expect(await issues.issue('DEMO-1')).toEqual(moved.issue);
  });

  test('counts a cut history once, and not at all when another snapshot makes it whole', async () => {
    expect([...(await filled(issueEntry(cut), issueEntry(cut))).cut]).toEqual([
      ['DEMO-1', 'only 1 of 2 changelog entries were imported'],
    ]);
    expect((await filled(issueEntry(cut), issueEntry(moved.issue))).cut.size).toBe(0);
    expect((await filled(issueEntry(cut))).cut.size).toBe(0);
  });

  test('collects rejected issues and unreadable sources, takes the others, and is not done without any', async () => {
    const rejected = { kind: 'rejected', source: 'a.json', key: 'DEMO-9', reason: 'no status' } as const;
    const unreadable = { kind: 'unreadable', source: 'a.json', reason: 'there is no such file' } as const;
    await filled(rejected, unreadable, listed('a.json', named('1')));
    expect(await issues.filledAt()).toBeNull();
    const summary = await filled(rejected, unreadable, issueEntry(moved.issue));
    expect(summary).toMatchObject({ issues: 1, rejected: [rejected], unreadable: [unreadable] });
  });

  test('counts a listed status once, however many lists have it, and those of issues not at all', async () => {
    const list = [named('1', 'Done'), named('2', 'Done')];
    expect(
      await filled(
        listed('a.json', ...list),
        listed('a.json', ...list),
        listed('b.json', named('1', 'Done')),
      ),
    ).toMatchObject({ statuses: 2, clashes: [] });
    expect(await filled(listed(null, named('3', 'Done')), issueEntry(moved.issue))).toMatchObject({
      statuses: 0,
    });
  });

  test.each([
    ['another list of this fill', [], [listed('b.json', { ...named('1', 'Done'), name: 'To Do' })]],
    ['a list of an earlier fill', [listed('b.json', { ...named('1', 'Done'), name: 'To Do' })], []],
    ['the issues of this fill', [], [listed(null, { ...named('1', 'To Do'), name: 'To Do' })]],
    ['the issues of an earlier fill', [listed(null, { ...named('1', 'To Do'), name: 'To Do' })], []],
  ])('names the id that a list calls otherwise than %s', async (_, before, more) => {
    await filled(...before);
    const { clashes } = await filled(listed('a.json', { ...named('1', 'Done'), name: 'Backlog' }), ...more);
    expect(clashes).toEqual([{ id: '1', name: 'Backlog', elsewhere: 'To Do' }]);
  });

  test('a name from the past and a renamed status of the same list are no clash', async () => {
    await filled(listed(null, { ...named('1'), name: 'Once' }), listed('a.json', named('1', 'Done')));
    const renamed = { ...named('1', 'Done'), name: 'Renamed' };
    expect((await filled(listed('a.json', renamed))).clashes).toEqual([]);
    expect((await issues.statuses()).get('1')).toMatchObject({ name: 'Renamed', listed: true });
  });

  test('keeps the batches before a tracker that fails, and is not noted as done', async () => {
    const failing: Tracker = {
      name: 'file',
      async *entries() {
        yield* many(700).map(issueEntry);
        throw new Error('the other side hung up');
      },
    };
    await expect(fill(failing, issues, () => AT)).rejects.toThrow('the other side hung up');
    expect(await issues.count()).toBe(500);
    expect(await issues.filledAt()).toBeNull();
  });

  test('a bare name does not hide an earlier category, in the same batch or an earlier one', async () => {
    await filled(listed(null, named('1', 'Done')), listed(null, named('1')), issueEntry(moved.issue));
    await filled(listed(null, named('1')), issueEntry(moved.issue));
    expect((await issues.statuses()).get('1')).toMatchObject({ category: 'Done', listed: false });
  });

  test('the tracker’s whole list marks every status it lacks as deleted, until it is listed again', async () => {
    const deleted = async () =>
      [...(await issues.statuses()).values()].filter((one) => one.deleted).map(({ id }) => id);
    await filled(listed(null, named('1'), named('2')), issueEntry(moved.issue));
    expect(await deleted()).toEqual([]);
    await filled(listed('a.json', named('1', 'To Do'), named('3', 'Done')));
    expect(await deleted()).toEqual(['2']);
    await filled(listed('a.json', named('2', 'Done')));
    expect((await deleted()).toSorted()).toEqual(['1', '3']);
    await filled(listed(null, named('4')), issueEntry(moved.issue));
    expect((await deleted()).toSorted()).toEqual(['1', '3', '4']);
  });

  test('a list replaces what it listed before, and nothing of another list', async () => {
    const marked = async () =>
      [...(await issues.statuses()).values()].map(({ id, deleted }) => (deleted ? `-${id}` : id)).toSorted();
    await filled(listed('a.json', named('1', 'Done'), named('2', 'Done')));
    await filled(listed('b.json', named('2', 'Done'), named('3', 'Done')));
    expect(await marked()).toEqual(['1', '2', '3']);
    await filled(listed('b.json', named('4', 'Done')));
    expect(await marked()).toEqual(['-3', '1', '2', '4']);
    await filled(listed('a.json', named('1', 'Done')));
    expect(await marked()).toEqual(['-2', '-3', '1', '4']);
  });

  test('two fills at once of what each has only half of lose nothing', async () => {
    const halves = many(1100).map(({ key }) => {
      const whole = born(key)
        .moves('In Progress', '2026-03-03T09:00:00Z')
        .moves('Done', '2026-03-04T09:00:00Z').issue;
      const [first = 0, second = 0] = whole.changes.map(({ at }) => at);
      const lost = { complete: false, unknownFrom: null, unknownUntil: null, reason: 'cut' } as const;
      const half = (changes: Issue['changes'], known: object) => ({
        ...whole,
        changes,
        history: { ...lost, ...known },
      });
      return {
        whole,
        oldest: half(whole.changes.slice(0, 1), { unknownFrom: first }),
        newest: half(whole.changes.slice(1), { unknownUntil: second }),
      };
    });
    await Promise.all([
      fill(trackerOf(...halves.map(({ oldest }) => issueEntry(oldest))), issues, () => AT),
      fill(trackerOf(...halves.map(({ newest }) => issueEntry(newest))), issues, () => AT),
    ]);
    for (const { whole } of halves) {
      const stored = await issues.issue(whole.key);
      expect(stored?.changes.map(({ entry }) => entry).toSorted()).toEqual(
        whole.changes.map(({ entry }) => entry),
      );
    }
  });
});

describe('what belongs to the issues', () => {
  const points = { id: 'customfield_1', name: 'Story Points' };
  const fieldsNamed = (...fields: { id: string; name: string }[]): TrackerEntry => ({
    kind: 'directory',
    part: { fields },
  });
  const { changes } = born('DEMO-1').changes('Story Points', null, '5', '2026-03-03T09:00:00Z').issue;
  const estimated: Issue = { ...moved.issue, changes };
  const fieldsChanged = async () => (await issues.issue('DEMO-1'))?.changes.map(({ field }) => field);

  test('is stored and counted, each entry once', async () => {
    const sprint = { id: '1', name: 'One', start: null, end: null, completed: null, board: null } as const;
    const summary = await filled(
      { kind: 'directory', part: { sprints: [{ ...sprint, state: 'active' }] } },
      { kind: 'directory', part: { groups: [{ id: 'web', name: 'web', members: ['ada'] }] } },
      { kind: 'directory', part: { sprints: [{ ...sprint, state: 'closed' }] } },
      fieldsNamed(points),
    );
    expect(summary).toMatchObject({ sprints: 1, filters: 0, groups: 1, fields: 1 });
    expect(await issues.directory()).toMatchObject({
      sprints: [{ ...sprint, state: 'closed' }],
      groups: [{ id: 'web', members: ['ada'] }],
      fields: [points],
    });
  });

  test('groups of memberships grow over several runs, and a person who leaves one is taken out', async () => {
    const isIn = (user: string, ...names: string[]): TrackerEntry => ({
      kind: 'membership',
      membership: { user, groups: names.map((name) => ({ id: name, name })), whole: true },
    });
    const members = async () =>
      Object.fromEntries((await issues.directory()).groups.map((group) => [group.id, group.members]));
    expect(await filled(isIn('ada', 'web', 'app'), isIn('bob', 'web'))).toMatchObject({ groups: 2 });
    expect(await filled(isIn('eve', 'web'))).toMatchObject({ groups: 1 });
    expect(await members()).toEqual({ web: ['ada', 'bob', 'eve'], app: ['ada'] });
    expect(await filled(isIn('ada', 'app'))).toMatchObject({ groups: 1 });
    expect(await filled(issueEntry(moved.issue))).toMatchObject({ groups: 0 });
    expect(await members()).toEqual({ web: ['bob', 'eve'], app: ['ada'] });
    const own = {
      kind: 'directory',
      part: { groups: [{ id: 'web', name: 'web', members: ['ada'] }] },
    } as const;
    expect(await filled(own, isIn('eve', 'web'))).toMatchObject({ groups: 1 });
    expect(await members()).toEqual({ web: ['ada', 'eve'], app: ['ada'] });
  });

  test('names of fields that come in a later run, or came in an earlier one, do so too', async () => {
    await filled(issueEntry(estimated));
    expect(await fieldsChanged()).toEqual(['Story Points']);
    expect(await filled(fieldsNamed(points))).toMatchObject({ issues: 0, fields: 1 });
    expect(await fieldsChanged()).toEqual(['customfield_1']);
    expect(await filled(issueEntry(estimated))).toMatchObject({ issues: 1, unchanged: 1 });
    expect(await fieldsChanged()).toEqual(['customfield_1']);
  });

  test('a snapshot that lost entries is not given them twice, by title and by id', async () => {
    await filled(issueEntry(estimated));
    const later = {
      ...estimated,
      updated: estimated.updated + 1,
      history: {
        complete: false,
        unknownFrom: null,
        unknownUntil: estimated.updated,
        reason: 'only some of the changelog entries were imported',
      },
    } as const;
    await filled(fieldsNamed(points), issueEntry(later));
    expect(await fieldsChanged()).toEqual(['customfield_1']);
  });

  test('changes of many issues get field ids in a later run', async () => {
    await filled(...many(1201).map((issue) => issueEntry({ ...issue, changes })));
    await filled(fieldsNamed(points));
    const { issues: all } = await issues.changedSince(0, 2000);
    expect(all.filter(({ issue }) => issue.changes[0]?.field === 'customfield_1')).toHaveLength(1201);
  });
});
