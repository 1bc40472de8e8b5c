import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from '#jest';
import {
  categoryNumbers,
  delegationNumbers,
  versionOf,
} from '../../src/api/delegations/delegation-entries.ts';
import { createNamespace, inStore } from '../../src/cache/namespace.ts';
import { openTrackerIssues } from '../../src/mirror/lists/tracker-issues.ts';
import { openSyncRecords } from '../../src/mirror/sync/sync-records.ts';
import { emptyDirectory } from '../../src/model/directory.ts';
import type { ParameterSet } from '../../src/model/parameter-set.ts';
import { ask, principalIn } from '../../src/model/request.ts';
import { readParameters } from '../../src/parameters/saved-report.ts';
import type { TenantStore } from '../../src/store/store.ts';
import { aDigest } from '../support/a-digest.ts';
import { aWatch } from '../support/a-watch.ts';
import { anExport, aWish } from '../support/an-export.ts';
import { anIssue } from '../support/issue-story.ts';
import { storeEngine } from '../support/store-engine.ts';
import { storedDigests } from '../support/stored-digests.ts';
import { storedExports } from '../support/stored-exports.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { aCalendar } from '../time/a-calendar.ts';

const NOW = Date.parse('2026-03-18T12:00:00Z');
const lease = { holder: 'here', until: NOW + 10_000 };
const cut = { complete: false, unknownFrom: null, unknownUntil: null, reason: 'cut' } as const;
const visit = { watchId: 'same', key: 'WEB-1', since: 7 };

const folder = temporaryFolder();
const store = await storeEngine.openStore(folder);
const engine = await storeEngine.openEngine(folder);
const tables = await engine.db.introspection.getTables();
afterAll(async () => {
  await store.close();
  engine.close();
});

function namespaceOf(own: TenantStore) {
  const backing = inStore((how) => own.cache({ ...how, now: () => NOW }));
  return createNamespace<string>({ name: 'small', ttlMs: null, most: 2, now: () => NOW, backing });
}

/** Something in every table, under the same ids whatever the tenant, whose name is in it. */
async function fill(tenant: string): Promise<void> {
  const own = store.forTenant(tenant);
  const issues = openTrackerIssues(own, 'file');
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
  const sync = openSyncRecords(own, 'file');
  await sync.putState({ tenant });
  await sync.claim(lease, NOW);
  await sync.addSeen(['0']);
  const rejected = { id: '9', key: 'WEB-9', reason: tenant, updated: null };
  await sync.noteRejected([rejected], NOW, { firstMs: 1, longestMs: 9 });
  await own.secrets.change('name', () => tenant);
  await own.secrets.change('key', () => `key of ${tenant}`);
  const token = { id: 't', user: tenant, admin: false, createdAt: 1, expiresAt: 2, active: true };
  await own.tokens.change('t', () => token);
  const office = aCalendar({ name: 'Office', timeZone: tenant });
  await own.calendars.addNumbered({ name: '', first: 101 }, (id) => ({ ...office, id }));
  const set: ParameterSet = {
    ...{ id: 's', name: 'Set', ownerId: 'ada', public: false },
    ...{ report: readParameters({ user: tenant }), createdAt: 1, updatedAt: 1 },
  };
  await own.parameterSets.change('s', () => set);
  await own.facts.change('client-key', () => tenant);
  const request = ask({
    principal: principalIn(tenant, 'ada'),
    reportType: 'statusDuration',
    selection: { by: 'project', project: 'WEB' },
  });
  const input = aWish({ principal: request.principal });
  await storedExports(own.exports).add(anExport('e', { input: { ...input, notes: [tenant] } }), 9);
  const register = own.documents('file').delegations;
  await register.addNumbered(categoryNumbers, (id) => ({
    category: { id, name: 'Audit', description: tenant },
  }));
  const wish = {
    ...{ active: true, delegator: 'ada', delegates: ['bob'], categoryIds: [101] },
    ...{ start: 1, end: 2, notes: tenant },
  };
  await register.addNumbered(delegationNumbers, (id) => ({
    versions: [versionOf(wish, { id, version: 1, by: 'ada', at: 1 })],
  }));
  await own.delegationPermissions.change('file', () => ({ view: [tenant], viewAll: [], editAll: [] }));
  const link = { account: 'U0ADA', user: tenant, by: 'ada', at: 1, proof: null };
  await own.documents('file').links.change('U0ADA', () => ({ revision: 1, link }));
  await namespaceOf(own).set('key', tenant);
  const digests = storedDigests(own);
  await digests.add({ ...aDigest('same'), owner: 'U0ADA', title: tenant, nextDue: 5 });
  await digests.addRuns('same', 5, [{ due: 5, notBefore: 5, skipped: null }], 9, 5);
  await own.watches.change('same', () => ({ ...aWatch('same'), owner: 'U0ADA', title: tenant }));
  await own.watchAlerts.leaveAlone([visit], NOW);
  await own.snoozes.change('U0ADA', () => [{ account: 'U0ADA', key: tenant, since: 1, until: NOW }]);
  await own.stamps.change('folder', () => [tenant]);
}

