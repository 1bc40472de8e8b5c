import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { describe, expect, test } from '#jest';
import { parametersOf, readParameters } from '../../../src/api/parameters/saved-report.ts';
import { createPageLists } from '../../../src/api/reporting/load-page.ts';
import { createNamespace } from '../../../src/cache/namespace.ts';
import { emptyDirectory } from '../../../src/model/directory.ts';
import type { Issue } from '../../../src/model/issue.ts';
import { restrictionOf } from '../../../src/model/issues/issue-fields.ts';
import { SCHEMA_VERSION } from '../../../src/store/sqlite/open-database.ts';
import { migrations } from '../../../src/store/upgrades/upgrade.ts';
import { aStore } from '../../support/a-store.ts';
import { anIssue } from '../../support/issue-story.ts';
import { inFolder, leftFolder } from '../../support/left-folder.ts';
import { anOddIssue } from '../../support/odd-issue.ts';
import { documentRow, folderAtStep, type OldRow } from '../../support/older-store.ts';
import { openTestStore, type TestStore } from '../../support/open-test-store.ts';
import { runs } from '../../support/soak.ts';
import { storedIn } from '../../support/stored-in.ts';

const born = (key: string) => anIssue(key, '2026-03-02T09:00:00Z').issue;

/** Runs one statement in the database of a folder, and returns its rows. */
const changeIn = (dataDir: string) => (sql: string) =>
  inFolder(dataDir, (database) => database.prepare(sql).all());

/** A namespace of a store at the instant 1000. */
const forGood = (store: TestStore) => ({
  ...{ ttlMs: null, maxEntries: null, now: () => 1000 },
  backing: storedIn(store, () => 1000),
});

test('a step that was released stays as it is', () => {
  const digests = migrations
    .slice(0, 3)
    .map((step) => createHash('sha256').update(String(step)).digest('hex'));
  expect(digests).toEqual([
    '806a4c5432f06cce19231a1df51afbef7fb5d2b7b51a9a5c2b14e906e79d93ab',
    '53c650f02beda50fd6d71a285e778db38297276e43ba76e7d0cfbc921f1189d7',
    '75e8a0575a134a809c515f3b78e8edb1c6c8dad613698890fe0ae43196142ea0',
  ]);
});

/** A store that a Dwell left that knew only the first steps, opened. */
const storeAtStep = (steps: number, ...rows: readonly OldRow[]) => aStore(folderAtStep(steps, ...rows));

test('a store of the first step keeps what it has, and its issues get revisions in the order they came', async () => {
  const store = await storeAtStep(
    1,
    ['user', { tracker: 'file', id: 'ada', document: { id: 'ada', name: 'Ada' } }],
    ['status', { tracker: 'file', id: '1', name: 'To Do', category: 'To Do', listed: 'statuses.json' }],
    ['fill', { tracker: 'file', at: 42 }],
    ['token', { id: 't', user: 'ada', admin: 1, created_at: 1, expires_at: 2, active: 1 }],
    ['secret', { name: 'token-signing-key', value: 'kept' }],
    ...['DEMO-3', 'DEMO-1', 'DEMO-2'].map((key) => documentRow('file', 0, born(key))),
  );
  const issues = store.issues('file');
  expect(await issues.count()).toBe(3);
  expect(await issues.issue('DEMO-2')).toEqual(born('DEMO-2'));
  expect(await issues.users()).toEqual(new Map([['ada', { id: 'ada', name: 'Ada' }]]));
  expect((await issues.statuses()).get('1')).toMatchObject({ name: 'To Do', listed: true });
  expect(await issues.filledAt()).toBe(42);
  expect(await store.tokens.get('t')).toMatchObject({ user: 'ada', admin: true, active: true });
  expect(await store.secrets.get('token-signing-key')).toBe('kept');
  expect(await issues.directory()).toEqual(emptyDirectory);
  expect(await store.calendars.list()).toEqual([]);
  expect(await issues.revision()).toBe(3);
  const keysAfter = async (revision: number) => {
    const changed = await issues.changedSince(revision, 2);
    return [changed.issues.map(({ issue }) => issue.key), changed.revision];
  };
  expect(await keysAfter(0)).toEqual([['DEMO-3', 'DEMO-1'], 2]);
  expect(await keysAfter(2)).toEqual([['DEMO-2'], 3]);
  await issues.putIssues([{ ...born('DEMO-3'), summary: 'anew' }], (_, incoming) => incoming);
  expect(await keysAfter(3)).toEqual([['DEMO-3'], 4]);
});

