import { millisecondsInDay } from 'date-fns/constants';
import type { AgingIssue } from '../../model/answer.ts';
import type { Instant } from '../../model/issue.ts';
import type { Snooze, Watch, WatchAlert } from '../../model/watch.ts';
import type { WatchesParts } from './overdue-visits.ts';

/** A visit that lasts. */
type Visit = Pick<AgingIssue, 'key' | 'since'>;

/**
 * Since when a visit is to be told of: its begin, or the end of the last snooze of a person who was told of it before that
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

/** A watch that notifies a person only when their snooze has ended does so once. */
function wasTold(alert: WatchAlert, account: string, before: Instant): boolean {
  return alert.account === account && alert.toldAt !== null && alert.toldAt < before;
}

/** Whether a person has snoozed a visit. */
export function isSnoozed(visit: Visit, account: string, { snoozes, now }: Told & { readonly now: Instant }) {
  return snoozesOf(visit, snoozes).some((one) => one.account === account && one.until > now);
}

/** What a watch sent of a visit, or is about to send. */
function alertsOf({ key, since }: Visit, alerts: Told['alerts']): readonly WatchAlert[] {
  return (alerts.get(key) ?? []).filter((alert) => alert.since >= since);
}

/** What was told, and what is not to be, by the issue's key. */
interface Told {
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

/** When the first was told of the visits that still last: forgotten, they would be told of again. */
export function neededSince(
  { createdAt }: Watch,
  visits: readonly Pick<AgingIssue, 'key' | 'since'>[],
  alerts: readonly WatchAlert[],
  now: Instant,
): Instant {
  const told = byKey(alerts);
  const lasting = visits.flatMap((visit) => alertsOf(visit, told));
  return lasting.reduce((first, { toldAt }) => Math.min(first, toldAt ?? createdAt), now);
}

/** How long what was told is remembered at least. */
const REMEMBERED_MS = 90 * millisecondsInDay;

/** Forgets what was told long ago, of visits that are over. Of a watch nobody has looked at all is `needed`. */
export async function forgetDelivered(
  watches: readonly Watch[],
  needed: ReadonlyMap<string, Instant>,
  { store, now }: Pick<WatchesParts, 'store' | 'now'>,
): Promise<void> {
  const since = watches.map(({ id, createdAt, paused }) =>
    paused ? createdAt : (needed.get(id) ?? createdAt),
  );
  await store.forget(Math.min(now() - REMEMBERED_MS, ...since));
}
