import type { Scope } from '../model/access.ts';
import type { ChannelSettings, Preferences } from '../model/channel.ts';
import type {
  Category,
  CategoryWish,
  Delegation,
  DelegationPermissions,
  DelegationVersion,
  DelegationWish,
} from '../model/delegation.ts';
import type { Digest, DigestRun } from '../model/digest.ts';
import type { Directory } from '../model/directory.ts';
import type { Delivery, ExportRecord } from '../model/export.ts';
import type { Instant, Issue, Status, User } from '../model/issue.ts';
import type { PersonLink } from '../model/person-link.ts';
import type { Run } from '../model/question.ts';
import type { CalendarDefinition, CalendarWish, DateFormats, ParameterSet } from '../model/settings.ts';
import type { Provenance } from '../model/table.ts';
import type { Snooze, Watch, WatchAlert } from '../model/watch.ts';

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

/** A status that a list calls otherwise than somebody else does. */
export interface StatusClash {
  readonly id: string;
  readonly name: string;
  readonly elsewhere: string;
}

/** Issues and what belongs to them, kept apart by the tracker they come from. */
export interface IssueStore {
  issue(key: string): Promise<Issue | null>;
  /**
   * All of these or, when anything fails, none. `merge` says what becomes of an issue whose key is kept already;
   * nobody else writes in between, so that two writers cannot undo each other's work.
   */
  putIssues(
    issues: readonly Issue[],
    merge: (kept: Issue, incoming: Issue) => Issue,
  ): Promise<readonly KeptIssue[]>;
  recentKeys(count: number): Promise<readonly string[]>;
  count(): Promise<number>;
  statuses(): Promise<ReadonlyMap<string, Status>>;
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
  /** Takes an access rule away again; false when there is none. */
  removeAccess(kind: 'project' | 'level', id: string): Promise<boolean>;
  /** A number that rises with every change of any issue, also by another process; 0 when there are none. */
  revision(): Promise<number>;
  /** Issues changed after a revision, in order of their change, at most `count` of them, and the revision reached. */
  changedSince(revision: number, count: number): Promise<{ issues: readonly Issue[]; revision: number }>;
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

/** What admins and users have configured. */
export interface SettingsStore {
  calendars(): Promise<readonly CalendarDefinition[]>;
  /** Ids rise from 101, so that none meets one of a calendar that a tracker brings along. */
  addCalendar(wish: CalendarWish): Promise<CalendarDefinition>;
  /** Replaces a calendar by what `change` makes of it, nobody writing in between; null when there is none. */
  changeCalendar(
    id: number,
    change: (kept: CalendarDefinition) => CalendarWish,
  ): Promise<CalendarDefinition | null>;
  parameterSets(): Promise<readonly ParameterSet[]>;
  parameterSet(id: string): Promise<ParameterSet | null>;
  addParameterSet(set: ParameterSet): Promise<void>;
  changeParameterSet(id: string, change: (kept: ParameterSet) => ParameterSet): Promise<ParameterSet | null>;
  /** Null until somebody has chosen. */
  formats(): Promise<DateFormats | null>;
  putFormats(formats: DateFormats): Promise<void>;
  /** Identity of this installation, made by `create` the first time it is asked for. */
  clientKey(create: () => string): Promise<string>;
}

/** The issues a question selected, in order, so that all its pages speak of the same ones. */
export interface PageList {
  readonly id: string;
  /** Whose question it is. */
  readonly owner: string;
  /** What the question was: two equal questions have equal texts. */
  readonly question: string;
  readonly keys: readonly string[];
  readonly undecided: number;
  readonly asOf: Instant;
  readonly createdAt: Instant;
}

export interface PageStore {
  /** Keeps a list; of the same owner's only the `most` newest stay, and none older than `oldest`. */
  put(list: PageList, limits: { readonly most: number; readonly oldest: Instant }): Promise<void>;
  get(id: string): Promise<PageList | null>;
  /** The newest list of an owner's question. */
  latest(owner: string, question: string): Promise<PageList | null>;
}

/** Who works on an export and until when others leave it alone. A holder that has lost its lease changes nothing. */
export interface Lease {
  readonly holder: string;
  readonly until: Instant;
}

/** How an export ended. */
export type ExportOutcome =
  | {
      readonly state: 'Successful';
      readonly fileName: string;
      readonly bytes: number;
      readonly provenance: Provenance;
      readonly scope: Scope;
      readonly expiresAt: Instant;
    }
  | { readonly state: 'Failed'; readonly message: string };

/** Queued exports. Several processes may take work from one store; each export is worked on under a lease. */
export interface ExportStore {
  /** Keeps a new one, unless its owner already has `mostUnfinished` that are queued or running: false then. */
  add(record: ExportRecord, mostUnfinished: number): Promise<boolean>;
  get(id: string): Promise<ExportRecord | null>;
  /** Newest first; those asked for by an admin only with `admin`. */
  list(
    owner: { readonly user: string; readonly admin: boolean },
    page: { readonly start: number; readonly size: number },
  ): Promise<{ readonly records: readonly ExportRecord[]; readonly total: number }>;
  /**
   * Takes up what nobody works on at `now`: an export that is not at its end (it is Running from then on), or one whose
   * delivery by one of these doors is pending. Owners take turns, of one owner's exports the oldest is first. Null:
   * there is nothing to do.
   */
  claim(now: Instant, lease: Lease, doors: readonly Delivery['door'][]): Promise<ExportRecord | null>;
  /** Tells progress and keeps the lease; false when it is lost or the export was aborted. */
  renew(
    id: string,
    lease: Lease,
    progress: { readonly completed: number; readonly total: number },
  ): Promise<boolean>;
  /** Keeps the end and the lease, for the delivery that may follow; false as above, and then nothing has changed. */
  finish(id: string, lease: Lease, at: Instant, outcome: ExportOutcome): Promise<boolean>;
  /** Changes the delivery of an export that is held; false when the lease is lost. */
  putDelivery(id: string, lease: Lease, delivery: Delivery): Promise<boolean>;
  /** Lets go of it. Unfinished work is Queued again, and nobody takes it up before `notBefore`. */
  release(id: string, holder: string, notBefore: Instant): Promise<void>;
  /** Queued or Running becomes Aborted; false when it has ended already. */
  abort(id: string, at: Instant, message: string): Promise<boolean>;
  /**
   * Successful exports past their time become Expired, and of each owner's all but the `most` newest; those that ended
   * before `oldest` are forgotten. Ids of both.
   */
  expire(now: Instant, oldest: Instant, most: number): Promise<readonly string[]>;
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
  addCategory(wish: CategoryWish, taken: readonly string[]): Promise<Category | null>;
  /** Null when there is none. `taken` as above, and false when it is. */
  changeCategory(id: number, wish: CategoryWish, taken: readonly string[]): Promise<Category | null | false>;
  removeCategory(id: number): Promise<'removed' | 'used' | 'unknown'>;
  /** The newest version of each; the same array until something changes, also by another process. */
  delegations(): Promise<readonly Delegation[]>;
  /** The oldest first; none for an id that is not kept here. */
  versions(id: number): Promise<readonly DelegationVersion[]>;
  /**
   * Null when a category is neither kept here nor among `elsewhere`: somebody may just have removed it. `check` gets
   * the newest version of each that is kept, nobody writing in between; what it throws is passed on.
   */
  add(
    wish: DelegationWish,
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
    change: (kept: Delegation, all: readonly Delegation[]) => DelegationWish,
    saving: Saving,
    elsewhere: readonly number[],
  ): Promise<Delegation | null>;
  /** Null until somebody has chosen. */
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

/** Questions that were answered, so that they can be asked again. */
export interface RunStore {
  put(run: Run): Promise<void>;
  get(id: string): Promise<Run | null>;
  /** Forgets those asked before an instant. */
  forget(before: Instant): Promise<void>;
}

/** What was chosen for channels and by people. */
export interface ChannelStore {
  channel(id: string): Promise<ChannelSettings | null>;
  channels(): Promise<readonly ChannelSettings[]>;
  /** Replaces what `change` is given (null: nothing yet) by what it returns, nobody writing in between. */
  changeChannel(
    id: string,
    change: (kept: ChannelSettings | null) => ChannelSettings,
  ): Promise<ChannelSettings>;
  preferences(account: string): Promise<Preferences | null>;
  putPreferences(preferences: Preferences): Promise<void>;
}

/** A period somebody works on: the digest, its period, and how often it was taken up before this time. */
export interface HeldRun {
  readonly digest: Digest;
  readonly run: DigestRun;
}

/**
 * Digests and their periods. A period is one row, unique by digest and the instant it is due, written before anything
 * is posted; several processes may take periods from one store, each under a lease.
 */
export interface DigestStore {
  /** False when the owner has `most` already. */
  add(digest: Digest, most: number): Promise<boolean>;
  get(id: string): Promise<Digest | null>;
  /** All, by title and id. */
  list(): Promise<readonly Digest[]>;
  /** Replaces a digest by what `change` makes of it, nobody writing in between; null when there is none. */
  change(id: string, change: (kept: Digest) => Digest): Promise<Digest | null>;
  /** Takes it away with its periods; false when there was none. */
  remove(id: string): Promise<boolean>;
  /** Digests not paused whose `nextDue` has come. */
  due(now: Instant): Promise<readonly Digest[]>;
  /**
   * Writes the periods that fell due, those that are known already left alone, and sets `nextDue`; nothing, and false,
   * when the digest's `nextDue` is not `expected` any more or it is paused. Skipped ones are at their end at once.
   */
  addRuns(
    id: string,
    expected: Instant,
    runs: readonly { readonly due: Instant; readonly notBefore: Instant; readonly skipped: string | null }[],
    nextDue: Instant | null,
  ): Promise<boolean>;
  /**
   * Takes up the oldest period that is `claimed`, whose lease is over and whose `notBefore` has come; its attempts rise
   * by one. Periods of paused digests rest, and those told in `busy` places: channels, or owners. Null: there is
   * nothing to do.
   */
  claim(now: Instant, lease: Lease, busy?: readonly string[]): Promise<HeldRun | null>;
  /** Ends every period of a digest that waits and that nobody works on as `skipped`, with why. */
  skipWaiting(digestId: string, message: string, now: Instant): Promise<void>;
  /** Takes away the periods due after `now` that nothing was posted of: a clock that went ahead wrote them. */
  takeBack(digestId: string, now: Instant): Promise<void>;
  /** Periods that failed since an instant and whose note does not say who was `told`, the oldest first. */
  untold(since: Instant): Promise<readonly DigestRun[]>;
  /** Replaces the note of a period that ended; false when it is not `expected` any more. */
  changeNote(
    digestId: string,
    due: Instant,
    expected: DigestRun['note'],
    note: DigestRun['note'],
  ): Promise<boolean>;
  /** Keeps the lease; false when it is lost. */
  renew(digestId: string, due: Instant, lease: Lease): Promise<boolean>;
  /** Keeps a changed note and the lease; false when it is lost. */
  putNote(digestId: string, due: Instant, lease: Lease, note: DigestRun['note']): Promise<boolean>;
  /** Ends a period that is held; false when the lease is lost. */
  finish(
    digestId: string,
    due: Instant,
    holder: string,
    end: {
      readonly state: 'sent' | 'silent' | 'skipped' | 'failed';
      readonly message: string | null;
      readonly at: Instant;
    },
  ): Promise<boolean>;
  /** Lets go of a period, which nobody takes up before `notBefore`; `isAttempt` false: it does not count as one. */
  release(
    digestId: string,
    due: Instant,
    holder: string,
    notBefore: Instant,
    isAttempt: boolean,
  ): Promise<void>;
  /** Of a period that failed, that it was told after all; false when it had not, or was told meanwhile. */
  putTold(digestId: string, due: Instant, note: DigestRun['note']): Promise<boolean>;
  /** Newest first. */
  runs(digestId: string, count: number): Promise<readonly DigestRun[]>;
  /** Periods that ended before an instant are forgotten, but for each digest's newest. */
  forget(before: Instant): Promise<void>;
}

/** A visit as a watch tells of it. */
export type WatchVisit = Pick<WatchAlert, 'watchId' | 'key' | 'since'>;

/** `leftFor` is whom somebody was about to tell who died; null: nobody was. */
export interface ClaimedVisit extends WatchVisit {
  readonly leftFor: string | null;
}

/** Watches, what they told, and what nobody wants to hear of for a while. */
export interface WatchStore {
  /** False when the owner has `most` already. Of the visits in `leftAlone` it never tells anybody. */
  add(watch: Watch, most: number, leftAlone: readonly Omit<WatchVisit, 'watchId'>[]): Promise<boolean>;
  get(id: string): Promise<Watch | null>;
  list(): Promise<readonly Watch[]>;
  change(id: string, change: (kept: Watch) => Watch): Promise<Watch | null>;
  /** Takes it away; whom it told of what is still known. */
  remove(id: string): Promise<boolean>;
  /**
   * Visits an account may be told of now, each given to one process only, once. One claimed at or before `stale` by who
   * died is free; one the account was told of by another watch counts as told. `quiet`: the account was told something
   * after `quietSince`, or is being told.
   */
  claim(
    account: string,
    visits: readonly WatchVisit[],
    at: { readonly now: Instant; readonly stale: Instant; readonly quietSince: Instant },
  ): Promise<readonly ClaimedVisit[] | 'quiet'>;
  /** How the telling of claimed visits ended. `free`: they may be claimed again. */
  settle(
    visits: readonly WatchVisit[],
    end: { readonly state: 'told' | 'free'; readonly account: string; readonly at: Instant },
  ): Promise<void>;
  /** Of the visits told by a watch. */
  alerts(watchId: string): Promise<readonly WatchAlert[]>;
  putSnooze(snooze: Snooze): Promise<void>;
  snoozes(): Promise<readonly Snooze[]>;
  /** Snoozes that ended, and alerts told, before an instant are forgotten. */
  forget(before: Instant): Promise<void>;
}

/** Durable state behind one port. Whatever a call has resolved survives the death of the process. */
export interface Store {
  issues(tracker: string): IssueStore;
  readonly tokens: TokenStore;
  readonly settings: SettingsStore;
  readonly pages: PageStore;
  readonly exports: ExportStore;
  delegations(tracker: string): DelegationStore;
  links(tracker: string): LinkStore;
  readonly runs: RunStore;
  readonly channels: ChannelStore;
  readonly digests: DigestStore;
  readonly watches: WatchStore;
  close(): void;
}
