import type { AuditEntry, AuditEvent, AuditFilter } from '../model/audit.ts';
import type { DelegationPermissions } from '../model/delegation.ts';
import type { DigestPeriod, StoredDigest } from '../model/digest.ts';
import type { ExportRecord } from '../model/export.ts';
import type { Instant, Issue, User } from '../model/issue.ts';
import type { FieldwiseIssue } from '../model/issues/issue-fields.ts';
import type { Nudge } from '../model/nudge.ts';
import type { ParameterSet } from '../model/parameter-set.ts';
import type { CalendarDefinition } from '../model/settings.ts';
import type { Snooze, Watch, WatchAlert } from '../model/watch.ts';
import type { BlobStore } from './blobs.ts';
import type { Documents, SingleDocuments } from './documents.ts';
import type { PersonStore } from './person-store.ts';
import type { Stamps } from './stamps.ts';
import type { TrackerDocuments } from './tracker-documents.ts';
import type { Work } from './work-kinds.ts';

/** The rights of a token and their end; the token's text itself is never stored. */
export interface TokenRecord {
  readonly id: string;
  readonly user: string;
  readonly admin: boolean;
  readonly createdAt: Instant;
  readonly expiresAt: Instant;
  readonly active: boolean;
  /** The id of the key that signed it; one of before keys had ids was signed with the first. */
  readonly key?: string;
}

/** An issue as it is kept from now on; `changed` is false when exactly that was kept already. */
export interface KeptIssue {
  readonly issue: Issue;
  readonly changed: boolean;
}

/** An issue with the store's own number of it, which stays as long as the issue, whatever its key, and is never another's. */
interface NumberedIssue {
  readonly id: number;
  readonly issue: Issue;
}

/** A part of what has changed: issues as they are now, keys (upper case) that have none any more, the revision reached. */
interface ChangedIssues {
  readonly issues: readonly NumberedIssue[];
  readonly removed: readonly string[];
  readonly revision: number;
}

/** The fields of an issue under the number it has in the store, and the revision that brought its last change. */
export interface FieldsOfIssue {
  readonly id: number;
  readonly revision: number;
  readonly issue: FieldwiseIssue;
}

/** Receives issues while their fields can be read; its result becomes that of the reading. */
export type UseOfIssues<Result> = (issues: readonly FieldsOfIssue[]) => Result;

/**
 * The module that reads issues in another thread: it exports `openIssueReader`, which is called with the parameters.
 */
export interface IssueReaderPlace {
  readonly module: string;
  readonly place: unknown;
}

/** Reads issues in another thread than the store's. */
export interface IssueReader {
  /** See `IssueStore`. */
  issuesAfter<Result>(after: number, count: number, use: UseOfIssues<Result>): Result;
  close(): void;
}

