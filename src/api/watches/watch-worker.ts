import { millisecondsInDay, millisecondsInHour, millisecondsInMinute } from 'date-fns/constants';
import { isDue } from '../../concurrency/clock-check.ts';
import { createLeasedWorker, type LeasedWorker, unobserved } from '../../concurrency/leased-worker.ts';
import type { Instant } from '../../model/issue.ts';
import type { Watch } from '../../model/watch.ts';
import type { ClaimedVisit } from '../../store/store.ts';
import { checkWatch } from './check-watch.ts';
import { createFindRecipient, isTransient, type WatchesParts, type WatchStore } from './recipients.ts';
import type { Reminder, ReminderGroup, ReminderVisit, WatchNotifier } from './watches-api.ts';

/** The time between two checks of the watches. */
const CHECK_EVERY_MS = 5 * millisecondsInMinute;
const FORGET_EVERY_MS = millisecondsInHour;
/** The time alerts are remembered at least. */
const REMEMBERED_MS = 90 * millisecondsInDay;
/** The pause after which an account is tried again that Slack refused to notify. */
const REFUSED_MS = millisecondsInHour;
/** Longer than a call of Slack may last: a process that claimed a visit before that has died. It is never renewed. */
const LEASE_MS = 2 * millisecondsInMinute;
/** The part of the lease that is left for the call. */
const CALL_MS = 60_000;
/** The time between two notifications of a person at least. */
const QUIET_MS = millisecondsInHour;
/** The watches that a message holds; more wait for the next one. */
const MAX_GROUPS = 8;

/** A reminder for one person, and its visits that no other process notifies them of before the lease is over. */
interface ClaimedReminder {
  readonly account: string;
  readonly claimedAt: Instant;
  readonly groups: readonly ReminderGroup[];
  readonly visits: readonly ClaimedVisit[];
}

