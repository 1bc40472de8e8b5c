import type { Instant } from '../../model/issue.ts';
import type { Principal } from '../../model/request.ts';
import type { CalendarFacts } from '../../model/table.ts';
import type { Snooze, Watch, WatchInput } from '../../model/watch.ts';
import type { AgingIssue } from '../answers/aging/aging-answer.ts';

/** An issue that is in its status for too long, or that missed its target, and the time that is allowed (working ms). */
export interface Overdue {
  readonly issue: AgingIssue;
  /** It is alerted once since then: the begin of its visit, or 0 where a target was missed. */
  readonly since: Instant;
  readonly thresholdMs: number;
}

/** A watch that was just created, and the visits that are overdue already, furthest beyond first. */
export interface CreatedWatch {
  readonly watch: Watch;
  readonly overdue: readonly Overdue[];
  /** The number of them that people are notified of; the others are left alone. */
  readonly notified: number;
  /** The number of issues in its status now; of a target, of those that are started. */
  readonly here: number;
  /** The number of those whose usual time, or target, is not known. */
  readonly withoutBaseline: number;
  /** The number of open issues of the selection of whose visit a cut history hides the begin. */
  readonly sinceUnknown: number;
  /** True if any issue of the selection was ever in its status, as far as anyone knows. */
  readonly everObserved: boolean;
}

/** The issues that a watch would cover if it were created now, as its principal sees them. */
export interface WatchCoverage {
  /** Keys of the projects in which issues are open, in order. */
  readonly projects: readonly string[];
  /** The number of open issues of the selection. */
  readonly open: number;
  /** The number of those in the status, and of these that are overdue. */
  readonly here: number;
  readonly overdue: number;
}

/** The end of a snooze: after a day, a week or a number of working days of the watch's calendar, or at an instant. */
export type SnoozeEnd =
  | { readonly by: 'day' | 'week' }
  | { readonly by: 'workingDays'; readonly days: number }
  | { readonly by: 'instant'; readonly until: Instant };

/** An account wants no more of a visit that a watch notified it of, for a while. */
export interface SnoozeInput extends Pick<Snooze, 'account' | 'key' | 'since'> {
  readonly watchId: string;
  readonly ends: SnoozeEnd;
}

/** A visit an account was notified of, and when. */
export interface NotifiedVisit {
  readonly key: string;
  readonly at: Instant;
}

/** The port of watches. Owners and admins read and change them; to others they are `unknown-watch`. */
export interface WatchesApi {
  /**
   * The owner is an account of the chat; issues are read with the rights of the principal, a user of the tracker.
   * `too-many-watches` when the owner has 50 already.
   */
  create(
    by: { readonly owner: Principal; readonly principal: Principal },
    input: WatchInput,
  ): Promise<CreatedWatch>;
  /** Counts the issues that a watch would cover, without creating it. */
  coverage(principal: Principal, input: WatchInput): Promise<WatchCoverage>;
  /** The principal's own; an admin gets all. */
  list(principal: Principal): Promise<readonly Watch[]>;
  get(principal: Principal, id: string): Promise<Watch>;
  pause(principal: Principal, id: string): Promise<Watch>;
  resume(principal: Principal, id: string): Promise<Watch>;
  remove(principal: Principal, id: string): Promise<void>;
  /** The visit of the last notification; null when there was none yet. */
  lastNotified(principal: Principal, id: string): Promise<NotifiedVisit | null>;
  /**
   * The account gets nothing of this visit until an end at most 30 days on, and is notified then if it still lasts;
   * `unknown-watch` for a visit the watch did not notify the account of.
   */
  snooze(input: SnoozeInput): Promise<Snooze>;
  /** Overdue visits count as notified at the next check of each watch: another database may have notified people. */
  startOver(): Promise<void>;
  /** The account is notified no more by a watch, which is given back; `unknown-watch` where it never was. */
  mute(watchId: string, account: string): Promise<Watch>;
}

/** The reason this person is notified. */
export type RecipientReason =
  | { readonly kind: 'owner' }
  | { readonly kind: 'assignee' }
  /** `until`: the instant the person who is away is back; null where it is unknown. */
  | { readonly kind: 'covers'; readonly person: Person; readonly until: Instant | null }
  | { readonly kind: 'unassigned' }
  | NotReached;

/** It is the owner, because the person cannot be notified. */
export interface NotReached {
  readonly kind: 'notReached';
  readonly person: Person;
  readonly because: 'noAccount' | 'hidden' | 'uncovered' | 'refused' | 'muted';
}

/** A user of the tracker. */
type Person = Readonly<Record<'id' | 'name', string>>;

/** A visit someone is reminded of. */
export interface ReminderVisit extends Overdue {
  readonly why: RecipientReason;
  /** Its begin, or the end of a snooze after which the reminder is repeated. */
  readonly dueSince: Instant;
}

/** The visits one watch reminds a person of at a time: at least one, furthest beyond first. */
export interface ReminderGroup {
  readonly watch: Watch;
  readonly visits: readonly ReminderVisit[];
  /** The calendar the time was measured in. */
  readonly calendar: CalendarFacts;
  readonly asOf: Instant;
  /** When the data was last taken from the tracker; null when it is computed on the spot. */
  readonly dataAsOf: Instant | null;
}

/** The content of one message to one person, watch by watch; no issue is in it twice. */
export type Reminder = readonly ReminderGroup[];

/** `later`: it certainly was not sent, and may be soon. `unknown`: Slack gave no answer. */
type ReminderOutcome = 'sent' | 'refused' | 'later' | 'unknown';

/** Notifies people of overdue issues. */
export interface WatchNotifier {
  /** The principal of an account; null for a person who does not work here any more. `unavailable` while that is unknown. */
  principalOf(account: string): Promise<Principal | null>;
  /** The account of a user of the tracker; null where it is not certain. `unavailable` as above. */
  accountOf(user: string): Promise<string | null>;
  /** Sends at most once. A failure before anything was sent is thrown. */
  remind(reminder: Reminder, account: string): Promise<ReminderOutcome>;
  /**
   * True if a process that died before it could record it reminded an account of a visit; null where that is unknown.
   */
  wasReminded(
    visit: Pick<ReminderVisit, 'dueSince'> & Pick<AgingIssue, 'key'>,
    account: string,
  ): Promise<boolean | null>;
  /** Notifies the owner that a watch paused itself, and what to do; false: they certainly do not know it yet. */
  notifyOwner(watch: Watch): Promise<boolean>;
}
