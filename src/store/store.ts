import type { FieldwiseIssue } from '../issues/issue-fields.ts';
import type { PersonLink } from '../model/chat.ts';
import type {
  Category,
  CategoryInput,
  Delegation,
  DelegationInput,
  DelegationPermissions,
  DelegationVersion,
} from '../model/delegation.ts';
import type { Directory } from '../model/directory.ts';
import type { Instant, Issue, Status, StatusCategory, User } from '../model/issue.ts';
import type { ParameterSet } from '../model/parameter-set.ts';
import type { CalendarDefinition, CalendarInput } from '../model/settings.ts';
import type { DigestStore, ExportStore, WatchStore } from './job-stores.ts';
import type { SyncStore } from './sync-store.ts';

/** What a token allows and until when; the token's text itself is never kept. */
export interface TokenRecord {
  readonly id: string;
  readonly user: string;
  readonly admin: boolean;
  readonly createdAt: Instant;
  readonly expiresAt: Instant;
  readonly active: boolean;
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

/** A status that a list calls otherwise than another source does. */
export interface StatusClash {
  readonly id: string;
  readonly name: string;
  readonly elsewhere: string;
}

/** The category that an admin has set for a status; `by` is who did, as the door names them. */
export interface SetCategory {
  readonly category: StatusCategory;
  readonly by: string;
  readonly at: Instant;
}

/** Receives issues while their fields can be read; its result becomes that of the reading. */
type UseOfIssues<Result> = (issues: readonly FieldsOfIssue[]) => Result;

/** How another thread reads issues: by the module that exports `openIssueReader`, and what that is called with. */
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

/** Issues and what belongs to them, kept apart by the tracker they come from. */
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
  /** How another thread does the same; null where none can. */
  readonly reader: IssueReaderPlace | null;
  /** The keys of issues (upper case) by those they had before; some may have another issue by now, or none. */
  formerKeys(): Promise<ReadonlyMap<string, string>>;
  /**
   * All of these or, when anything fails, none. `merge` says what becomes of an issue whose id, or else key, is kept
   * already; nobody else writes in between, so that two writers cannot undo each other's work. An issue that is kept
   * under another key moves: the old key leads to it from then on, and whatever else is kept under the new one goes. So do
   * all keys that its history says it had; what is kept under one of them, created at the same instant, is the issue.
   */
  putIssues(
    issues: readonly Issue[],
    merge: (kept: Issue, incoming: Issue) => Issue,
  ): Promise<readonly KeptIssue[]>;
  recentKeys(count: number): Promise<readonly string[]>;
  count(): Promise<number>;
  /** How many were last read by a Dwell that did not read the roles an issue is restricted to. */
  countUnreadRoles(): Promise<number>;
  /** With the categories that admins have set, where the tracker gives none. */
  statuses(): Promise<ReadonlyMap<string, Status>>;
  /** The categories that admins have set, by status id, also where the tracker has come to give one. */
  setCategories(): Promise<ReadonlyMap<string, SetCategory>>;
  /** Sets the category of a status or, with null, takes it back. What was set before stays in the store, with who did it and when. */
  putCategory(
    status: string,
    category: StatusCategory | null,
    saving: Pick<SetCategory, 'by' | 'at'>,
  ): Promise<void>;
  /**
   * `list` names the list of which these are all; it replaces what was kept of that list, and no other. Null: they
   * are only mentioned in issues. A status is deleted when some list is kept and none has it.
   */
  putStatuses(statuses: readonly Status[], list: string | null): Promise<void>;
  /** Where this list contradicts another list, or the issues that are in the status. */
  clashes(list: string): Promise<readonly StatusClash[]>;
  /** Without ids everybody who is known. */
  users(ids?: Iterable<string>): Promise<ReadonlyMap<string, User>>;
  putUsers(users: readonly User[]): Promise<void>;
  /** What is known beside the issues; empty lists where nothing is. */
  directory(): Promise<Directory>;
  /** Adds to the lists, replacing entries of the same id (of access rules: of the same kind and id). */
  putDirectory(part: Partial<Directory>): Promise<void>;
  /**
   * What the tracker's own lists tell now. `others` of what was told here before go or, where a list came in part, stay;
   * what only `putDirectory` has put stays.
   */
  replaceDirectory(
    lists: Partial<Pick<Directory, 'sprints' | 'filters' | 'groups' | 'fields'>>,
    others: 'go' | 'stay',
  ): Promise<void>;
  /** Takes an access rule away again; false when there is none. */
  removeAccess(kind: 'project' | 'level', id: string): Promise<boolean>;
  /** A number that rises with every change of any issue, also by another process; 0 when there are none. */
  revision(): Promise<number>;
  /**
   * What changed after a revision, in order, at most `count` issues and keys together, and the revision reached: issues
   * as they are now, and keys under which there is none any more.
   */
  changedSince(revision: number, count: number): Promise<ChangedIssues>;
  /** What was learnt from issues about values in histories, as text; null: nothing was kept so far. */
  historyValues(): Promise<string | null>;
  putHistoryValues(text: string): Promise<void>;
  filledAt(): Promise<Instant | null>;
  putFilledAt(at: Instant): Promise<void>;
}

