import type { Instant } from './issue.ts';
import type { Selection } from './request.ts';

/** How long is too long: working ms, or the 85th percentile of what is usual in the status. */
export type Threshold =
  | { readonly by: 'time'; readonly ms: number; readonly words: string }
  | { readonly by: 'usual' };

/** "Tell when an issue sits in a status longer than that." */
export interface WatchWish {
  readonly selection: Selection;
  /** As the issues are called in words. */
  readonly title: string;
  /** Id and name of the status. */
  readonly status: { readonly id: string; readonly name: string };
  readonly threshold: Threshold;
  /** Calendar the time is measured in, and in whose working hours people are told. */
  readonly calendar: string;
  readonly timeZone: string;
  /** Whether the person in charge (or who stands in for them) is told, or the owner of the watch. */
  readonly tells: 'assignee' | 'owner';
}

/** A watch as it is kept. `owner` is an account; it sees with the owner's rights. */
export interface Watch extends WatchWish {
  readonly id: string;
  readonly owner: string;
  readonly paused: boolean;
  /** Why it paused by itself, in sentences; absent where somebody paused it. */
  readonly trouble?: string;
  readonly createdAt: Instant;
}

/** One visit of an issue that sat too long, of which somebody was told, or is to be told. */
export interface WatchAlert {
  readonly watchId: string;
  readonly key: string;
  /** When the visit began, or when the snooze of who was told of it ended: of each it is told once. */
  readonly since: Instant;
  readonly state: 'claimed' | 'told' | 'failed';
  /** The account that was told; null before. */
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
