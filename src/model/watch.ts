import type { Instant } from './issue.ts';
import type { Selection } from './request.ts';

/**
 * How long is too long: working ms, or the 85th percentile of what is usual in the status. With `weekdays` the hours from
 * Monday to Friday count, by the clocks of the watch's zone, whatever its calendar.
 */
export type Threshold =
  | { readonly by: 'time'; readonly ms: number; readonly words: string; readonly weekdays?: true }
  | { readonly by: 'usual' };

/** "Alert when an issue sits in a status longer than that." */
export interface WatchInput {
  readonly selection: Selection;
  /** As the issues are called in words. */
  readonly title: string;
  /** Id and name of the status. */
  readonly status: { readonly id: string; readonly name: string };
  readonly threshold: Threshold;
  /** Calendar the time is measured in, and in whose working hours people are alerted. */
  readonly calendar: string;
  readonly timeZone: string;
  /** Who is alerted: the assignee (or their delegate), or the owner of the watch. */
  readonly tells: 'assignee' | 'owner';
}

/** A watch as it is kept. `owner` is an account; it sees with the owner's rights. */
export interface Watch extends WatchInput {
  readonly id: string;
  readonly owner: string;
  readonly paused: boolean;
  /** Why it paused by itself, in sentences; absent where somebody paused it. */
  readonly trouble?: string;
  /** When the owner was notified of that, or last should have been. */
  readonly ownerTold?: { readonly at: Instant; readonly done: boolean };
  /** What its calendar is called; null: every hour counts. Absent of watches that were made before it was kept. */
  readonly calendarName?: string | null;
  /** Accounts that want to hear no more of it. */
  readonly muted?: readonly string[];
  /** Its next check notifies no one: another database may have, of what is overdue by then. */
  readonly startsOver?: true;
  readonly createdAt: Instant;
}

/** One visit of an issue that sat too long, of which someone was alerted, or is to be. */
export interface WatchAlert {
  readonly watchId: string;
  readonly key: string;
  /** When the visit began, or when the snooze of the person alerted ended: each is alerted once. */
  readonly since: Instant;
  readonly state: 'claimed' | 'told';
  /** The account that was alerted, by this watch or another, or is to be; null: the visit is left alone. */
  readonly account: string | null;
  readonly toldAt: Instant | null;
}

/** Somebody does not want to hear of an issue's visit before an instant. */
export interface Snooze {
  readonly account: string;
  readonly key: string;
  readonly since: Instant;
  readonly until: Instant;
}
