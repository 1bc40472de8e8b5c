import { runsOf, unreported } from '../../src/api/digests/plan-periods.ts';
import { openTrackerIssues, type TrackerIssues } from '../../src/mirror/lists/tracker-issues.ts';
import { openSyncRecords, type SyncRecords } from '../../src/mirror/sync/sync-records.ts';
import type { StoredDigest } from '../../src/model/digest.ts';
import type { Issue } from '../../src/model/issue.ts';
import type { Principal } from '../../src/model/request.ts';
import type { Documents } from '../../src/store/documents.ts';
import { stampsOf } from '../../src/store/stamps.ts';
import type { TenantStore } from '../../src/store/store.ts';
import type { KeptLink } from '../../src/store/tracker-documents.ts';

/** The names of what a store cannot list by itself. */
export interface NamesInStore {
  readonly trackers: readonly string[];
  /** Principals who queued exports; an admin has those of an admin apart. */
  readonly principals: readonly Principal[];
  readonly secrets: readonly string[];
  /** Namespaces of the cache. */
  readonly caches: readonly string[];
  readonly stamps: readonly string[];
  /** Names of lists of statuses. */
  readonly statusLists: readonly string[];
  /** Accounts in Slack, those whose link was removed included. */
  readonly accounts: readonly string[];
  /** Ids in Jira, those of issues that were removed or rejected included. */
  readonly issueIds: readonly string[];
  /** Keys that issues had once. */
  readonly formerKeys: readonly string[];
}

type Parts = Readonly<Record<string, unknown>>;

const ALL = Number.MAX_SAFE_INTEGER;

/**
 * Reads everything a tenant's store has, through its port alone, as JSON values by what they are: two stores with the same
 * content give the same values. The store's own numbers of issues and its revisions are left out, but not the orders they
 * make.
 */
export async function readWholeStore(store: TenantStore, names: NamesInStore): Promise<Parts> {
  const { exports, digests, watches } = store;
  const whole: Record<string, unknown> = {
    secrets: await valuesOf(names.secrets, (name) => store.secrets.get(name)),
    tokens: (await store.tokens.list()).toSorted(
      (a, b) => b.createdAt - a.createdAt || (a.id < b.id ? -1 : 1),
    ),
    'signing key': await store.secrets.get('token-signing-key'),
    'client key': await store.facts.get('client-key'),
    calendars: await store.calendars.list(),
    'parameter sets': await store.parameterSets.list(),
    digests: await readDigests(store),
    'runs that were not reported': await unreported(store, 0),
    watches: await watches.list(),
    snoozes: (await store.snoozes.list()).flat(),
    stamps: await valuesOf(names.stamps, (name) => stampsOf(store.stamps, name)),
  };
  const nudges = await store.nudges.list({});
  // Stores of versions before nudges have none.
  if (nudges.length > 0) whole.nudges = nudges;
  for (const principal of names.principals) {
    const records = await exports.list({ owner: principal.account });
    whole[`exports of ${principal.account} as ${principal.rights}`] = records.filter(
      ({ input }) => principal.rights === 'admin' || input.request.principal.rights !== 'admin',
    );
  }
  for (const { id } of await digests.list()) whole[`runs of digest ${id}`] = await runsOf(store, id, ALL);
  for (const { id } of await watches.list()) whole[`alerts of watch ${id}`] = await store.watchAlerts.of(id);
  for (const name of names.caches) whole[`cache ${name}`] = await readCache(store, name);
  for (const tracker of names.trackers) {
    const parts = {
      ...(await readIssues(openTrackerIssues(store, tracker), names.formerKeys)),
      ...(await readBesideIssues(openTrackerIssues(store, tracker), names.statusLists)),
      ...(await readSync(openSyncRecords(store, tracker), names.issueIds)),
      ...(await readDelegations(store, tracker)),
      ...(await readLinks(store.documents(tracker).links, names.accounts)),
    };
    for (const [name, part] of Object.entries(parts)) whole[`${tracker}: ${name}`] = part;
  }
  return JSON.parse(JSON.stringify(whole));
}

/** By title and id, each with the newest of its periods that ended. */
async function readDigests(store: TenantStore): Promise<readonly unknown[]> {
  const byTitle = ({ title, id }: StoredDigest) => `${title.toLowerCase()} ${id}`;
  const digests = (await store.digests.list()).toSorted((a, b) => (byTitle(a) < byTitle(b) ? -1 : 1));
  const withLast = async (digest: StoredDigest) => {
    const [lastRun = null] = await runsOf(store, digest.id, 1, { ended: true });
    return { ...digest, lastRun };
  };
  return Promise.all(digests.map(withLast));
}

