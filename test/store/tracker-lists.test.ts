import { beforeEach, expect, test } from '#jest';
import type { TrackerIssues } from '../../src/mirror/lists/tracker-issues.ts';
import { type Directory, emptyDirectory } from '../../src/model/directory.ts';
import { aStore } from '../support/a-store.ts';
import type { TestStore } from '../support/open-test-store.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

let store: TestStore;
let issues: TrackerIssues;
beforeEach(async () => {
  store = await aStore();
  issues = store.issues('file');
});

const group = (id: string, ...members: string[]) => ({ id, name: `Group ${id}`, members });

test('a directory is empty at first and gives back what was put into each of its lists', async () => {
  expect(await issues.directory()).toEqual(emptyDirectory);
  const everything: Directory = {
    sprints: [{ id: '1', name: 'One', state: 'active', start: 1, end: 2, completed: null, board: '7' }],
    filters: [{ id: '1', name: 'Mine', jql: 'project = DEMO', owner: 'ada', shared: false }],
    groups: [group('1', 'ada', 'bob')],
    fields: [{ id: 'customfield_1', name: 'Story Points' }],
    issueTypes: [{ id: '5', name: 'Part', subtask: true }],
    versions: [
      { id: '9', name: '1.0', project: 'WEB', released: true, archived: false, releaseDate: '2026-01-10' },
    ],
    priorities: [{ id: '3', name: 'Urgent', place: 0 }],
    access: [{ kind: 'project', id: 'DEMO', viewers: ['1'] }],
    calendars: [{ id: 1, name: 'Berlin', timeZone: 'Europe/Berlin', workingTimes: [], holidays: [] }],
    parameterSets: [
      { id: '1', name: 'Mine', ownerId: 'ada', public: true, report: {}, createdAt: 0, updatedAt: 0 },
    ],
    categories: [{ id: 1, name: 'Expense', description: '' }],
    delegations: [
      {
        id: 1,
        version: 1,
        active: true,
        delegator: 'ada',
        delegates: ['bob'],
        categoryIds: [1],
        start: 0,
        end: 60_000,
        notes: '',
      },
    ],
  };
  await issues.putDirectory(everything);
  expect(await issues.directory()).toEqual(everything);
  expect(await store.issues('sample').directory()).toEqual(emptyDirectory);
});

test('an entry of the same id is replaced, others stay, and each list is by id', async () => {
  await issues.putDirectory({ groups: [group('10', 'ada'), group('9', 'ada')] });
  await issues.putDirectory({
    groups: [group('9', 'bob'), group('web')],
    fields: [{ id: '9', name: 'Nine' }],
  });
  const { groups, fields } = await issues.directory();
  expect(groups).toEqual([group('9', 'bob'), group('10', 'ada'), group('web')]);
  expect(fields).toEqual([{ id: '9', name: 'Nine' }]);
});

test('a rule for a project and one for a level of the same id do not replace each other', async () => {
  const project = { kind: 'project', id: '1', viewers: ['ada'] } as const;
  const level = { kind: 'level', id: '1', viewers: ['bob'] } as const;
  await issues.putDirectory({ access: [project, level] });
  await issues.putDirectory({ access: [{ ...project, viewers: [] }] });
  expect((await issues.directory()).access).toEqual([level, { ...project, viewers: [] }]);
});

test('removeAccess takes away one rule and says whether there was one', async () => {
  const project = { kind: 'project', id: '1', viewers: ['ada'] } as const;
  const level = { kind: 'level', id: '1', viewers: ['bob'] } as const;
  await issues.putDirectory({ access: [project, level] });
  expect(await store.issues('sample').removeAccess('project', '1')).toBe(false);
  expect(await issues.removeAccess('project', '1')).toBe(true);
  expect(await issues.removeAccess('project', '1')).toBe(false);
  expect((await issues.directory()).access).toEqual([level]);
});

test('lists are read again once this connection or another has written them, and not before', async () => {
  const folder = temporaryFolder();
  const [one, other] = [await aStore(folder), await aStore(folder)];
  const [mine, again, theirs] = [one.issues('file'), one.issues('file'), other.issues('file')];
  const doing = { name: 'Doing', category: 'In Progress', deleted: false, listed: true } as const;
  const before = await mine.directory();
  const statuses = await mine.statuses();
  await one.cache({ maxEntries: null, now: () => 0 }).set('n:a', '1', undefined);
  expect(await mine.directory()).toBe(before);
  expect(await mine.statuses()).toBe(statuses);
  for (const [writer, id] of [
    [mine, '1'],
    [again, '2'],
    [theirs, '3'],
  ] as const) {
    await writer.putDirectory({ groups: [group(id)] });
    await writer.putStatuses([{ ...doing, id }], null);
    for (const reader of [mine, again, theirs]) {
      expect((await reader.directory()).groups).toContainEqual(group(id));
      expect((await reader.statuses()).has(id)).toBe(true);
    }
  }
  await again.removeAccess('project', 'X');
  await theirs.replaceDirectory({ groups: [group('3')] }, 'go');
  expect((await mine.directory()).groups).toContainEqual(group('3'));
});

test('a category that an admin sets counts for every process at once, below the tracker’s own, and is recorded', async () => {
  const folder = temporaryFolder();
  const [one, other] = [await aStore(folder), await aStore(folder)];
  const [mine, theirs] = [one.issues('file'), other.issues('file')];
  const qa = { id: '9', name: 'QA', category: 'Undefined', deleted: false } as const;
  const category = async () => {
    const status = (await theirs.statuses()).get('9');
    return [status?.category, status?.categorySource];
  };
  await mine.putStatuses([qa], null);
  expect(await category()).toEqual(['Undefined', undefined]);
  await mine.putCategory('9', 'To Do', { by: 'ada', at: 1 });
  await mine.putCategory('9', 'Done', { by: 'bob', at: 2 });
  expect(await category()).toEqual(['Done', 'admin']);
  expect([...(await theirs.setCategories())]).toEqual([['9', { category: 'Done', by: 'bob', at: 2 }]]);
  await mine.putStatuses([{ ...qa, category: 'In Progress' }], 'statuses.json');
  expect(await category()).toEqual(['In Progress', undefined]);
  await mine.putStatuses([], 'statuses.json');
  await mine.putCategory('9', null, { by: 'ada', at: 3 });
  expect((await theirs.setCategories()).size).toBe(0);
  expect((await other.issues('sample').setCategories()).size).toBe(0);
});
