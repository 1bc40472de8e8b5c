import { afterEach, beforeEach, expect, test } from '#jest';
import { createColumnSnapshot } from '../../../src/mirror/column-snapshot.ts';
import { type IssueTable, tableOf } from '../../../src/mirror/issue-table.ts';
import { createStoreTable } from '../../../src/mirror/store-table.ts';
import { emptyDirectory, type PrincipalsDirectory } from '../../../src/model/directory.ts';
import type { Issue, Status, User } from '../../../src/model/issue.ts';
import { principalVocabulary } from '../../../src/selection/access/query-context.ts';
import { createVisibleIssues } from '../../../src/selection/access/visible-issues.ts';
import { createFolderBlobs } from '../../../src/store/folder-blobs.ts';
import type { IssueStore } from '../../../src/store/store.ts';
import { anIssue } from '../../support/issue-story.ts';
import { openTestStore, type TestStore } from '../../support/open-test-store.ts';
import { principalOf } from '../../support/principal-of.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

let store: TestStore;
let stored: IssueStore;
let folder: string;
beforeEach(async () => {
  folder = temporaryFolder();
  store = await openTestStore(folder);
  stored = store.issues('file');
});
afterEach(() => store.close());

/** The file of columns is written at the end, however few have changed. */
function open(of: Parameters<typeof createStoreTable>[0]['store'] = stored) {
  return createStoreTable({
    store: of,
    snapshot: createColumnSnapshot({
      blobs: createFolderBlobs(folder),
      name: 'columns.bin',
      origin: async () => '',
      stamps: store.stamps,
      newStamp: () => 'stamp',
    }),
    now: () => 0,
    onProblem: () => {},
    minSaved: 0,
  });
}

const put = (...issues: Issue[]) => stored.putIssues(issues, (_, incoming) => incoming);

const plain = (number: number): Issue => {
  const { issue } = anIssue(`WEB-${number}`, '2026-03-02T09:00:00Z').moves('Done', '2026-03-03T09:00:00Z', {
    by: 'Bob',
  });
  const sprint = [{ id: '1', name: 'Sprint 1' }];
  return { ...issue, id: String(number), fields: { ...issue.fields, customfield_1: sprint } };
};

/** An issue that mentions what no other does. */
function secret(key = 'WEB-1', more: Issue['fields'] = {}): Issue {
  const { issue } = anIssue(key, '2026-03-02T09:00:00Z', 'Dismissal planned')
    .moves('Lawyer asked', '2026-03-03T09:00:00Z', { by: 'Mallory' })
    .changes('customfield_3', 'A', 'B', '2026-03-03T10:00:00Z')
    .moves('Done', '2026-03-04T09:00:00Z', { by: 'Bob' });
  const reporter = { id: 'Trudy', name: 'Trudy' };
  const sprint = [{ id: '7', name: 'Lay-offs' }];
  const fields = { ...issue.fields, reporter, customfield_1: sprint, customfield_2: 'x', ...more };
  return { ...issue, id: '1', fields };
}

/** Ada sees WEB, and no restricted issue. */
const directory: PrincipalsDirectory = {
  ...emptyDirectory,
  access: [{ kind: 'project', id: 'HR', viewers: ['bob'] }],
  sprints: [
    { id: '1', name: 'Sprint 1' },
    { id: '7', name: 'Lay-offs' },
  ].map((sprint) => ({ ...sprint, state: 'active', start: null, end: null, completed: null, board: null })),
  fields: ['customfield_1', 'customfield_2', 'customfield_3'].map((id) => ({ id, name: id })),
  permissions: null,
};
const statuses = new Map(
  ['To Do', 'Done', 'Dismissal planned', 'Lawyer asked'].map((id): [string, Status] => [
    id,
    { id, name: id, category: 'Undefined', listed: false, deleted: false },
  ]),
);
const users = new Map(['Bob', 'Mallory', 'Trudy'].map((id): [string, User] => [id, { id, name: id }]));

/** All that is offered to Ada, or told in an error. */
async function knownTo(table: IssueTable) {
  const principal = principalOf('ada');
  const seen = await createVisibleIssues()(table, principal, directory);
  const vocabulary = principalVocabulary(principal, { statuses, users, directory }, seen);
  const met = seen.known.observed('status');
  return {
    statuses: [...vocabulary.statuses.keys()],
    sprints: vocabulary.sprints.map(({ name }) => name),
    fields: vocabulary.fields.map(({ id }) => id),
    users: [...vocabulary.users.keys()],
    authors: [...seen.known.authors().byId.keys()].sort(),
    fieldIds: [...seen.known.fieldIds()].sort(),
    met: [...met.today.byId.keys(), ...met.former.byId.keys()].sort(),
  };
}