/** Issues and people, kept apart by the tracker they come from. */
export interface IssueStore {
  /** By its key, or by one it had before. What is given here may be unpacked as it is looked at. */
  issue(key: string): Promise<Issue | null>;
  /** By the store's own numbers, in their order; null where the issue is gone. */
  issuesAt(ids: readonly number[]): Promise<readonly (Issue | null)[]>;
  /**
   * Calls `use` with those whose numbers are above `after`, in the order of their numbers, at most `count`: for who goes
   * through all issues to read some of their fields. They can be looked at until `use` returns, and no longer.
   */
  issuesAfter<Result>(after: number, count: number, use: UseOfIssues<Result>): Promise<Result>;
  /** The reader for another thread; null where there is none. */
  reader(): IssueReaderPlace | null;
  /**
   * The keys of issues (upper case) by those they had before; some may have another issue by now, or none. The very same
   * map until an issue changes.
   */
  formerKeys(): Promise<ReadonlyMap<string, string>>;
  /**
   * Puts all of these or, on a failure, none. `merge` decides about an issue whose id, or else key, is stored already;
   * no other write comes in between, so that two writers cannot undo each other's work. An issue that is stored under
   * another key moves: the old key leads to it from then on, and any other issue under the new key is removed. So are
   * all keys of its history; an issue under one of them, created at the same instant, is the same issue.
   */
  putIssues(
    issues: readonly Issue[],
    merge: (stored: Issue, incoming: Issue) => Issue,
  ): Promise<readonly KeptIssue[]>;
  recentKeys(count: number): Promise<readonly string[]>;
  count(): Promise<number>;
  /** The number of issues last read by a Dwell that did not read the roles an issue is restricted to. */
  countUnreadRoles(): Promise<number>;
  /** Users by id; without ids all known users. */
  users(ids?: Iterable<string>): Promise<ReadonlyMap<string, User>>;
  putUsers(users: readonly User[]): Promise<void>;
  /** A number that rises with every change of any issue, also by another process; 0 when there are none. */
  revision(): Promise<number>;
  /**
   * A text that is another one after every change of any issue. Where the database was put back meanwhile, or goes on from
   * an earlier state, it may come to the same revision again, but not to the same mark.
   */
  mark(): Promise<string>;
  /**
   * A text that is another one once the database may have lost changes, as after a failover: then a later revision need not
   * have come from the one that was seen.
   */
  lineage(): Promise<string>;
  /**
   * The changes after a revision, in order, at most `count` issues and keys together, and the revision reached: issues
   * as they are now, and keys under which there is none any more.
   */
  changedSince(revision: number, count: number): Promise<ChangedIssues>;
}

/** The facts about a stored issue that show whether it is current. */
interface KeptFacts {
  readonly key: string;
  /** The tracker's own time of the update (`fields.updated`); null where it is unknown. */
  readonly updated: Instant | null;
  /** True where its history is complete, as far as another reading can show. */
  readonly complete: boolean;
}

/** The state of a stored issue: ids of its status and its assignee, null for no assignee. */
export interface StoredStanding {
  readonly status: string;
  readonly assignee: string | null;
}

/** The facts of stored issues that a synchronisation of one tracker needs. */
export interface SyncStore {
  /** The facts about the stored issues with these ids of the tracker, by id. */
  kept(ids: readonly string[]): Promise<ReadonlyMap<string, KeptFacts>>;
  /** The states of these stored issues, by id; for a few ids, because their rows are read. */
  standings(ids: readonly string[]): Promise<ReadonlyMap<string, StoredStanding>>;
  /** Forgets which ids were seen. */
  clearSeen(): Promise<void>;
  /** Notes that the tracker has issues with these ids. */
  addSeen(ids: readonly string[]): Promise<void>;
  /** The number of distinct seen ids. */
  countSeen(): Promise<number>;
  /** Ids of issues that are kept and were not seen, in order, beyond `after` (null: from the first), at most `count`. */
  unseen(after: string | null, count: number): Promise<readonly string[]>;
  /** Keys of projects with stored issues, in order, beyond `after` (null: from the first), at most `count`. */
  projectsAfter(after: string | null, count: number): Promise<readonly string[]>;
  /** The number of stored issues with an incomplete history. */
  countCut(): Promise<number>;
  /** Takes issues away, by id: from then on they are gone for every reader. Unknown ids are left out. */
  removeIssues(ids: readonly string[]): Promise<void>;
}

/** A storage adapter of Keyv, whose values are texts, that can also change one in a transaction. `ttl` in ms. */
export interface CacheAdapter {
  readonly opts: { readonly dialect: string; readonly url: string };
  namespace: string | undefined;
  get(key: string): Promise<string | undefined>;
  set(key: string, value: string, ttl?: number): Promise<void>;
  /** Replaces a text by the result of `change` (undefined: leave it), without another write in between. */
  change(
    key: string,
    change: (before: string | undefined) => string | undefined,
    ttl: number | undefined,
  ): Promise<void>;
  /** Deletes an entry; returns true where there was one. */
  delete(key: string): Promise<boolean>;
  clear(): Promise<void>;
  iterator(namespace?: string): AsyncGenerator<[key: string, value: string], void>;
}

