import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, test } from '#jest';
import { createNamespace, inStore } from '../../src/cache/namespace.ts';
import { emptyDirectory } from '../../src/model/directory.ts';
import { ask, principalIn } from '../../src/model/request.ts';
import { readParameters } from '../../src/parameters/saved-report.ts';
import { openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.ts';
import type { TenantStore } from '../../src/store/store.ts';
import { aDigest } from '../support/a-digest.ts';
import { aWatch } from '../support/a-watch.ts';
import { anExport, aWish } from '../support/an-export.ts';
import { anIssue } from '../support/issue-story.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { aCalendar } from '../time/a-calendar.ts';

const NOW = Date.parse('2026-03-18T12:00:00Z');
const lease = { holder: 'here', until: NOW + 10_000 };
const cut = { complete: false, unknownFrom: null, unknownUntil: null, reason: 'cut' } as const;
const visit = { watchId: 'same', key: 'WEB-1', since: 7 };

const folder = temporaryFolder();
const store = openSqliteStore(folder);
afterAll(() => store.close());

function namespaceOf(own: TenantStore) {
  const backing = inStore((how) => own.cache({ ...how, now: () => NOW }));
  return createNamespace<string>({ name: 'small', ttlMs: null, most: 2, now: () => NOW, backing });
}

/** Something in every table, under the same ids whatever the tenant, whose name is in it. */
async function fill(tenant: string): Promise<void> {
  const own = store.forTenant(tenant);
  const issues = own.issues('file');
  const [first, second] = ['WEB-1', 'WEB-2'].map((key, i) => ({
    ...anIssue(key, '2026-03-02T09:00:00Z').issue,
    ...{ id: String(i), summary: tenant, history: cut },
  }));
  if (first === undefined || second === undefined) throw new Error('no issues');
  await issues.putIssues([first, second], (_, incoming) => incoming);
  await issues.putIssues([{ ...first, key: 'NEW-1' }], (_, incoming) => incoming);
  const [was, is] = ['OLD-2', 'WEB-2'].map((name) => ({ id: name, name }));
  const move = {
    entry: '7',
    item: 0,
    field: 'Key',
    at: second.created,
    by: null,
    from: was ?? null,
    to: is ?? null,
  };
  await issues.putIssues([{ ...second, changes: [move] }], (_, incoming) => incoming);
  await issues.putCategory('9', 'Done', { by: 'ada', at: 0 });
  await issues.putStatuses(
    [{ id: '1', name: tenant, category: 'To Do', deleted: false, listed: true }],
    'a.json',
  );
  await issues.putUsers([{ id: 'ada', name: tenant }]);
  await issues.putDirectory({ groups: [{ id: 'g', name: tenant, members: [] }] });
  await issues.putFilledAt(NOW);
  const sync = own.sync('file');
  await sync.putState({ tenant });
  await sync.claim(lease, NOW);
  await sync.addSeen(['0']);
  const rejected = { id: '9', key: 'WEB-9', reason: tenant, updated: null };
  await sync.noteRejected([rejected], NOW, { firstMs: 1, longestMs: 9 });
  await own.secrets.put('name', tenant);
  await own.tokens.signingKey(() => `key of ${tenant}`);
  await own.tokens.put({ id: 't', user: tenant, admin: false, createdAt: 1, expiresAt: 2, active: true });
  await own.settings.addCalendar(aCalendar({ name: 'Office', timeZone: tenant }));
  await own.settings.addParameterSet({
    ...{ id: 's', name: 'Set', ownerId: 'ada', public: false },
    ...{ report: readParameters({ user: tenant }), createdAt: 1, updatedAt: 1 },
  });
  await own.settings.clientKey(() => tenant);
  const request = ask({
    principal: principalIn(tenant, 'ada'),
    reportType: 'statusDuration',
    selection: { by: 'project', project: 'WEB' },
  });
  const input = aWish({ principal: request.principal });
  await own.exports.add(anExport('e', { input: { ...input, notes: [tenant] } }), 9);
  const register = own.delegations('file');
  await register.addCategory({ name: 'Audit', description: tenant }, []);
  await register.add(
    {
      ...{ active: true, delegator: 'ada', delegates: ['bob'], categoryIds: [101] },
      ...{ start: 1, end: 2, notes: tenant },
    },
    { by: 'ada', at: 1 },
    [],
  );
  await own.links('file').put({ account: 'U0ADA', user: tenant, by: 'ada', at: 1, proof: null });
  await namespaceOf(own).set('key', tenant);
  await own.digests.add({ ...aDigest('same'), owner: 'U0ADA', title: tenant, nextDue: 5 }, 9);
  await own.digests.addRuns('same', 5, [{ due: 5, notBefore: 5, skipped: null }], 9);
  await own.watches.add({ ...aWatch('same'), owner: 'U0ADA', title: tenant }, 9, [visit]);
  await own.watches.putSnooze({ account: 'U0ADA', key: tenant, since: 1, until: NOW });
  await own.stamps('folder').add(tenant, null);
}

/** All that a tenant's stores tell. */
async function told(tenant: string) {
  const own = store.forTenant(tenant);
  const issues = own.issues('file');
  const [sync, register, links] = [own.sync('file'), own.delegations('file'), own.links('file')];
  const owner = principalIn(tenant, 'ada');
  return {
    issue: (await issues.issue('WEB-2'))?.summary,
    moved: (await issues.issue('WEB-1'))?.key,
    former: [...(await issues.formerKeys()).keys()],
    // Numbers are the store's own, whosever issues they are.
    at: (await issues.issuesAt([1, 2, 3, 4])).flatMap((issue) => issue?.summary ?? []),
    recent: await issues.recentKeys(9),
    count: await issues.count(),
    changed: (await issues.changedSince(0, 99)).issues.map(({ issue }) => issue.summary),
    removed: (await issues.changedSince(0, 99)).removed,
    revision: await issues.revision(),
    statuses: [...(await issues.statuses()).values()].map(({ name }) => name),
    users: [...(await issues.users()).values()],
    directory: await issues.directory(),
    filledAt: await issues.filledAt(),
    sync: [await sync.state(), await sync.countSeen(), await sync.countCut(), await sync.unseen(null, 9)],
    rejected: (await sync.rejectedDue(null, null, 9)).map(({ reason }) => reason),
    secret: await own.secrets.get('name'),
    tokens: (await own.tokens.list()).map(({ user }) => user),
    token: await own.tokens.get('t'),
    calendars: await own.settings.calendars(),
    sets: await own.settings.parameterSets(),
    exports: (await own.exports.list(owner, { start: 0, size: 9 })).records.map(({ input }) => input.notes),
    categories: await register.categories(),
    delegations: (await register.delegations()).map(({ id, notes }) => [id, notes]),
    versions: (await register.versions(100_001)).length,
    links: (await links.links()).map(({ user }) => user),
    cache: [await namespaceOf(own).get('key'), await namespaceOf(own).values()],
    digests: (await own.digests.list()).map(({ title, nextDue }) => [title, nextDue]),
    runs: (await own.digests.runs('same', 9)).length,
    watches: (await own.watches.list()).map(({ title }) => title),
    alerts: (await own.watches.alerts('same')).length,
    snoozes: (await own.watches.snoozes()).map(({ key }) => key),
    stamps: await own.stamps('folder').all(),
  };
}

describe('two tenants in one store', () => {
  let [ours, theirs, nobodys]: unknown[] = [];
  beforeAll(async () => {
    nobodys = await told('nobody');
    await fill('acme');
    ours = await told('acme');
    await fill('apex');
    theirs = await told('apex');
  });

  test('nothing of one is seen by the other', async () => {
    expect(JSON.stringify(ours)).not.toContain('apex');
    expect(JSON.stringify(theirs)).not.toContain('acme');
    expect(await told('acme')).toEqual(ours);
    expect(await told('nobody')).toEqual(nobodys);
    expect(nobodys).toMatchObject({
      count: 0,
      revision: 0,
      directory: emptyDirectory,
      exports: [],
      watches: [],
    });
  });

  test('ids, keys and names are each tenant’s own, and nothing is missing', () => {
    expect(JSON.stringify(ours).replaceAll('acme', 'apex')).toBe(JSON.stringify(theirs));
  });

  test('work and alerts are claimed, changed and taken away by their own tenant', async () => {
    const [one, other] = [store.forTenant('acme'), store.forTenant('apex')];
    expect(await one.exports.claim(NOW, lease, [])).toMatchObject({ input: { notes: ['acme'] } });
    expect(await one.exports.claim(NOW, lease, [])).toBeNull();
    expect(await one.digests.claim(NOW, lease)).toMatchObject({ digest: { title: 'acme' } });
    expect(await one.digests.claim(NOW, lease)).toBeNull();
    expect(await one.sync('file').claim({ ...lease, holder: 'another' }, NOW)).toBe(false);
    expect(await other.digests.remove('same')).toBe(true);
    expect(await other.watches.remove('same')).toBe(true);
    expect(await other.settings.removeParameterSet('s', () => {})).toBe(true);
    await other.exports.expire(NOW, NOW + 1, 0);
    await other.digests.forget(NOW + 1);
    await other.watches.forget(NOW + 1);
    await other.secrets.remove('name');
    await other.tokens.setActive('t', false);
    await other.links('file').remove('U0ADA');
    await namespaceOf(other).delete('key');
    await other.sync('file').removeIssues(['0', '1']);
    expect(await told('acme')).toEqual(ours);
    expect(await other.tokens.signingKey(() => 'new')).toBe('key of apex');
    expect(await one.tokens.signingKey(() => 'new')).toBe('key of acme');
  });
});

describe('the schema', () => {
  const database = () => new DatabaseSync(join(folder, 'dwell.db'), { readOnly: true });
  const opened = database();
  afterAll(() => opened.close());
  const tables = opened
    .prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name")
    .all()
    .map(({ name }) => String(name));

  test.each(tables)('%s has a tenant, and every index begins with it', (table) => {
    const columns = opened.prepare('SELECT name FROM pragma_table_info(?)').all(table);
    expect(columns.map(({ name }) => name)).toContain('tenant');
    const indexes = opened.prepare('SELECT name FROM pragma_index_list(?)').all(table);
    // Where there is a number beside, it is the store's own.
    expect(indexes.length).toBeGreaterThan(0);
    for (const { name } of indexes) {
      const [first] = opened
        .prepare('SELECT name FROM pragma_index_info(?) ORDER BY seqno')
        .all(String(name));
      expect([name, first?.name]).toEqual([name, 'tenant']);
    }
  });

  test('whatever two tenants fill in is in every table', () => {
    const empty = tables.filter(
      (table) => opened.prepare(`SELECT 1 FROM ${table} LIMIT 1`).get() === undefined,
    );
    expect(empty).toEqual([]);
  });
});