test('an empty store of the first step begins at revision 0', async () => {
  expect(await (await storeAtStep(1)).issues('file').revision()).toBe(0);
});

test('a store of the third step keeps its exports and gets room for delegations and links', async () => {
  const formats = { dateFormat: 'd.M.yy', dateTimeFormat: 'd.M.yy HH:mm' };
  const progress = { created_at: 7, completed: 0, total: 3, delivery_pending: 0, attempts: 0 };
  const store = await storeAtStep(
    3,
    ['export', { id: 'a', user: 'ada', admin: 0, wish: {}, state: 'Queued', ...progress }],
    ['setting', { name: 'date-formats', document: formats }],
  );
  expect(await store.exports.get('a')).toMatchObject({ state: 'Queued', createdAt: 7, total: 3 });
  expect(await createNamespace({ ...forGood(store), name: 'formats' }).get('')).toEqual(formats);
  const delegations = store.documents('file').delegations;
  expect(await delegations.list()).toEqual([]);
  expect(await store.delegationPermissions.list()).toEqual([]);
  const expense = (id: number) => ({ category: { id, name: 'Expense', description: '' } });
  expect(await delegations.addNumbered({ name: 'category', first: 101 }, expense)).toEqual(expense(101));
  expect(await store.documents('file').links.list()).toEqual([]);
});

test('a store of the fourth step keeps its links and gets room for questions, channels, digests and watches', async () => {
  const link = { tracker: 'file', account: 'U1', user: 'ada', said_by: 'bob', at: 7, revision: 1 };
  const store = await storeAtStep(4, ['person_link', link]);
  expect(await store.documents('file').links.get('U1')).toMatchObject({ link: { user: 'ada', by: 'bob' } });
  expect(await createNamespace({ ...forGood(store), name: 'channel' }).values()).toEqual([]);
  for (const { list } of [store.digests, store.watches, store.snoozes]) expect(await list()).toEqual([]);
});

test('a store of the fifth step keeps its issues, which get ids once they are read again', async () => {
  const cut = { complete: false, unknownFrom: null, unknownUntil: null, reason: 'cut' } as const;
  const [whole, half] = [born('DEMO-1'), { ...born('DEMO-2'), history: cut }];
  const store = await storeAtStep(5, documentRow('file', 1, whole), documentRow('file', 2, half));
  const [issues, sync] = [store.issues('file'), store.sync('file')];
  const before = [whole, half].map((issue, i) => ({ id: i + 1, issue }));
  expect(await issues.changedSince(0, 9)).toEqual({ issues: before, removed: [], revision: 2 });
  expect(await sync.countCut()).toBe(1);
  expect(await sync.unseen(null, 9)).toEqual([]);
  expect(await sync.state()).toBeNull();
  await issues.putIssues([{ ...whole, id: '10' }], (_, incoming) => incoming);
  expect([...(await sync.kept(['10'])).keys()]).toEqual(['10']);
  expect(await issues.count()).toBe(2);
});

test('a store of the sixth step closes the issues of which it kept no roles, and reads them again', async () => {
  const untold = { ...born('DEMO-1'), id: 'DEMO-1' };
  const fields = { ...untold.fields, issuerestriction: null };
  const unread = { ...untold, id: 'DEMO-2', key: 'DEMO-2', fields };
  const store = await storeAtStep(
    6,
    ['sync_state', { tracker: 'jira', document: { thoroughAt: 7, comparedAt: 8 } }],
    ['sync_state', { tracker: 'other', document: { thoroughAt: 7 } }],
    ...[untold, unread].map((issue, i) => documentRow('jira', i + 1, issue)),
  );
  const [issues, sync] = [store.issues('jira'), store.sync('jira')];
  expect([await issues.countUnreadRoles(), await store.issues('file').countUnreadRoles()]).toEqual([1, 0]);
  // A later step has every issue read again.
  expect([...(await sync.kept(['DEMO-1', 'DEMO-2'])).values()].map(({ updated }) => updated)).toEqual([
    null,
    null,
  ]);
  expect(await sync.state()).toEqual({ thoroughAt: null, comparedAt: 8 });
  expect(await store.sync('other').state()).toEqual({ thoroughAt: 7 });
  expect([untold, unread].map(restrictionOf)).toEqual([null, 'unknown']);
  const read = { ...unread, fields: { ...unread.fields, issuerestriction: [] } };
  await issues.putIssues([read], (_, incoming) => incoming);
  expect(await issues.countUnreadRoles()).toBe(0);
  expect(restrictionOf(read)).toBeNull();
});