/**
 * Opens an adapter; of more than `maxEntries` (null: any number) entries of its namespace the oldest go first, at the latest
 * when there are an eighth too many. With `defersWrites` no call waits while another process writes: values that are
 * set or changed then are known to this process only until that write is over, and lost if it is killed before.
 */
export type OpenCache = (options: {
  readonly maxEntries: number | null;
  readonly defersWrites?: boolean;
  readonly now: () => Instant;
}) => CacheAdapter;

/** A visit as a watch posts it. */
export type WatchVisit = Pick<WatchAlert, 'watchId' | 'key' | 'since'>;

/** `leftFor` is the account that a process which died was about to notify; null: none. */
export interface ClaimedVisit extends WatchVisit {
  readonly leftFor: string | null;
}

/** The instants by which a claim is judged; those from the future were left by a clock that was set back since. */
export interface ClaimInstants {
  readonly now: Instant;
  /** A claim that was made at or before this instant and is not settled is of a process that died. */
  readonly stale: Instant;
  /** An account that was notified of something after it is left in peace. */
  readonly quietSince: Instant;
}

/** The visits that people were notified of by watches, or are about to be: each once, across all processes. */
export interface WatchAlerts {
  /**
   * Visits an account may be notified of now, each given to one process only. A visit is free if the process that
   * claimed it died; it is settled if the account was notified of it by another watch. `quiet`: the account was
   * notified recently, or is being notified.
   */
  claim(
    account: string,
    visits: readonly WatchVisit[],
    at: ClaimInstants,
  ): Promise<readonly ClaimedVisit[] | 'quiet'>;
  /** Records the end of claimed visits. `free`: they may be claimed again. */
  settle(
    visits: readonly WatchVisit[],
    end: { readonly state: 'told' | 'free'; readonly account: string; readonly at: Instant },
  ): Promise<void>;
  /** No one is ever notified of these visits, also where an alert was begun whose end is not known. */
  leaveAlone(visits: readonly WatchVisit[], at: Instant): Promise<void>;
  /** Those of a watch. */
  of(watchId: string): Promise<readonly WatchAlert[]>;
  /** To be called once a watch is gone: whom it notified of what is still known, nothing else. */
  removeOf(watchId: string): Promise<void>;
  /** Alerts that were settled before an instant are forgotten. */
  forget(before: Instant): Promise<void>;
}

/**
 * The audit log of a tenant. Changes of documents write their own entries, in their own transactions; the rest is added
 * here.
 */
export interface AuditLog {
  /**
   * Adds entries of what is no change of a document, or leaves Dwell: it is to leave once this has resolved. Entries
   * survive a killed process; with `isDurable: false` a failing power supply may take the last of them.
   */
  add(events: readonly AuditEvent[], how?: { readonly isDurable: boolean }): Promise<void>;
  /** The first entries that meet a filter, by their ids, at most `count`. Whoever goes on after the last id misses none. */
  list(filter: AuditFilter, count: number): Promise<readonly AuditEntry[]>;
  /** Removes entries from before an instant, the oldest first, at most `count`; returns how many. */
  remove(which: { readonly before: Instant; readonly areQuestions: boolean }, count: number): Promise<number>;
}

/**
 * Words from one process of this Dwell to the others, about one tenant. They are hints: any may be lost, and one may come
 * late. What must hold is stored, and is looked at again by a clock.
 */
export interface Signals {
  /** Sends a word to every other process that has the store open. It neither fails nor waits. */
  send(topic: SignalTopic): void;
  /** Calls `listen` with each word of a topic that another process has sent; returns what ends that. */
  on(topic: SignalTopic, listen: () => void): () => void;
}

/** `sync`: what the tracker has changed is to be read soon, by whichever process synchronizes. */
export type SignalTopic = 'sync';

/** Signals of a store that other processes cannot be reached through. */
export const noSignals: Signals = { send() {}, on: () => () => {} };

