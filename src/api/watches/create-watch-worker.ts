import { millisecondsInHour, millisecondsInMinute } from 'date-fns/constants';
import { AppError } from '../../model/error.ts';
import type { Instant } from '../../model/issue.ts';
import type { Watch } from '../../model/watch.ts';
import { oneLookAtATime } from '../one-look-at-a-time.ts';
import type { NudgeGroup, WatchPostman } from '../watches.ts';
import { forgetTold } from './forget-told.ts';
import { type Look, type LookParts, lookAtWatch } from './look-at-watch.ts';
import { neededSince } from './needed-since.ts';
import { tellTrouble } from './pause-broken.ts';
import { tellHearer } from './tell-hearer.ts';
import type { WatchesParts } from './watches-parts.ts';
import { type Presence, whoIsThere } from './who-is-there.ts';

/** How often the watches are looked at, all in one go, so that a person is told of all in one message. */
const LOOK_EVERY_MS = 5 * millisecondsInMinute;
const FORGET_EVERY_MS = millisecondsInHour;
/** Whom Slack refused to tell is tried again then. */
const REFUSED_MS = millisecondsInHour;

/** Tells people of what sits too long, from a store that other processes look into as well. */
export interface WatchWorker {
  start(postman: WatchPostman): void;
  tick(): Promise<void>;
  stop(patienceMs: number): Promise<void>;
}

/** A worker that looks when it is called. */
export function createWatchWorker(parts: WatchesParts): WatchWorker {
  const { store, now, log } = parts;
  /** Since when what a watch told is still needed. */
  const needed = new Map<string, Instant>();
  const refusedAt = new Map<string, Instant>();
  let postman: WatchPostman | null = null;
  const looks = oneLookAtATime(() => (postman === null ? null : lookRound(postman)));
  let lookedAt: Instant | null = null;
  let forgotAt: Instant | null = null;
  /** Nothing may be asked of the store any more. */
  let isOver = false;

  // A clock may have been set back.
  const isDue = (last: Instant | null, every: number) => last === null || Math.abs(now() - last) >= every;
  const isRefused = (account: string) => !isDue(refusedAt.get(account) ?? null, REFUSED_MS);

  async function lookRound(opened: WatchPostman): Promise<void> {
    if (!isDue(lookedAt, LOOK_EVERY_MS)) return;
    lookedAt = now();
    let became: Look['became'] = 'done';
    try {
      const presences = new Map<string, Promise<Presence>>();
      const presenceOf = (user: string) => {
        const known = presences.get(user) ?? whoIsThere(user, parts);
        presences.set(user, known);
        return known;
      };
      const all = await store.list();
      const waiting = new Map<string, NudgeGroup[]>();
      for (const watch of all) {
        if (looks.stopping.aborted) return;
        const look = await lookAt(watch, { ...parts, postman: opened, presenceOf, isRefused });
        if (look === null) continue;
        if (look.became === 'later') became = 'later';
        for (const [account, group] of look.groups) {
          waiting.set(account, [...(waiting.get(account) ?? []), group]);
        }
      }
      for (const [account, groups] of waiting) {
        if (looks.stopping.aborted) return;
        if ((await tell(account, groups, opened)) === 'later') became = 'later';
      }
      if (isDue(forgotAt, FORGET_EVERY_MS)) {
        forgotAt = now();
        await forgetTold(all, needed, parts);
      }
    } catch (error) {
      if (!isOver) log.error({ err: error }, 'looking for what sits too long failed, and will be repeated');
    }
    if (became === 'later') lookedAt = null;
  }

  /** Null: it has nothing to tell. */
  async function lookAt(watch: Watch, lookParts: LookParts): Promise<Pick<Look, 'groups' | 'became'> | null> {
    try {
      if (watch.paused) {
        await tellTrouble(watch, lookParts);
        return null;
      }
      const look = await lookAtWatch(watch, lookParts);
      if (look === 'resting') return null;
      needed.set(watch.id, neededSince(watch, look.sight.visits, await store.alerts(watch.id), now()));
      return look;
    } catch (error) {
      if (isOver) return null;
      if (error instanceof AppError && ['unavailable', 'too-many'].includes(error.code)) {
        log.warn({ err: error, watchId: watch.id }, 'a watch cannot be looked at yet');
        return { groups: new Map(), became: 'later' };
      }
      log.error({ err: error, watchId: watch.id }, 'looking at a watch failed');
      return null;
    }
  }

  async function tell(
    account: string,
    groups: readonly NudgeGroup[],
    opened: WatchPostman,
  ): Promise<Look['became']> {
    try {
      const told = await tellHearer(account, groups, { ...parts, postman: opened });
      if (told !== 'refused') return told;
      const isNew = !isRefused(account);
      refusedAt.set(account, now());
      // The owners are told in their stead.
      return isNew && groups.some(({ watch }) => watch.owner !== account) ? 'later' : 'done';
    } catch (error) {
      if (!isOver) log.warn({ err: error, account }, 'somebody could not be told of a watch yet');
      return 'later';
    }
  }

  return {
    start(opened) {
      postman = opened;
    },
    tick: looks.tick,
    async stop(patienceMs) {
      await looks.stop(patienceMs);
      isOver = true;
    },
  };
}