async function readIssues(issues: TrackerIssues, formerKeys: readonly string[]): Promise<Parts> {
  const { issues: changed, removed } = await issues.changedSince(0, ALL);
  const found = await valuesOf(
    changed.map(({ issue }) => issue.key),
    (key) => issues.issue(key),
  );
  return {
    ...Object.fromEntries(changed.map(({ issue }) => [`issue ${issue.key}`, issue])),
    'issues that are found by their keys': sameIssues(changed, found),
    'keys by change': changed.map(({ issue }) => issue.key),
    'keys by update': await issues.recentKeys(ALL),
    'keys by number': await issues.issuesAfter(0, ALL, (read) => read.map(({ issue }) => issue.key)),
    'removed keys': removed,
    'former keys': sorted(await issues.formerKeys()),
    'keys found by former keys': await valuesOf(
      formerKeys,
      async (key) => (await issues.issue(key))?.key ?? null,
    ),
    count: await issues.count(),
    'issues without roles': await issues.countUnreadRoles(),
    'values in histories': await issues.historyValues(),
    filled: await issues.filledAt(),
  };
}

/** How many of the changed issues are the same where they are read by key. */
function sameIssues(
  changed: readonly { readonly issue: Issue }[],
  found: Readonly<Record<string, Issue | null>>,
): number {
  return changed.filter(({ issue }) => JSON.stringify(found[issue.key]) === JSON.stringify(issue)).length;
}

async function readBesideIssues(issues: TrackerIssues, statusLists: readonly string[]): Promise<Parts> {
  return {
    statuses: sorted(await issues.statuses()),
    'clashes of lists': await valuesOf(statusLists, issues.clashes),
    'set categories': sorted(await issues.setCategories()),
    users: sorted(await issues.users()),
    directory: await issues.directory(),
  };
}

async function readSync(sync: SyncRecords, issueIds: readonly string[]): Promise<Parts> {
  return {
    'state of the sync': await sync.state(),
    'facts by id': sorted(await sync.kept(issueIds)),
    'standings by id': sorted(await sync.standings(issueIds)),
    'ids seen': await sync.countSeen(),
    'ids not seen': await sync.unseen(null, ALL),
    'cut histories': await sync.countCut(),
    rejected: await sync.rejectedDue(null, null, ALL),
  };
}

async function readLinks(links: Documents<KeptLink>, accounts: readonly string[]): Promise<Parts> {
  return {
    links: (await links.list()).flatMap(({ link }) => link ?? []),
    'revisions of links': await valuesOf(
      accounts,
      async (account) => (await links.get(account))?.revision ?? 0,
    ),
  };
}

async function readDelegations(store: TenantStore, tracker: string): Promise<Parts> {
  const entries = await store.documents(tracker).delegations.list();
  const versions = entries
    .flatMap((entry) => ('versions' in entry ? [entry.versions] : []))
    .toSorted(([a], [b]) => Number(a?.id) - Number(b?.id));
  const newest = versions.flatMap((all) => all.slice(-1));
  return {
    delegations: newest.map(({ savedBy: _, savedAt: __, ...delegation }) => delegation),
    'versions of delegations': versions,
    categories: entries
      .flatMap((entry) => ('category' in entry ? entry.category : []))
      .toSorted((a, b) => a.id - b.id),
    permissions: await store.delegationPermissions.get(tracker),
  };
}

async function readCache(store: TenantStore, namespace: string): Promise<Parts> {
  const adapter = store.cache({ maxEntries: null, now: () => 0 });
  adapter.namespace = namespace;
  const entries = new Map<string, unknown>();
  for await (const [key, text] of adapter.iterator(namespace)) entries.set(key, JSON.parse(text));
  return sorted(entries);
}

async function valuesOf<Value>(
  names: readonly string[],
  read: (name: string) => Promise<Value>,
): Promise<Readonly<Record<string, Value>>> {
  const values = new Map<string, Value>();
  for (const name of names) values.set(name, await read(name));
  return Object.fromEntries(values);
}

/** What a map has, in the order of its keys. */
function sorted<Value>(values: ReadonlyMap<string, Value>): Readonly<Record<string, Value>> {
  return Object.fromEntries([...values].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