test('a store of the eighth step keeps every calendar and parameter set, and the older ones their names', async () => {
  const hours = { timeZone: 'UTC', workingTimes: [], holidays: [] };
  const calendarNames = ['Büro', 'BÜRO ', 'Lab', 'büro (104)', 'büro', 'Büro (105)'];
  const set = (id: string, ownerId: string, name: string, more = {}): OldRow => {
    const members = { public: false, parameters: {}, createdAt: 1, updatedAt: 1 };
    return ['parameter_set', { id, document: { ...members, id, ownerId, name, ...more } }];
  };
  const { calendars, parameterSets } = await storeAtStep(
    8,
    ...calendarNames.map((name): OldRow => ['calendar', { document: { name, ...hours } }]),
    ...[set('a', 'ada', 'Mine'), set('b', 'bob', 'Mine'), set('c', 'ada', 'MINE')],
    set('d', 'ada', 'Mine', { deleted: true }),
  );
  const stored = await calendars.list();
  expect(stored.map(({ id }) => id)).toEqual([101, 102, 103, 104, 105, 106]);
  expect(stored.map(({ name }) => name)).toEqual(calendarNames.with(1, 'BÜRO  (102)').with(4, 'büro (105)'));
  const sets = await parameterSets.list();
  expect(sets.map(({ id, name }) => `${id} ${name}`)).toEqual(['a Mine', 'b Mine', 'c MINE (3)', 'd Mine']);
  for (const [id, name] of [
    [107, 'BÜRO'],
    [103, 'büro'],
  ] as const) {
    await expect(calendars.change(String(id), () => ({ id, name, ...hours }))).rejects.toThrow('taken');
  }
  for (const id of [101, 106]) {
    const moved = { timeZone: 'Asia/Tokyo' };
    const changed = await calendars.change(String(id), (before) => before && { ...before, ...moved });
    expect(changed).toMatchObject({ id, ...moved });
  }
});

test('a store of the eighth step keeps its runs, page lists, channels, preferences and formats', async () => {
  const run = { id: 'r', account: 'U1', question: { kind: 'issue', key: 'Ü-1' }, asOf: 7, askedAt: 900 };
  const channel = (id: string) => ({
    channel: id,
    ...{ timeZone: 'UTC', calendar: null, projects: [{ key: 'WEB', withGuests: true }] },
    ...{ unfurls: true, changedBy: 'U1', changedAt: 5 },
  });
  const preferences = { account: 'U1', projects: ['WEB'], calendar: '101' };
  const formats = { dateFormat: "d.M.yy '\u2028'", dateTimeFormat: 'd.M.yy HH:mm' };
  const list = (id: string, owner: string, createdAt: number) => ({
    ...{ id, owner, question: 'all', keys: ['WEB-1', 'WEB-2'], undecided: 0 },
    ...{ asOf: createdAt, createdAt },
  });
  const lists = [list('new', 'ädä', 800), list('old', 'ädä', 700), list('bob', 'bob', 900)];
  const store = await storeAtStep(
    8,
    ['question_run', { id: run.id, asked_at: run.askedAt, document: run }],
    ...['C2', 'C1'].map((id): OldRow => ['channel', { id, document: channel(id) }]),
    ['preference', { account: 'U1', document: preferences }],
    ['setting', { name: 'date-formats', document: formats }],
    ['setting', { name: 'client-key', document: '"mine"' }],
    ...lists.map(({ id, owner, createdAt, ...more }): OldRow => {
      const document = { id, owner, createdAt, ...more };
      return ['page_list', { id, owner, question: 'all', created_at: createdAt, document }];
    }),
  );
  const named = (name: string) => createNamespace<unknown>({ ...forGood(store), name });
  expect(await named('run').get('r')).toEqual(run);
  expect(await named('channel').values()).toEqual([channel('C1'), channel('C2')]);
  expect(await named('preferences').get('U1')).toEqual(preferences);
  expect(await named('formats').get('')).toEqual(formats);
  expect(await store.facts.get('client-key')).toBe('mine');
  const pages = createPageLists({ stored: storedIn(store, () => 1000), now: () => 1000 });
  expect(await pages.get('ädä', 'old')).toEqual(list('old', 'ädä', 700));
  expect(await pages.newest('ädä', 'all')).toEqual(list('new', 'ädä', 800));
  expect(await pages.newest('bob', 'all')).toEqual(list('bob', 'bob', 900));
});

