import type { AgingIssue } from '../../model/answer.ts';
import type { Instant } from '../../model/issue.ts';
import type { Principal } from '../../model/principal.ts';
import type { CalendarFacts } from '../../model/table.ts';
import type { Snooze, Watch, WatchInput } from '../../model/watch.ts';

/** An issue that sits too long, and what too long is there (working ms). */
export interface Overdue {
  readonly issue: AgingIssue;
  readonly thresholdMs: number;
}

/** A watch that was just created, and what sits too long already, furthest beyond first. */
export interface BegunWatch {
  readonly watch: Watch;
  readonly overdue: readonly Overdue[];
  /** How many of them people are told of; the others are left alone. */
  readonly told: number;
  /** How many issues are in its status now. */
  readonly here: number;
  /** Of those: how many are held against what is usual where too few visits ended to tell. */
  readonly usualUnknown: number;
  /** Of how many open issues of the selection a cut history does not tell since when they are where they are. */
  readonly sinceUnknown: number;
  /** Whether any issue of the selection was ever in its status, as far as anybody knows. */
  readonly everMet: boolean;
}

/** When a snooze ends: after a day, a week or so many working days of the watch's calendar, or at an instant. */
export type SnoozeEnd =
  | { readonly by: 'day' | 'week' }
  | { readonly by: 'workingDays'; readonly days: number }
  | { readonly by: 'instant'; readonly until: Instant };

/** Somebody wants to hear no more of a visit that a watch told them of, for a while. */
export interface SnoozeWish extends Pick<Snooze, 'account' | 'key' | 'since'> {
  readonly watchId: string;
  readonly ends: SnoozeEnd;
}

/** The port of watches. Owners and admins read and change them; others get `not-found`. */
export interface WatchesApi {
  /**
   * `principal` is the owner in the tracker. `too-many` while the account has 50 already; a status that is not known or is
   * of the category Done, an unknown calendar or a selection that cannot be asked for is `bad-request`.
   */
  create(owner: Principal & { readonly principal: Principal }, wish: WatchInput): Promise<BegunWatch>;
  /** The principal's own; an admin gets all. */
  list(principal: Principal): Promise<readonly Watch[]>;
  get(principal: Principal, id: string): Promise<Watch>;
  pause(principal: Principal, id: string): Promise<Watch>;
  resume(principal: Principal, id: string): Promise<Watch>;
  remove(principal: Principal, id: string): Promise<void>;
  /** Of which visit somebody was told last; null: of none yet. */
  lastNotified(principal: Principal, id: string): Promise<ToldVisit | null>;
  /**
   * Until its end, at most 30 days on, the account hears nothing of this visit; it is told then if it still lasts.
   * `not-found` for a visit the watch did not tell the account of.
   */
  snooze(wish: SnoozeWish): Promise<Snooze>;
  /** The account is told nothing more of a watch, which is given back. `not-found` where the watch told it nothing. */
  mute(watchId: string, account: string): Promise<Watch>;
}

/** A user of the tracker as a message names them. */
interface Named {
  readonly id: string;
  readonly name: string;
}

/** Why it is this person who is told. */
export type WhyTold =
  | { readonly kind: 'asked' }
  | { readonly kind: 'inCharge' }
  /** `until`: when the person who is away is back; null where nobody tells. */
  | { readonly kind: 'standsIn'; readonly person: Named; readonly until: Instant | null }
  | { readonly kind: 'nobodyInCharge' }
  /** The owner is told, because who should have been told cannot be. */
  | {
      readonly kind: 'notReached';
      readonly person: Named;
      readonly because: 'noAccount' | 'hidden' | 'uncovered' | 'refused' | 'muted';
    };

/** A visit somebody is told of. */
export interface NudgedVisit extends Overdue {
  readonly why: WhyTold;
  /** Its begin, or the end of a snooze after which it is told again. */
  readonly untoldSince: Instant;
}

/** What one person is told of a watch at a time: at least one issue, furthest beyond first. */
export interface NudgeGroup {
  readonly watch: Watch;
  readonly visits: readonly NudgedVisit[];
  /** The calendar the time was measured in. */
  readonly calendar: CalendarFacts;
  readonly asOf: Instant;
  /** When the data was last taken from the tracker; null when it is computed on the spot. */
  readonly dataAsOf: Instant | null;
}

/** What one person is told in one message, watch by watch; no issue is in it twice. */
export type Nudge = readonly NudgeGroup[];

/** What became of a nudge. `later`: it certainly was not told, and may be soon. `unknown`: Slack gave no answer. */
export type NudgeOutcome = 'told' | 'refused' | 'later' | 'unknown';

/** Tells people of what sits too long. */
export interface WatchNotifier {
  /**
   * With which rights an account asks; null for who does not work here any more. `unavailable` while nobody can tell.
   */
  principalOf(account: string): Promise<Principal | null>;
  /** The account of a user of the tracker; null where nobody knows it for certain. `unavailable` as above. */
  accountOf(user: string): Promise<string | null>;
  /** Tells at most once. What fails before anything was told is thrown. */
  nudge(nudge: Nudge, account: string): Promise<NudgeOutcome>;
  /** Whether an account was told of a visit by who died before they could say so; null where nobody can tell. */
  hasTold(
    visit: Pick<NudgedVisit, 'untoldSince'> & Pick<AgingIssue, 'key'>,
    account: string,
  ): Promise<boolean | null>;
  /** Tells the owner that a watch paused itself, and what to do. `later`: they certainly do not know it yet. */
  notifyOwner(watch: Watch): Promise<'told' | 'later'>;
}

/** A visit somebody was told of, and when. */
export interface ToldVisit {
  readonly key: string;
  readonly at: Instant;
}