/** Notifies people of overdue issues, by the notifier of its start; the clock calls it every minute. */
export function createWatchWorker(parts: WatchesParts): LeasedWorker<WatchNotifier> {
  const { store, now, newId, log, observer = unobserved } = parts;
  /** The instants since which alerts are still needed, by watch. */
  const needed = new Map<string, Instant>();
  const refusedAt = new Map<string, Instant>();
  /** The visits that people are to be notified of, by account. */
  const waiting = new Map<string, ReminderGroup[]>();
  let checkedAt: Instant | null = null;
  let forgotAt: Instant | null = null;
  /** Something has to be checked again soon. */
  let isLater = false;

  const isRefused = (account: string) => !isDue(now(), refusedAt.get(account) ?? null, REFUSED_MS);

  const worker = createLeasedWorker<ClaimedReminder, WatchNotifier>({
    holder: newId(),
    now,
    leaseMs: LEASE_MS,
    renewMs: null,
    concurrency: 1,
    log,
    name: 'a reminder',
    kind: 'alert',
    observer,
    idsOf: ({ account }) => ({ account }),
    async poll(takeUp, notifier) {
      if (!isDue(now(), checkedAt, CHECK_EVERY_MS)) return;
      checkedAt = now();
      isLater = false;
      waiting.clear();
      try {
        const all = await store.watches.list();
        await checkAll(all, notifier);
        await takeUp();
        if (!worker.stopping.aborted && isDue(now(), forgotAt, FORGET_EVERY_MS)) await forget(all);
      } finally {
        if (isLater) checkedAt = null;
      }
    },
    async claim() {
      for (const [account, groups] of waiting) {
        waiting.delete(account);
        const claimed = await claimFor(account, groups).catch((error) => {
          isLater = true;
          if (!worker.isOver()) log.warn({ err: error, account }, 'a person could not be notified yet');
          return null;
        });
        if (claimed !== null) return claimed;
      }
      return null;
    },
    renew: async () => true,
    async release() {
      isLater = true;
    },
    work: ({ item, door: notifier }) => notify(item, notifier),
  });

  /** Gathers all alerts in one go, so that a person is notified of all in one message. */
  async function checkAll(watches: readonly Watch[], notifier: WatchNotifier): Promise<void> {
    const findRecipient = createFindRecipient({ ...parts, notifier, isRefused });
    for (const watch of watches) {
      if (worker.stopping.aborted) return;
      try {
        const check = await checkWatch(watch, { ...parts, notifier, findRecipient });
        if (check === null) continue;
        needed.set(watch.id, check.neededSince);
        if (check.isLater) isLater = true;
        for (const [account, group] of check.groups) {
          waiting.set(account, [...(waiting.get(account) ?? []), group]);
        }
      } catch (error) {
        if (worker.isOver()) return;
        const facts = { err: error, watchId: watch.id };
        if (isTransient(error)) {
          isLater = true;
          log.warn(facts, 'a watch cannot be looked at yet');
        } else log.error(facts, 'looking at a watch failed');
      }
    }
  }

  /** Claims the visits one person is to be notified of now: in one message, and not within an hour of the last. */
  async function claimFor(
    account: string,
    groups: readonly ReminderGroup[],
  ): Promise<ClaimedReminder | null> {
    const claimedAt = now();
    const wanted = groups
      .slice(0, MAX_GROUPS)
      .flatMap(({ watch, visits }) =>
        visits.map(({ issue: { key }, dueSince }) => ({ watchId: watch.id, key, since: dueSince })),
      );
    const at = { now: claimedAt, stale: claimedAt - LEASE_MS, quietSince: claimedAt - QUIET_MS };
    const visits = await store.watchAlerts.claim(account, wanted, at);
    return visits === 'quiet' || visits.length === 0 ? null : { account, claimedAt, groups, visits };
  }

  /** Notifies one person of the claimed visits, at most once. An instant: it has to be tried again soon. */
  async function notify(
    { account, claimedAt, groups, visits }: ClaimedReminder,
    notifier: WatchNotifier,
  ): Promise<Instant | null> {
    const open: ClaimedVisit[] = [];
    for (const visit of visits) if (await isOpen(visit, account, notifier)) open.push(visit);
    if (open.length === 0) return null;
    const settle = (state: 'told' | 'free') => store.watchAlerts.settle(open, { state, account, at: now() });
    if (now() - claimedAt > LEASE_MS - CALL_MS) {
      // Others may take them for abandoned before they are sent.
      await settle('free');
      return now();
    }
    const sending = notifier.remind(reminderOf(groups, open), account);
    const outcome = await sending.catch(async (error: unknown) => {
      await settle('free');
      observer.ended('alert', 'failed');
      throw error;
    });
    await settle(outcome === 'sent' || outcome === 'unknown' ? 'told' : 'free');
    observer.ended('alert', outcome === 'sent' ? 'posted' : outcome);
    if (outcome !== 'refused') return outcome === 'later' ? now() : null;
    const isNew = !isRefused(account);
    refusedAt.set(account, now());
    // The owners are notified in their stead.
    return isNew && groups.some(({ watch }) => watch.owner !== account) ? now() : null;
  }

  /**
   * True if a visit is still to be sent. A process that claimed it and died may have sent it; if that is unknown, it is
   * not sent twice.
   */
  async function isOpen(visit: ClaimedVisit, account: string, notifier: WatchNotifier): Promise<boolean> {
    const { key, since, leftFor } = visit;
    if (leftFor === null) return true;
    try {
      if ((await notifier.wasReminded({ key, dueSince: since }, leftFor)) === false) return true;
      await store.watchAlerts.settle([visit], { state: 'told', account: leftFor, at: now() });
    } catch (error) {
      // It stays claimed, and is checked again.
      log.warn({ err: error, account, key }, 'it is not known yet whether a watch alert was posted');
    }
    return false;
  }

  /** Forgets alerts of long ago, of visits that are over. Of a watch that was not checked here all are needed. */
  async function forget(watches: readonly Watch[]): Promise<void> {
    forgotAt = now();
    const since = watches.map(({ id, createdAt, paused }) => (!paused && needed.get(id)) || createdAt);
    await forgetAlerts(store, Math.min(now() - REMEMBERED_MS, ...since));
  }

  return worker;
}

/** The claimed part of the groups. */
function reminderOf(groups: readonly ReminderGroup[], claimed: readonly ClaimedVisit[]): Reminder {
  const nameOf = (watchId: string, key: string, since: Instant) => `${watchId} ${key} ${since}`;
  const open = new Set(claimed.map(({ watchId, key, since }) => nameOf(watchId, key, since)));
  return groups.flatMap((group) => {
    const isOpen = ({ issue, dueSince }: ReminderVisit) =>
      open.has(nameOf(group.watch.id, issue.key, dueSince));
    const visits = group.visits.filter(isOpen);
    return visits.length === 0 ? [] : [{ ...group, visits }];
  });
}

/** Forgets alerts that were settled, and snoozes that ended, before an instant. */
async function forgetAlerts(
  { watchAlerts, snoozes }: Pick<WatchStore, 'watchAlerts' | 'snoozes'>,
  before: Instant,
): Promise<void> {
  await watchAlerts.forget(before);
  const ended = (await snoozes.list()).flat().filter(({ until }) => until < before);
  for (const account of new Set(ended.map((snooze) => snooze.account))) {
    await snoozes.change(account, (stored) => {
      const running = (stored ?? []).filter(({ until }) => until >= before);
      return running.length === 0 ? null : running;
    });
  }
}
