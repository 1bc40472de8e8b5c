import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readParameters } from '../../src/api/parameters/saved-report.ts';
import { createNamespace, inStore } from '../../src/cache/namespace.ts';
import { httpSurroundings } from '../../src/compose/http-surroundings.ts';
import { openTrackerIssues } from '../../src/mirror/lists/tracker-issues.ts';
import { openSyncRecords } from '../../src/mirror/sync/sync-records.ts';
import type { ParameterSet } from '../../src/model/parameter-set.ts';
import { ask, principalIn } from '../../src/model/request.ts';
import { blobsIn } from '../../src/store/open-store.ts';
import type { OnStatement } from '../../src/store/sql/engine.ts';
import { makeFolder } from '../../src/store/sqlite/make-folder.ts';
import type { TenantStore } from '../../src/store/store.ts';
import { aCalendar } from '../time/a-calendar.ts';
import { aDigest } from './a-digest.ts';
import { aNudge } from './a-nudge.ts';
import { aWatch } from './a-watch.ts';
import { anExport, aWish } from './an-export.ts';
import { anIssue } from './issue-story.ts';
import { storeEngine } from './store-engine.ts';
import { storedDigests } from './stored-digests.ts';
import { storedExports } from './stored-exports.ts';

/** The instant at which `fillTenant` puts everything. */
export const NOW = Date.parse('2026-03-18T12:00:00Z');
/** A lease from then on. */
export const lease = { holder: 'here', until: NOW + 10_000 };
const cut = { complete: false, unknownFrom: null, unknownUntil: null, reason: 'cut' } as const;
const visit = { watchId: 'same', key: 'WEB-1', since: 7 };

/** Tenants that `openStoreWithAll` makes room for. */
const tenants = ['acme', 'apex'];

/** Opens the store of a folder with everything in its database, blobs among it. */
export async function openStoreWithAll(folder: string, onStatement: OnStatement = () => {}) {
  for (const tenant of tenants) makeFolder(join(folder, 'tenants', tenant));
  const settings = { blobs: { kind: 'table' }, databaseUrl: null, dataDir: folder } as const;
  const blobs = await blobsIn(
    settings,
    httpSurroundings(() => NOW),
  );
  return storeEngine.openStore(folder, { blobs, onStatement });
}

/** Opens a small namespace of a tenant's cache. */
export function namespaceOf(own: TenantStore) {
  const backing = inStore((how) => own.cache({ ...how, now: () => NOW }));
  return createNamespace<string>({ name: 'small', ttlMs: null, maxEntries: 2, now: () => NOW, backing });
}