export interface TokenStore {
  put(record: TokenRecord): Promise<void>;
  get(id: string): Promise<TokenRecord | null>;
  /** Newest first. */
  list(): Promise<readonly TokenRecord[]>;
  /** False when there is no such token. */
  setActive(id: string, active: boolean): Promise<boolean>;
  /** The key tokens are signed with, made by `create` the first time it is asked for, by whichever process is first. */
  signingKey(create: () => string): Promise<string>;
}

/** Another calendar, or another parameter set of the same owner, has the name; nothing was written. */
export class NameTaken extends Error {
  override name = 'NameTaken';
}

/**
 * What admins and users have configured. Names of calendars, and of the parameter sets of one owner, are unique as
 * people compare them, whichever processes write: a second one fails with `NameTaken`.
 */
export interface SettingsStore {
  calendars(): Promise<readonly CalendarDefinition[]>;
  /** Ids rise from 101, so that none meets one of a calendar that a tracker brings along. */
  addCalendar(input: CalendarInput): Promise<CalendarDefinition>;
  /** Replaces a calendar by what `change` makes of it, nobody writing in between; null when there is none. */
  changeCalendar(
    id: number,
    change: (kept: CalendarDefinition) => CalendarInput,
  ): Promise<CalendarDefinition | null>;
  parameterSets(): Promise<readonly ParameterSet[]>;
  parameterSet(id: string): Promise<ParameterSet | null>;
  addParameterSet(set: ParameterSet): Promise<void>;
  /**
   * Replaces a set by what `change` makes of it, nobody writing in between. `base` is the set as the tracker brought it
   * along, which the change is made of the first time. Null: there is neither.
   */
  changeParameterSet(
    id: string,
    change: (kept: ParameterSet) => ParameterSet,
    base?: ParameterSet,
  ): Promise<ParameterSet | null>;
  /** Forgets a set unless `check` throws, nobody writing in between; whether there was one. */
  removeParameterSet(id: string, check: (kept: ParameterSet) => void): Promise<boolean>;
  /** Identity of this installation, made by `create` the first time it is asked for. */
  clientKey(create: () => string): Promise<string>;
}

/** Who saves a version of a delegation, and when. */
export interface Saving {
  readonly by: string;
  readonly at: Instant;
}

/**
 * Delegations that were set here, and what belongs to them, kept apart by the tracker whose people they are about.
 * Ids rise from 100,001 (of categories from 101), so that none meets one that the tracker brings along.
 */
export interface DelegationStore {
  categories(): Promise<readonly Category[]>;
  /** Null when the name is taken, here or among `taken`, without regard to case. */
  addCategory(input: CategoryInput, taken: readonly string[]): Promise<Category | null>;
  /** Null when there is none. `taken` as above, and false when it is. */
  changeCategory(
    id: number,
    input: CategoryInput,
    taken: readonly string[],
  ): Promise<Category | null | false>;
  removeCategory(id: number): Promise<'removed' | 'used' | 'unknown'>;
  /** The newest version of each; the same array until something changes, also by another process. */
  delegations(): Promise<readonly Delegation[]>;
  /** The oldest first; none for an id that is not kept here. */
  versions(id: number): Promise<readonly DelegationVersion[]>;
  /**
   * Null when a category is neither kept here nor among `elsewhere`: it may just have been removed. `check` gets
   * the newest version of each that is kept, nobody writing in between; what it throws is passed on.
   */
  add(
    input: DelegationInput,
    saving: Saving,
    elsewhere: readonly number[],
    check?: (all: readonly Delegation[]) => void,
  ): Promise<Delegation | null>;
  /**
   * Adds a version, which `change` makes of the newest one and of `all` as above; what the one before names may stay.
   * `base` is the first version of a delegation the tracker brought along, kept with it the first time. Null: there is
   * none of this id, or a category is gone as above.
   */
  change(
    id: number,
    base: Delegation | null,
    change: (kept: Delegation, all: readonly Delegation[]) => DelegationInput,
    saving: Saving,
    elsewhere: readonly number[],
  ): Promise<Delegation | null>;
  /** Null until they are chosen. */
  permissions(): Promise<DelegationPermissions | null>;
  putPermissions(permissions: DelegationPermissions): Promise<void>;
}