/** A folder with the store of a Dwell that stored issues as documents, and these in it. */
function storeOfDocuments(...all: readonly { readonly tracker: string; readonly issue: Issue }[]): string {
  return folderAtStep(10, ...all.map(({ tracker, issue }, i) => documentRow(tracker, i + 1, issue)));
}

test('a store of the tenth step keeps every issue as it was, with its revision and what is known of it', () =>
  fc.assert(
    fc.asyncProperty(fc.array(anOddIssue, { maxLength: 12 }), async (odd) => {
      const all = odd.map((issue, i) => ({
        tracker: i % 3 === 0 ? 'file' : 'jira',
        // Documents know no −0.
        issue: withoutNegativeZero({ ...issue, id: `id ${i}`, key: `ODD-${i}` }),
      }));
      const store = await openTestStore(storeOfDocuments(...all));
      for (const tracker of ['file', 'jira']) {
        const [issues, sync] = [store.issues(tracker), store.sync(tracker)];
        const own = all.flatMap((one, i) =>
          one.tracker === tracker ? [{ id: i + 1, issue: one.issue }] : [],
        );
        const changes = await issues.changedSince(0, 99);
        expect(changes).toEqual({ issues: own, removed: [], revision: own.at(-1)?.id ?? 0 });
        expect(changes.issues.map(({ issue }) => JSON.stringify(issue.fields))).toEqual(
          own.map(({ issue }) => JSON.stringify(issue.fields)),
        );
        for (const { issue } of own) expect(await issues.issue(issue.key)).toEqual(issue);
        expect(await issues.issuesAt(all.map((_, i) => i + 1))).toEqual(
          all.map((one) => (one.tracker === tracker ? one.issue : null)),
        );
        expect(await sync.countCut()).toBe(own.filter(({ issue }) => !issue.history.complete).length);
        const facts = await sync.kept(own.map(({ issue }) => issue.id ?? ''));
        expect([...facts.values()].map(({ key }) => key).sort()).toEqual(
          own.map(({ issue }) => issue.key).sort(),
        );
        // What comes as it was is known as that.
        const again = await issues.putIssues(
          own.map(({ issue }) => issue),
          (_, incoming) => incoming,
        );
        expect(again.map(({ changed }) => changed)).toEqual(own.map(() => false));
      }
      store.close();
    }),
    { numRuns: runs(15) },
  ));

function withoutNegativeZero(issue: Issue): Issue {
  return JSON.parse(JSON.stringify(issue));
}

test('a store whose issues cannot all be packed stays as it was', async () => {
  const dataDir = storeOfDocuments(
    ...['DEMO-1', 'DEMO-2'].map((key) => ({ tracker: 'file', issue: born(key) })),
  );
  const change = changeIn(dataDir);
  change("UPDATE issue SET document = '{' WHERE key = 'DEMO-2'");
  await expect(openTestStore(dataDir)).rejects.toThrow('cannot be opened');
  expect(change('PRAGMA user_version')).toEqual([{ user_version: 10 }]);
  expect(change('SELECT key FROM issue WHERE document IS NOT NULL ORDER BY revision')).toHaveLength(2);
  change(
    `UPDATE issue SET document = replace('${JSON.stringify(born('DEMO-2'))}', 'x', 'x') WHERE key = 'DEMO-2'`,
  );
  const store = await aStore(dataDir);
  expect(await store.issues('file').issue('DEMO-2')).toEqual(born('DEMO-2'));
});

test('an upgrade is said of a store of an earlier version, and of no other', async () => {
  const dataDir = storeOfDocuments({ tracker: 'file', issue: born('DEMO-1') });
  const upgrades: unknown[] = [];
  const opened = async (folder: string) =>
    (await openTestStore(folder, (progress) => void upgrades.push(progress))).close();
  await opened(dataDir);
  const tables = (done: number) => ({ step: 'changing tables', done, of: SCHEMA_VERSION });
  expect(upgrades).toEqual([
    ...[tables(10), tables(10), { step: 'packing issues', done: 0, of: 1 }],
    ...[11, 12, 13, 14, 15].map(tables),
    ...[{ step: 'reading histories', done: 1, of: 1 }, tables(16)],
  ]);
  await opened(dataDir);
  await opened(join(dataDir, 'new'));
  expect(upgrades).toHaveLength(10);
});