/** Puts something in every table, under the same ids for every tenant, with the tenant's name in it. */
export async function fillTenant(own: TenantStore): Promise<void> {
  const { tenant } = own;
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
  await register.addNumbered({ name: 'category', first: 101 }, (id) => ({
    category: { id, name: 'Audit', description: tenant },
  }));
  const wish = {
    ...{ active: true, delegator: 'ada', delegates: ['bob'], categoryIds: [101] },
    ...{ start: 1, end: 2, notes: tenant },
  };
  await register.addNumbered({ name: 'delegation', first: 100_001 }, (id) => ({
    versions: [{ ...wish, id, version: 1, savedBy: 'ada', savedAt: 1 }],
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
  await own.nudges.change({ ids: ['same'] }, () => ({ put: [aNudge({ id: 'same', link: tenant })] }));
  await own.stamps.change('folder', () => [tenant]);
  const draft = await own.blobs('exports').draft('same');
  writeFileSync(draft, tenant);
  await own.blobs('exports').put('same', draft);
}

async function blobOf(own: TenantStore): Promise<string | null> {
  const blob = await own.blobs('exports').open('same');
  const bytes = new Uint8Array(blob?.bytes ?? 0);
  await blob?.read(bytes, 0);
  return blob && Buffer.from(bytes).toString();
}

/** Reads what `fillTenant` puts, by every port. */
export async function readTenant(own: TenantStore) {
  const { tenant } = own;
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
    blobs: [await blobOf(own), await own.blobs('exports').names(), await own.blobs('cache').names()],
    runs: (await storedDigests(own).runs('same', 9)).length,
    watches: (await own.watches.list()).map(({ title }) => title),
    alerts: (await own.watchAlerts.of('same')).length,
    snoozes: (await own.snoozes.list()).flat().map(({ key }) => key),
    nudges: (await own.nudges.list({ owners: ['WEB-1'] })).map(({ link }) => link),
    stamps: await own.stamps.get('folder'),
    audit: await own.audit.list({}, 99),
  };
}

/** Works with what `fillTenant` puts, by every part of the ports that neither puts nor only reads. */
export async function useTenant(own: TenantStore): Promise<void> {
  const issues = openTrackerIssues(own, 'file');
  const before = (await issues.issuesAt([1, 2, 3, 4])).flatMap((issue) => issue ?? []);
  const changed = before.map((issue) => ({ ...issue, summary: 'changed' }));
  const added = { ...anIssue('WEB-9', '2026-03-02T09:00:00Z').issue, id: '9' };
  await issues.putIssues([...changed, added], (_, incoming) => incoming);
  await issues.issuesAfter(0, 9, (read) => read.map(({ issue }) => issue.key));
  await issues.putUsers(['bob', 'eve'].map((id) => ({ id, name: id })));
  await issues.users(['bob']);

  const sync = own.sync('file');
  await sync.kept(['0', '9']);
  await sync.standings(['0', '9']);
  await sync.clearSeen();
  await sync.addSeen(['0', '9']);
  await sync.removeIssues(['9']);

  const exports = storedExports(own.exports);
  await exports.claim(NOW, lease, []);
  await exports.renew('e', lease, { completed: 1, total: 2 });
  await exports.release('e', lease.holder, NOW);
  await exports.abort('e', NOW);
  await exports.expire(NOW, NOW + 1, 0);

  const digests = storedDigests(own);
  const note = { channel: 'C1', ts: '1' };
  await digests.addRuns('same', 6, [{ due: 6, notBefore: 6, skipped: null }], 9, 6);
  await digests.claim(NOW, lease);
  await digests.putNote('same', 5, lease, note);
  await digests.changeNote('same', 5, note, {});
  await digests.markPosted('same', 5, note);
  await digests.release('same', 5, { ...lease, notBefore: 0, isAttempt: true });
  await digests.skipWaiting('same', { skipReason: 'paused', message: 'Paused.' }, NOW);
  await digests.takeBack(5);
  await digests.unreported(0);
  await digests.runs('same', 1);
  await digests.remove('same');
  await digests.forget(NOW + 1);

  const alerts = own.watchAlerts;
  const other = { watchId: 'same', key: 'WEB-2', since: 8 };
  await alerts.claim('U0ADA', [other], { now: NOW, stale: NOW - 1, quietSince: NOW });
  await alerts.settle([other], { state: 'told', account: 'U0ADA', at: NOW });
  await alerts.settle([other], { state: 'free', account: 'U0ADA', at: NOW });
  await alerts.removeOf('same');
  await alerts.forget(NOW + 1);

  const cache = own.cache({ maxEntries: 2, now: () => NOW });
  for (const key of ['a', 'b', 'c', 'd']) await cache.set(key, key, 1);
  await cache.delete('d');
  await cache.clear();
  await own.secrets.change('name', () => null);
  const event = { subject: { kind: 'answer', id: 'a' }, verb: 'shared', facts: {} } as const;
  await own.audit.add([event, event]);
  await own.audit.list({ after: 1, since: 1, until: 2, actor: 'ada', action: 'token', subject: 't' }, 9);
  await own.audit.list({ action: 'token.created', withQuestions: false }, 9);
  await own.audit.remove({ before: NOW, areQuestions: true }, 9);

  const blobs = own.blobs('exports');
  const again = await blobs.draft('again');
  writeFileSync(again, 'again');
  await blobs.put('same', again);
  await blobs.remove('same');
  await blobs.sweepDrafts(() => false);
}