/** Which accounts elsewhere are whose, kept apart by the tracker whose users are meant. */
export interface LinkStore {
  /** By account. */
  links(): Promise<readonly PersonLink[]>;
  link(account: string): Promise<PersonLink | null>;
  /** How often something was said of an account, also that it is nobody's any more. */
  revision(account: string): Promise<number>;
  /** Replaces what was said; with a revision only as long as that is the account's, else it is false. */
  put(link: PersonLink, revision?: number): Promise<boolean>;
  /** False when there was none. */
  remove(account: string): Promise<boolean>;
}

/** Secrets of ours that must outlive a process, by name; kept where only the owner of DATA_DIR reads them. */
export interface SecretStore {
  get(name: string): Promise<string | null>;
  put(name: string, value: string): Promise<void>;
  remove(name: string): Promise<void>;
}

/** A storage adapter of Keyv, whose values are texts, that can also change one in a transaction. `ttl` in ms. */
export interface CacheAdapter {
  readonly opts: { readonly dialect: string; readonly url: string };
  namespace: string | undefined;
  get(key: string): Promise<string | undefined>;
  set(key: string, value: string, ttl?: number): Promise<void>;
  /** Replaces a text by what `change` makes of it (undefined: leave it), nobody writing in between. */
  change(
    key: string,
    change: (before: string | undefined) => string | undefined,
    ttl: number | undefined,
  ): Promise<void>;
  /** Whether there was one. */
  delete(key: string): Promise<boolean>;
  clear(): Promise<void>;
  iterator(namespace?: string): AsyncGenerator<[key: string, value: string], void>;
}

/**
 * Opens an adapter; of more than `most` (null: any number) entries of its namespace the oldest go first. With
 * `defersWrites` nobody waits while another process writes: what is set then, or changed, is known to this process only
 * until that is over, and lost if it is killed before.
 */
export type OpenCache = (options: {
  readonly most: number | null;
  readonly defersWrites?: boolean;
  readonly now: () => Instant;
}) => CacheAdapter;

/**
 * Stamps are random words that the database gets together with something outside of it, such as the file of columns. What
 * has a stamp that is not among these was made with another database, or with a later state of a database that was put
 * back since.
 */
export interface StampStore {
  /** The last few, the newest first; empty where none was ever added. */
  all(): Promise<readonly string[]>;
  /**
   * To be called before the stamp is written anywhere else, which may fail: what is written there now, `present`, is not
   * forgotten, however often that happens.
   */
  add(stamp: string, present: string | null): Promise<void>;
}

/** The name of the stamp of the folder a database is in. */
export const FOLDER_STAMP = 'folder';

/** What is stored of one tenant, and of no other. */
export interface TenantStore {
  readonly tenant: string;
  issues(tracker: string): IssueStore;
  sync(tracker: string): SyncStore;
  readonly secrets: SecretStore;
  readonly tokens: TokenStore;
  readonly settings: SettingsStore;
  readonly exports: ExportStore;
  delegations(tracker: string): DelegationStore;
  links(tracker: string): LinkStore;
  /** Small state by key: what a namespace of the cache keeps here outlives the process. */
  readonly cache: OpenCache;
  readonly digests: DigestStore;
  readonly watches: WatchStore;
  /** The stamps of one thing outside of the database, by its name. */
  stamps(name: string): StampStore;
}

/** Durable state behind one port. Whatever a call has resolved survives the death of the process. */
export interface Store {
  /** The same for the same tenant. */
  forTenant(tenant: string): TenantStore;
  /** What the store lacks to be written to, such as free disk space; null where it can be. */
  whyUnwritable(): Promise<string | null>;
  /**
   * Copies everything, as of one instant, to a file that must not exist, while others read and write. The copy has `stamp`
   * in place of every stamp. What is there of it is removed where the signal is aborted.
   */
  backUp(
    file: string,
    how: { readonly stamp: string; readonly signal?: AbortSignal },
  ): Promise<{ readonly file: string; readonly bytes: number }>;
  /** Removes what copies that were killed have left. */
  removeKilledCopies(): void;
  /** Whether another file has taken the place of the database since it was opened: what is written now is lost. */
  isReplaced(): boolean;
  close(): void;
}
