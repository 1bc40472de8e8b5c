import { beforeEach, describe, expect, test } from '#jest';
import type { SyncRecords } from '../../src/mirror/sync/sync-records.ts';
import type { Issue } from '../../src/model/issue.ts';
import { aStore } from '../support/a-store.ts';
import { anIssue } from '../support/issue-story.ts';
import type { TestStore } from '../support/open-test-store.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const cut = { complete: false, unknownFrom: null, unknownUntil: null, reason: 'cut' } as const;

let store: TestStore;
let sync: SyncRecords;
beforeEach(async () => {
  store = await aStore();
  sync = store.sync('jira');
});

const put = (...issues: Issue[]) => store.issues('jira').putIssues(issues, (_, incoming) => incoming);
const issueOf = (id: string): Issue => {
  const { issue } = anIssue(`DEMO-${id}`, '2026-03-02T09:00:00Z');
  return { id, ...issue, fields: { ...issue.fields, updated: 7 } };
};

test('the state is what was put last, apart for each tracker', async () => {
  expect(await sync.state()).toBeNull();
  await sync.putState({ step: 'fill' });
  await sync.putState({ step: 'rests', done: [1, null] });
  expect(await sync.state()).toEqual({ step: 'rests', done: [1, null] });
  expect(await store.sync('file').state()).toBeNull();
});

describe('the lease', () => {
  test('is one holder’s until it ends or is given back', async () => {
    expect(await sync.claim({ holder: 'a', until: 30 }, 10)).toBe(true);
    expect(await sync.claim({ holder: 'b', until: 40 }, 29)).toBe(false);
    expect(await sync.claim({ holder: 'a', until: 50 }, 29)).toBe(true);
    expect(await sync.claim({ holder: 'b', until: 80 }, 49)).toBe(false);
    expect(await sync.claim({ holder: 'b', until: 80 }, 50)).toBe(true);
    await sync.release('a');
    expect(await sync.claim({ holder: 'a', until: 90 }, 51)).toBe(false);
    await sync.release('b');
    expect(await sync.claim({ holder: 'a', until: 90 }, 51)).toBe(true);
    expect(await store.sync('file').claim({ holder: 'c', until: 90 }, 51)).toBe(true);
  });

  test('does not outlast a clock that was set back', async () => {
    expect(await sync.claim({ holder: 'a', until: 1_030_000 }, 1_000_000)).toBe(true);
    expect(await sync.claim({ holder: 'b', until: 30_000 }, 0)).toBe(true);
  });

  test('is one process’s', async () => {
    const dataDir = temporaryFolder();
    const [here, there] = [await aStore(dataDir), await aStore(dataDir)];
    expect(await here.sync('jira').claim({ holder: 'a', until: 30 }, 10)).toBe(true);
    expect(await there.sync('jira').claim({ holder: 'b', until: 30 }, 10)).toBe(false);
  });
});

test('kept tells what is known of ids, as far as they are', async () => {
  const { updated: _, ...fields } = issueOf('2').fields;
  await put(issueOf('1'), { ...issueOf('2'), fields, history: cut });
  expect(await sync.kept(['2', '1', '3'])).toEqual(
    new Map([
      ['1', { key: 'DEMO-1', updated: 7, complete: true }],
      ['2', { key: 'DEMO-2', updated: null, complete: false }],
    ]),
  );
  expect(await sync.countCut()).toBe(1);
});

test('unseen are the kept ids that were not seen, in pieces', async () => {
  await put(...['1', '2', '3', '4', '5'].map(issueOf), anIssue('WEB-1', '2026-03-02T09:00:00Z').issue);
  await sync.addSeen(['2', '9', '2']);
  await sync.addSeen(['2', '4']);
  expect(await sync.countSeen()).toBe(3);
  expect(await sync.unseen(null, 2)).toEqual(['1', '3']);
  expect(await sync.unseen('3', 2)).toEqual(['5']);
  expect(await store.sync('file').countSeen()).toBe(0);
  await sync.clearSeen();
  expect(await sync.unseen(null, 9)).toEqual(['1', '2', '3', '4', '5']);
});

test('projects are those of the stored issues, in pieces, whatever their keys have in common', async () => {
  const keys = ['WEB-2', 'WEB-10', 'WEB2-1', 'W_B-1', 'WE-7', 'A-1'];
  await put(...keys.map((key) => anIssue(key, '2026-03-02T09:00:00Z').issue));
  expect(await sync.projectsAfter(null, 3)).toEqual(['A', 'WE', 'WEB']);
  expect(await sync.projectsAfter('WEB', 3)).toEqual(['WEB2', 'W_B']);
  expect(await sync.projectsAfter('W_B', 3)).toEqual([]);
  expect(await store.sync('file').projectsAfter(null, 3)).toEqual([]);
});