/** The stored data of one tenant, and of no other. */
export interface TenantStore {
  readonly tenant: string;
  /** Secrets of ours that must outlive a process, by name: stored encrypted where there is a key for that. */
  readonly secrets: SingleDocuments<string>;
  /** Texts that this installation has made once, by name, such as its client key. */
  readonly facts: Documents<string>;
  readonly stamps: Stamps;
  readonly tokens: Documents<TokenRecord>;
  /** By number. Their names are unique as people compare them, whichever processes write. */
  readonly calendars: Documents<CalendarDefinition>;
  /** So are the names of those of one owner. One that a tracker brought along is here once it was changed. */
  readonly parameterSets: Documents<ParameterSet>;
  /** Permissions to see and change delegations, by tracker. */
  readonly delegationPermissions: Documents<DelegationPermissions>;
  /** The documents of a tracker; the same object for the same tracker. */
  documents(tracker: string): TrackerDocuments;
  issues(tracker: string): IssueStore;
  sync(tracker: string): SyncStore;
  readonly exports: Work<ExportRecord>;
  /** Small state by key: what a namespace of the cache keeps here outlives the process. */
  readonly cache: OpenCache;
  readonly digests: Documents<StoredDigest>;
  readonly periods: Work<DigestPeriod>;
  readonly watches: Documents<Watch>;
  /** By the key of the issue (the owner). */
  readonly nudges: Work<Nudge>;
  readonly watchAlerts: WatchAlerts;
  /** By account; an account without snoozes has no document. */
  readonly snoozes: Documents<readonly Snooze[]>;
  readonly audit: AuditLog;
  readonly signals: Signals;
  readonly persons: PersonStore;
  /** Files: those of exports, and what can be made again. */
  blobs(of: 'exports' | 'cache'): BlobStore;
}

/** Durable state behind one port. Whatever a call has resolved survives the death of the process. */
export interface Store {
  /** The same for the same tenant. */
  forTenant(tenant: string): TenantStore;
  /** The resource that writing lacks, such as free disk space; null where writing works. */
  writeProblem(): Promise<string | null>;
  /**
   * The key that this process lacks to decrypt secrets of a name that others have encrypted since it started; null
   * where it lacks none.
   */
  missingKey(name: string): Promise<string | null>;
  /** Measures how far (ms) the clock that the store goes by is ahead of one of this process; negative: it is behind. */
  clockOffset(now: () => Instant): Promise<number>;
  /**
   * Copies everything, as of one instant, to a file that must not exist, while others read and write. The copy has `stamp`
   * in place of every stamp, and its name once it was checked on the disk: pages and indexes, the number of rows of each
   * table, and that the present keys decrypt its secrets. What is there of it is removed where that fails, or the signal is
   * aborted.
   */
  backUp(
    file: string,
    how: { readonly stamp: string; readonly signal?: AbortSignal },
  ): Promise<{ readonly file: string; readonly bytes: number }>;
  /**
   * Removes what is left of replaced and removed rows in the files of the database, as far as those are Dwell's own; `done` is
   * the sentence about what was done before, for an error.
   */
  removeTraces(done: string): Promise<void>;
  /** Removes what copies that were killed have left. */
  removeKilledCopies(): Promise<void>;
  /**
   * Returns a text that its server gives this database, and that one which was restored from it does not have; null where
   * the database is a file, whose folder shows that.
   */
  identity(): Promise<string | null>;
  /** Returns true where another file has replaced the database since it was opened: new writes are lost. */
  isReplaced(): boolean;
  /** Counts the connections to the database, and what waits for one; null for an engine without a pool of them. */
  connections(): { readonly used: number; readonly idle: number; readonly waiting: number } | null;
  /** Writes what was deferred; where nothing was, it is closed at once. */
  close(): Promise<void>;
}

/** The progress of the upgrade of a store: the step that is under way, in words, and how much of it is done. */
export interface UpgradeProgress {
  readonly step: string;
  readonly done: number;
  readonly of: number;
}

/** Is called before a store of an earlier version is upgraded, and while it is. */
export type OnUpgrade = (progress: UpgradeProgress) => void;

/** The step in which tables change: as many schema versions are done as the store has reached. */
export const CHANGING_TABLES = 'changing tables';
