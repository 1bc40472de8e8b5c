import type { Issue } from '../../src/model/issue.ts';
import type { Principal } from '../../src/model/request.ts';
import type { IssueStore, TenantStore } from '../../src/store/store.ts';
import type { SyncStore } from '../../src/store/sync-store.ts';

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
  const { tokens, settings, exports, digests, watches } = store;
  const whole: Record<string, unknown> = {
    secrets: await valuesOf(names.secrets, (name) => store.secrets.get(name)),
    tokens: await tokens.list(),
    'signing key': await tokens.signingKey(refuse),
    'client key': await settings.clientKey(refuse),
    calendars: await settings.calendars(),
    'parameter sets': await settings.parameterSets(),
    digests: await digests.list(),
    'runs that were not reported': await digests.unreported(0),
    watches: await watches.list(),
    snoozes: await watches.snoozes(),
    stamps: await valuesOf(names.stamps, (name) => store.stamps(name).all()),
  };
  for (const principal of names.principals) {
    const { records } = await exports.list(principal, { start: 0, size: 99 });
    whole[`exports of ${principal.account} as ${principal.rights}`] = records;
  }
  for (const { id } of await digests.list()) whole[`runs of digest ${id}`] = await digests.runs(id, ALL);
  for (const { id } of await watches.list()) whole[`alerts of watch ${id}`] = await watches.alerts(id);
  for (const name of names.caches) whole[`cache ${name}`] = await readCache(store, name);
  for (const tracker of names.trackers) {
    const parts = {
      ...(await readIssues(store.issues(tracker), names.formerKeys)),
      ...(await readBesideIssues(store.issues(tracker), names.statusLists)),
      ...(await readSync(store.sync(tracker), names.issueIds)),
      ...(await readDelegations(store, tracker)),
      links: await store.links(tracker).links(),
      'revisions of links': await valuesOf(names.accounts, store.links(tracker).revision),
    };
    for (const [name, part] of Object.entries(parts)) whole[`${tracker}: ${name}`] = part;
  }
  return JSON.parse(JSON.stringify(whole));
}

async function readIssues(issues: IssueStore, formerKeys: readonly string[]): Promise<Parts> {
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

async function readBesideIssues(issues: IssueStore, statusLists: readonly string[]): Promise<Parts> {
  return {
    statuses: sorted(await issues.statuses()),
    'clashes of lists': await valuesOf(statusLists, issues.clashes),
    'set categories': sorted(await issues.setCategories()),
    users: sorted(await issues.users()),
    directory: await issues.directory(),
  };
}

async function readSync(sync: SyncStore, issueIds: readonly string[]): Promise<Parts> {
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

async function readDelegations(store: TenantStore, tracker: string): Promise<Parts> {
  const delegations = store.delegations(tracker);
  const newest = await delegations.delegations();
  return {
    delegations: newest,
    'versions of delegations': await Promise.all(newest.map(({ id }) => delegations.versions(id))),
    categories: await delegations.categories(),
    permissions: await delegations.permissions(),
  };
}

async function readCache(store: TenantStore, namespace: string): Promise<Parts> {
  const adapter = store.cache({ most: null, now: () => 0 });
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

function refuse(): never {
  throw new Error('The store has no such key, and reading must not make one.');
}