test('slices of lists come in their order, and are forgotten together', async () => {
  const slice = (reason: string) => ({
    ...{ parts: [], memberships: [], statuses: [] },
    refused: [{ source: 'sprints', reason }],
  });
  for (let i = 0; i < 12; i += 1) await sync.putListsSlice(i, slice(String(i)));
  await sync.putListsSlice(3, slice('again'));
  const reasons = async () => (await sync.listsSlices()).flatMap(({ refused }) => refused[0]?.reason ?? []);
  expect(await reasons()).toEqual(['0', '1', '2', 'again', '4', '5', '6', '7', '8', '9', '10', '11']);
  await sync.clearListsSlices();
  expect(await reasons()).toEqual([]);
});

test('who can browse a project is told between two instants, until it is forgotten', async () => {
  const access = (project: string) => ({ project, access: { of: project } });
  await sync.putProjectAccess([access('WEB'), access('APP')], { at: 10, until: 20 });
  await sync.putProjectAccess([access('APP')], { at: 15, until: 30 });
  const accessAt = async (now: number) => ['WEB', 'APP', 'OPS'].map(await sync.projectAccess(now));
  expect(await accessAt(10)).toEqual([{ of: 'WEB' }, undefined, undefined]);
  expect(await accessAt(19)).toEqual([{ of: 'WEB' }, { of: 'APP' }, undefined]);
  expect(await accessAt(20)).toEqual([undefined, { of: 'APP' }, undefined]);
  await sync.clearProjectAccess(15);
  expect(await accessAt(19)).toEqual([undefined, { of: 'APP' }, undefined]);
});

describe('rejected issues', () => {
  const pauses = { firstMs: 10, longestMs: 35 };
  const rejected = (id: string, updated: number | null = 5) => ({
    id,
    key: `DEMO-${id}`,
    reason: 'odd',
    updated,
  });
  const due = async (now: number) => (await sync.rejectedDue(now, null, 9)).map(({ id }) => id);

  test('are told by id and in pieces, as they were noted last', async () => {
    await sync.noteRejected([rejected('1'), rejected('2'), rejected('3', null)], 100, pauses);
    await sync.noteRejected([{ ...rejected('2'), reason: 'odder' }], 200, pauses);
    expect(await sync.countRejected()).toBe(3);
    expect(await sync.rejected(['2', '3', '9'])).toEqual(
      new Map([
        ['2', { ...rejected('2'), reason: 'odder' }],
        ['3', rejected('3', null)],
      ]),
    );
    expect(await sync.rejectedDue(null, null, 1)).toEqual([rejected('1')]);
    expect((await sync.rejectedDue(null, '1', 9)).map(({ id }) => id)).toEqual(['2', '3']);
    expect(await store.sync('file').countRejected()).toBe(0);
  });

  test('are due after a pause that doubles up to the longest, or when the clock was set back', async () => {
    const pausesOf: number[] = [];
    for (const at of [100, 200, 300, 400]) {
      await sync.noteRejected([rejected('1')], at, pauses);
      let pause = 0;
      while ((await due(at + pause)).length === 0) pause += 1;
      pausesOf.push(pause);
    }
    expect(pausesOf).toEqual([10, 20, 35, 35]);
    expect(await due(399)).toEqual(['1']);
  });

  test('are forgotten, and with the issues that are taken away', async () => {
    await put(issueOf('1'));
    await sync.noteRejected([rejected('1'), rejected('2'), rejected('3')], 100, pauses);
    await sync.forgetRejected(['2', '9']);
    await sync.removeIssues(['1', '9']);
    expect(await due(1000)).toEqual(['3']);
    await sync.noteRejected([rejected('2')], 100, pauses);
    expect(await due(110)).toEqual(['2', '3']);
  });
});

test('what a list tells takes the place of what it told before, and not of what issues mention', async () => {
  const issues = store.issues('jira');
  const sprint = { state: 'active', start: null, end: null, completed: null, board: null } as const;
  const mentioned = { id: '1', name: 'Sprint 1', ...sprint };
  const [two, three] = [
    { id: '2', name: 'Sprint 2', ...sprint },
    { id: '3', name: 'Sprint 3', ...sprint },
  ];
  const rule = { kind: 'project', id: 'DEMO', viewers: ['ada'] } as const;
  await issues.putDirectory({ sprints: [mentioned], access: [rule] });
  await issues.replaceDirectory({ sprints: [two, three], fields: [{ id: 'f', name: 'F' }] }, 'go');
  await issues.putDirectory({ sprints: [{ ...three, name: 'renamed' }] });
  await issues.replaceDirectory({ sprints: [two] }, 'go');
  await issues.replaceDirectory({ sprints: [] }, 'stay');
  expect(await issues.directory()).toMatchObject({
    sprints: [mentioned, two],
    fields: [{ id: 'f', name: 'F' }],
    access: [rule],
  });
});