/** All that a tenant's stores tell. */
async function told(tenant: string) {
  const own = store.forTenant(tenant);
  const issues = openTrackerIssues(own, 'file');
  const [sync, register, links] = [
    openSyncRecords(own, 'file'),
    own.documents('file').delegations,
    own.documents('file').links,
  ];
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
    calendars: await own.calendars.list(),
    sets: await own.parameterSets.list(),
    clientKey: await own.facts.get('client-key'),
    exports: (await own.exports.list({ owner: owner.account })).map(({ input }) => input.notes),
    register: await register.list(),
    permissions: await own.delegationPermissions.get('file'),
    links: (await links.list()).map(({ link }) => link?.user),
    cache: [await namespaceOf(own).get('key'), await namespaceOf(own).values()],
    digests: (await own.digests.list()).map(({ title, nextDue }) => [title, nextDue]),
    runs: (await storedDigests(own).runs('same', 9)).length,
    watches: (await own.watches.list()).map(({ title }) => title),
    alerts: (await own.watchAlerts.of('same')).length,
    snoozes: (await own.snoozes.list()).flat().map(({ key }) => key),
    stamps: await own.stamps.get('folder'),
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
    expect(await storedExports(one.exports).claim(NOW, lease, [])).toMatchObject({
      input: { notes: ['acme'] },
    });
    expect(await storedExports(one.exports).claim(NOW, lease, [])).toBeNull();
    expect(await storedDigests(one).claim(NOW, lease)).toMatchObject({ digestId: 'same' });
    expect((await one.digests.get('same'))?.title).toBe('acme');
    expect(await storedDigests(one).claim(NOW, lease)).toBeNull();
    expect(await openSyncRecords(one, 'file').claim({ ...lease, holder: 'another' }, NOW)).toBe(false);
    await storedDigests(other).remove('same');
    expect(await other.watches.change('same', () => null)).toBeNull();
    await other.watchAlerts.removeOf('same');
    await other.snoozes.change('U0ADA', () => null);
    await other.parameterSets.change('s', () => null);
    await storedExports(other.exports).expire(NOW, NOW + 1, 0);
    await storedDigests(other).forget(NOW + 1);
    await other.watchAlerts.forget(NOW + 1);
    await other.secrets.change('name', () => null);
    await other.tokens.change('t', (kept) => kept && { ...kept, active: false });
    await other.documents('file').links.change('U0ADA', () => ({ revision: 2, link: null }));
    await namespaceOf(other).delete('key');
    await other.sync('file').removeIssues(['0', '1']);
    expect(await told('acme')).toEqual(ours);
    expect(await other.secrets.get('key')).toBe('key of apex');
    expect(await one.secrets.get('key')).toBe('key of acme');
  });
});

describe('the schema', () => {
  test.each(tables)('$name has a tenant, and every index begins with it', ({ name, columns }) => {
    expect(columns.map((column) => column.name)).toContain('tenant');
    const firsts = storeEngine.firstsOfIndexes(folder, name);
    // Where there is a number beside, it is the store's own.
    expect(firsts.length).toBeGreaterThan(0);
    expect(new Set(firsts)).toEqual(new Set(['tenant']));
  });

  test('whatever two tenants fill in is in every table', async () => {
    const counts = await Promise.all(
      tables.map(async ({ name }) => ({
        name,
        isEmpty: (await sql`select 1 from ${sql.table(name)} limit 1`.execute(engine.db)).rows.length === 0,
      })),
    );
    expect(counts.filter(({ isEmpty }) => isEmpty).map(({ name }) => name)).toEqual([]);
  });
});
