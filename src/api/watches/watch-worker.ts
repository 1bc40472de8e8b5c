import { millisecondsInHour, millisecondsInMinute } from 'date-fns/constants';
import { isDue } from '../../concurrency/clock-check.ts';
import { createLeasedWorker } from '../../concurrency/leased-worker.ts';
import { AppError } from '../../model/error.ts';
import type { Instant } from '../../model/issue.ts';
import type { Watch } from '../../model/watch.ts';
import type { NudgeGroup, WatchNotifier } from './watches-api.ts';
import { forgetDelivered, neededSince } from './delivery-log.ts';
import { type LookParts, lookAtWatch, notifyOfTrouble, type WatchLook } from './check-watch.ts';
import { type ClaimedNudge, claimNudge, NUDGE_LEASE_MS, notifyRecipient } from './notify-recipient.ts';
import type { WatchesParts } from './overdue-visits.ts';
import { type Availability, whoIsThere } from './recipients.ts';

/** How often the watches are looked at. */
const LOOK_EVERY_MS = 5 * millisecondsInMinute;
const FORGET_EVERY_MS = millisecondsInHour;
/** Whom Slack does not let us notify is tried again then. */
const REFUSED_MS = millisecondsInHour;

/** Notifies people of what sits too long, from a store that other processes look into as well. */
export interface WatchWorker {
  /** From now on people are notified of what sits too long. */
  start(notifier: WatchNotifier): void;
  /** Called by the clock, every minute; one call at a time looks. Failures are logged, never thrown. */
  tick(): Promise<void>;
  /** Looks at nothing new, and lets go of what is under way within `patienceMs`. */
  stop(patienceMs: number): Promise<void>;
}

/** A worker that looks when it is called. */
export function createWatchWorker(parts: WatchesParts): WatchWorker {
  const { store, now, newId, log } = parts;
  /** Since when what a watch told is still needed. */
  const needed = new Map<string, Instant>();
  const refusedAt = new Map<string, Instant>();
  /** What people are to be notified of, by account. */
  const waiting = new Map<string, NudgeGroup[]>();
  let notifier: WatchNotifier | null = null;
  let lookedAt: Instant | null = null;
  let forgotAt: Instant | null = null;
  /** Something has to be looked at again soon. */
  let isLater = false;

  const isRefused = (account: string) => !isDue(now(), refusedAt.get(account) ?? null, REFUSED_MS);

  const worker = createLeasedWorker<ClaimedNudge>({
    ...{ holder: newId(), now, leaseMs: NUDGE_LEASE_MS, renewMs: null, concurrency: 1 },
    async look(takeUp) {
      if (notifier === null || !isDue(now(), lookedAt, LOOK_EVERY_MS)) return;
      lookedAt = now();
      isLater = false;
      waiting.clear();
      try {
        const all = await store.list();
        await lookAtAll(all, notifier);
        await takeUp();
        if (!worker.stopping.aborted && isDue(now(), forgotAt, FORGET_EVERY_MS)) {
          forgotAt = now();
          await forgetDelivered(all, needed, parts);
        }
      } finally {
        if (isLater) lookedAt = null;
      }
    },
    async claim() {
      for (const [account, groups] of waiting) {
        waiting.delete(account);
        try {
          const claimed = await claimNudge(account, groups, parts);
          if (claimed !== null) return claimed;
        } catch (error) {
          notNotified(account, error);
        }
      }
      return null;
    },
    renew: async () => true,
    async work({ item }) {
      if (notifier !== null) await notify(item, notifier);
      return null;
    },
    onUnrenewed: () => {},
    onProblem(error, claimed) {
      if (claimed === null)
        log.error({ err: error }, 'looking for what sits too long failed, and will be repeated');
      else notNotified(claimed.account, error);
    },
  });

  /** Gathers what is to be sent, all in one go, so that a person is notified of all in one message. */
  async function lookAtAll(watches: readonly Watch[], opened: WatchNotifier): Promise<void> {
    const presences = new Map<string, Promise<Availability>>();
    const presenceOf = (user: string) => {
      const known = presences.get(user) ?? whoIsThere(user, parts);
      presences.set(user, known);
      return known;
    };
    for (const watch of watches) {
      if (worker.stopping.aborted) return;
      const look = await lookAt(watch, { ...parts, notifier: opened, presenceOf, isRefused });
      if (look === null) continue;
      if (look.became === 'later') isLater = true;
      for (const [account, group] of look.groups) {
        waiting.set(account, [...(waiting.get(account) ?? []), group]);
      }
    }
  }

  /** Null: it has nothing to send. */
  async function lookAt(
    watch: Watch,
    lookParts: LookParts,
  ): Promise<Pick<WatchLook, 'groups' | 'became'> | null> {
    try {
      if (watch.paused) {
        await notifyOfTrouble(watch, lookParts);
        return null;
      }
      const look = await lookAtWatch(watch, lookParts);
      if (look === 'resting') return null;
      needed.set(watch.id, neededSince(watch, look.sight.visits, await store.alerts(watch.id), now()));
      return look;
    } catch (error) {
      if (worker.isOver()) return null;
      if (error instanceof AppError && ['unavailable', 'too-many'].includes(error.code)) {
        log.warn({ err: error, watchId: watch.id }, 'a watch cannot be looked at yet');
        return { groups: new Map(), became: 'later' };
      }
      log.error({ err: error, watchId: watch.id }, 'looking at a watch failed');
      return null;
    }
  }

  async function notify(claimed: ClaimedNudge, opened: WatchNotifier): Promise<void> {
    const { account, groups } = claimed;
    const became = await notifyRecipient(claimed, { ...parts, notifier: opened });
    if (became === 'later') isLater = true;
    if (became !== 'refused') return;
    const isNew = !isRefused(account);
    refusedAt.set(account, now());
    // The owners are notified in their stead.
    if (isNew && groups.some(({ watch }) => watch.owner !== account)) isLater = true;
  }

  function notNotified(account: string, error: unknown): void {
    isLater = true;
    if (!worker.isOver()) log.warn({ err: error, account }, 'a person could not be notified of a watch yet');
  }

  return {
    start(opened) {
      notifier = opened;
    },
    tick: worker.tick,
    stop: worker.stop,
  };
}