test('a store that gets much smaller by it gives the space back', async () => {
  const dataDir = storeOfDocuments({
    tracker: 'file',
    issue: { ...born('DEMO-0'), summary: 'a'.repeat(20) },
  });
  const file = join(dataDir, 'dwell.db');
  const document = JSON.stringify({ ...born('DEMO-0'), none: 'What nobody reads. '.repeat(500) });
  inFolder(dataDir, (database) =>
    database
      .prepare(`
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2200)
      INSERT INTO issue (tracker, key, project, created, updated, document, revision)
      SELECT 'file', 'DEMO-' || i, 'DEMO', 0, 0, replace(?, 'DEMO-0', 'DEMO-' || i), i + 1 FROM n`)
      .run(document),
  );
  const before = statSync(file).size;
  const store = await openTestStore(dataDir);
  expect(await store.issues('file').issue('DEMO-2200')).toEqual(born('DEMO-2200'));
  store.close();
  expect(statSync(file).size).toBeLessThan(before / 4);
});

test('parameter sets become the reports that their parameters meant, and nothing of them is lost', async () => {
  const project = { filterType: 'project', projectKey: 'WEB' };
  const plain = { reportType: 'statusDuration', ...project, fields: ['priority'] };
  const customjql = '(project = "WEB") AND created >= -30d';
  const built = { reportType: 'statusCount', filterType: 'customjql', customjql };
  const others = { viewFormat: 'weeks', screen: { wide: true }, user: null };
  const set = (id: string, parameters: unknown) => ({
    ...{ id, name: `Set ${id}`, ownerId: 'ada', public: false, parameters, createdAt: 1, updatedAt: 2 },
  });
  const all = [
    ...[
      set('a', plain),
      set('b', built),
      set('c', { COLUMNSBY: 'statuscount', percentile: '90', ...others }),
    ],
    ...[set('d', {}), { ...set('e', plain), deleted: true }],
  ];
  const store = await storeAtStep(
    10,
    ...all.map((one): OldRow => ['parameter_set', { id: one.id, document: one }]),
    ['directory_entry', { tracker: 'sample', kind: 'parameterSets', id: 'f', document: set('f', plain) }],
  );
  const sets = await store.parameterSets.list();
  expect(sets.map(({ report }) => parametersOf(report))).toEqual([
    plain,
    built,
    { reportType: 'statuscount', percentile: 90, ...others },
    {},
    plain,
  ]);
  const report = readParameters(plain);
  expect(report.others).toBeUndefined();
  const { parameters: _, ...members } = set('e', plain);
  expect(sets.at(-1)).toEqual({ ...members, deleted: true, report });
  expect((await store.issues('sample').directory()).parameterSets).toEqual([
    { ...members, id: 'f', name: 'Set f', report },
  ]);
});

describe('a folder that 0.8.0 left', () => {
  test('is as it was where its upgrade fails half way, and is upgraded once that is mended', async () => {
    const dataDir = leftFolder('dwell-0.8.0.sql', {});
    const change = changeIn(dataDir);
    const counts = () =>
      change("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").map(({ name }) => [
        name,
        ...change(`SELECT count(*) AS rows FROM "${name}"`).map(({ rows }) => rows),
      ]);
    const [entry] = change(
      'SELECT rowid AS place, document FROM directory_entry ORDER BY rowid DESC LIMIT 1',
    );
    change(`UPDATE directory_entry SET document = '{' WHERE rowid = ${entry?.place}`);
    const before = counts();
    await expect(openTestStore(dataDir)).rejects.toThrow('cannot be opened');
    expect(counts()).toEqual(before);
    expect(change('PRAGMA user_version')).toEqual([{ user_version: 17 }]);
    const document = String(entry?.document).replaceAll("'", "''");
    change(`UPDATE directory_entry SET document = '${document}' WHERE rowid = ${entry?.place}`);
    const store = await aStore(dataDir);
    expect(await store.issues('jira').count()).toBe(8);
  });

  test('takes no issues from a process of 0.8.0 that still runs, whose revisions would be lost', async () => {
    const dataDir = leftFolder('dwell-0.8.0.sql', {});
    const older = new DatabaseSync(join(dataDir, 'dwell.db'));
    // What it asks first in each write of issues.
    const begin = () => older.prepare('SELECT 1 FROM issue_removed LIMIT 1').get();
    begin();
    await aStore(dataDir);
    expect(begin).toThrow('no such table');
    older.close();
  });
});
