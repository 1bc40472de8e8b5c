import type { Instant } from './issue.ts';
import type { Selection } from './request.ts';

/**
 * The time that is too long: working ms in the status, the 85th percentile of the times there, or the target that the project has
 * for the whole time from the start until done. With `weekdays` the hours from
 * Monday to Friday count, by the clocks of the watch's zone, whatever its calendar.
 */
export type Threshold =
  | { readonly by: 'time'; readonly ms: number; readonly words: string; readonly weekdays?: true }
  | { readonly by: 'usual' }
  | { readonly by: 'target' };

/** "Alert when an issue sits in a status longer than that", or "when it misses its target". */
export interface WatchInput {
  readonly selection: Selection;
  /** The words for the issues. */
  readonly title: string;
  /** Id and name of the status; null: a target is of all started ones. */
  readonly status: { readonly id: string; readonly name: string } | null;
  readonly threshold: Threshold;
  /** Calendar the time is measured in, and in whose working hours people are alerted. */
  readonly calendar: string;
  readonly timeZone: string;
  /** The person who is alerted: the assignee (or their delegate), or the owner of the watch. */
  readonly tells: 'assignee' | 'owner';
}

/** A stored watch. `owner` is an account, and the watch sees with the owner's rights. */
export interface Watch extends WatchInput {
  readonly id: string;
  readonly owner: string;
  readonly paused: boolean;
  /** The reason it paused by itself, in sentences; absent where a person paused it. */
  readonly trouble?: string;
  /** The instant the owner was notified of that, or last should have been. */
  readonly ownerTold?: { readonly at: Instant; readonly done: boolean };
  /** The name of its calendar; null: every hour counts. Absent of watches made before the name was stored. */
  readonly calendarName?: string | null;
  /** Accounts that want to hear no more of it. */
  readonly muted?: readonly string[];
  /** Its next check notifies no one: another database may have, of what is overdue by then. */
  readonly startsOver?: true;
  readonly createdAt: Instant;
}

/** The `since` of alerts about a missed target, and of their snoozes: it is missed once, in whatever statuses the issue is. */
export const OF_TARGET: Instant = 0;

/** One visit of an issue that sat too long, or an issue that missed its target, of which someone was alerted, or is to be. */
export interface WatchAlert {
  readonly watchId: string;
  readonly key: string;
  /** The instant the visit began (`OF_TARGET`: of a target), or the snooze of the person alerted ended: each is alerted once. */
  readonly since: Instant;
  readonly state: 'claimed' | 'told';
  /** The account that was alerted, by this watch or another, or is to be; null: the visit is left alone. */
  readonly account: string | null;
  readonly toldAt: Instant | null;
}

/** A person's wish not to be alerted of an issue's visit, or of its missed target, before an instant. */
export interface Snooze {
  readonly account: string;
  readonly key: string;
  readonly since: Instant;
  readonly until: Instant;
}