/** What is left once nothing of the secret issue is known. Somebody else's project keeps Ada from seeing all. */
const others = [2, 3, 4].map(plain);
const closed: Issue = { ...anIssue('HR-9', '2026-03-02T09:00:00Z').issue, id: '9' };
const expected = () => knownTo(tableOf([...others, closed]));

const restricted = secret('WEB-1', { security: { id: '7', name: 'Board' } });

const ways: [string, () => Promise<unknown>][] = [
  ['restricted', () => put(restricted)],
  ['moved to a closed project', () => put(secret('HR-1'))],
  ['taken away', () => store.sync('file').removeIssues(['1'])],
];

test('what an issue mentions is told while it is open', async () => {
  await put(secret(), ...others, closed);
  const known = await knownTo(await open().table());
  expect(known.statuses).toContain('Lawyer asked');
  expect(known.sprints).toContain('Lay-offs');
  expect(known.users).toEqual(['Bob', 'Mallory', 'Trudy']);
  expect(known.authors).toContain('mallory');
  expect(known.fieldIds).toContain('customfield_2');
  expect(known.fields).toContain('customfield_3');
  expect(known.met).toContain('lawyer asked');
});

test.each(ways)(
  'what only an issue mentions that was %s is told to nobody who does not see it',
  async (_, leave) => {
    await put(secret(), ...others, closed);
    const { table } = open();
    await table();
    await leave();
    expect(await knownTo(await table())).toEqual(await expected());
  },
);

test.each(ways)('nor where it was %s while nobody was there, or nothing could be read', async (_, leave) => {
  await put(secret(), ...others, closed);
  const first = open();
  await first.table();
  await first.close();
  await leave();
  const broken = open({ ...stored, issuesAt: () => Promise.reject(new Error('the disk is gone')) });
  await broken.table();
  // What is in doubt lies in the file.
  await broken.close();
  expect(await knownTo(await open().table())).toEqual(await expected());
});

test.each(ways)(
  'of many issues, the one that was %s is looked after behind those who ask',
  async (_, leave) => {
    const many = Array.from({ length: 1500 }, (_, i) => plain(i + 10));
    await put(secret(), ...others, closed, ...many);
    const gate = Promise.withResolvers<void>();
    let [read, isHeld] = [0, false];
    const { table, idle } = open({
      ...stored,
      async issuesAt(ids) {
        read += ids.length;
        if (read > 1000 && !isHeld) {
          isHeld = true;
          await gate.promise;
        }
        return stored.issuesAt(ids);
      },
    });
    await table();
    await leave();
    const during = await table();
    expect((await knownTo(during)).authors).toContain('mallory');
    // Meanwhile an issue comes that mentions some of it.
    const { issue } = anIssue('WEB-2000', '2026-03-05T09:00:00Z', 'Lawyer asked');
    await put({ ...issue, id: '2000' });
    const [late] = [table()];
    gate.resolve();
    await late;
    await idle();
    expect(await knownTo(await table())).toEqual(await knownTo(tableOf([...others, closed, issue])));
  },
);

test('what one of two issues does not mention any more is told no longer than the other one is open', async () => {
  const second = { ...secret('WEB-5'), id: '5' };
  await put(secret(), second, ...others, closed);
  const { table } = open();
  await table();
  const { customfield_1, customfield_2, ...fields } = secret().fields;
  await put({ ...secret(), fields });
  expect((await knownTo(await table())).sprints).toContain('Lay-offs');
  await put({ ...second, fields: { ...second.fields, security: { id: '7', name: 'Board' } } });
  const known = await knownTo(await table());
  expect(known.sprints).toEqual(['Sprint 1']);
  expect(known).toEqual(await knownTo(tableOf([{ ...secret(), fields }, ...others, closed])));
});

test('nothing is read where others are known to mention the same', async () => {
  await put(...others, ...[5, 6].map(plain), closed);
  let read = 0;
  const { table } = open({
    ...stored,
    issuesAt(ids) {
      read += ids.length;
      return stored.issuesAt(ids);
    },
  });
  await table();
  await store.sync('file').removeIssues(['6']);
  expect(await knownTo(await table())).toEqual(await expected());
  expect(read).toBe(0);
});

test('of a class without issues nothing is known', async () => {
  await put(secret(), closed);
  const { table } = open();
  await table();
  await put(restricted);
  const { columns } = await table();
  const [first] = columns.classes.all;
  expect([first?.issues, [...(first?.fields ?? [])], first?.left]).toEqual([0, [], 0]);
});
