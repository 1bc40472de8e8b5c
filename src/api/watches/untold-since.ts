import type { AgingIssue } from '../../model/answer.ts';
import type { Instant } from '../../model/issue.ts';
import type { Snooze, WatchAlert } from '../../model/watch.ts';

/** A visit that lasts. */
type Visit = Pick<AgingIssue, 'key' | 'since'>;

/**
 * Since when a visit is to be told of: its begin, or the end of the last snooze of somebody who was told of it before that
 * end; null: it was told of since. What a watch told of a visit bears an instant that is not before its begin.
 */
export function untoldSince(
  visit: Visit,
  { alerts, snoozes, now }: Told & { readonly now: Instant },
): Instant | null {
  const own = alertsOf(visit, alerts);
  const ended = snoozesOf(visit, snoozes)
    .filter(({ account, until }) => until <= now && own.some((alert) => wasTold(alert, account, until)))
    .map(({ until }) => until);
  const since = Math.max(visit.since, ...ended);
  // Who claimed it may have died; the store knows.
  return own.some((alert) => alert.since >= since && alert.state !== 'claimed') ? null : since;
}

/** A watch that tells somebody only when their snooze has ended tells them once. */
function wasTold(alert: WatchAlert, account: string, before: Instant): boolean {
  return alert.account === account && alert.toldAt !== null && alert.toldAt < before;
}

/** Whether somebody wants to hear nothing of a visit for a while. */
export function isSnoozed(visit: Visit, account: string, { snoozes, now }: Told & { readonly now: Instant }) {
  return snoozesOf(visit, snoozes).some((one) => one.account === account && one.until > now);
}

/** What a watch told of a visit, or is about to tell. */
export function alertsOf({ key, since }: Visit, alerts: Told['alerts']): readonly WatchAlert[] {
  return (alerts.get(key) ?? []).filter((alert) => alert.since >= since);
}

/** What was told, and what is not to be, by the issue's key. */
export interface Told {
  readonly alerts: ReadonlyMap<string, readonly WatchAlert[]>;
  readonly snoozes: ReadonlyMap<string, readonly Snooze[]>;
}

/** Finds what is of an issue among very many. */
export function byKey<One extends { readonly key: string }>(all: readonly One[]): ReadonlyMap<string, One[]> {
  return Map.groupBy(all, ({ key }) => key);
}

function snoozesOf({ key, since }: Visit, snoozes: Told['snoozes']): readonly Snooze[] {
  return (snoozes.get(key) ?? []).filter((snooze) => snooze.since === since);
}
