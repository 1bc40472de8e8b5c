import { AppError } from '../../model/error.ts';
import type { Snooze, Watch } from '../../model/watch.ts';
import { calendarNamed } from '../digests/calendar-named.ts';
import type { DigestAsker } from '../digests.ts';
import { createPacer } from '../local/pacer.ts';
import type { SnoozeWish, WatchesApi } from '../watches.ts';
import { checkWatchWish } from './check-watch-wish.ts';
import { overdueVisits } from './overdue-visits.ts';
import { snoozeEnd } from './snooze-end.ts';
import type { WatchesParts } from './watches-parts.ts';

/** Somebody's watches are for them; more than so many nobody can follow. */
const MOST_OWN = 50;
/** Of what sits too long when a watch begins, people are told of so many: more would be noise of long ago. */
const TOLD_AT_FIRST = 3;

/** Keeping and changing watches, each with the rights of who asks. */
export function ownWatches(parts: WatchesParts): WatchesApi {
  const { store, settings, now, newId } = parts;

  async function get(asker: DigestAsker, id: string): Promise<Watch> {
    const watch = await store.get(id);
    if (watch === null || !mayChange(asker, watch)) throw unknown(id);
    return watch;
  }

  async function putPaused(asker: DigestAsker, id: string, paused: boolean): Promise<Watch> {
    await get(asker, id);
    const changed = await store.change(id, ({ trouble: _, ...kept }) => ({ ...kept, paused }));
    if (changed === null) throw unknown(id);
    return changed;
  }

  return {
    get,
    async create({ account, asker }, wish) {
      await checkWatchWish(wish, asker, parts);
      const { overdue } = await overdueVisits(wish, asker, parts);
      const id = newId();
      // Nobody looks before it is known what is left alone.
      const watch: Watch = { ...wish, id, owner: account, paused: true, createdAt: now() };
      if (!(await store.add(watch, MOST_OWN))) {
        throw new AppError('too-many', 'Too many watches', [
          `You have ${MOST_OWN} watches, and no more are allowed; delete one you do not need.`,
        ]);
      }
      const pace = createPacer();
      for (const { issue } of overdue.slice(TOLD_AT_FIRST)) {
        await pace();
        const at = now();
        await store.claim(id, issue.key, issue.since, at, at);
        await store.settle(id, issue.key, issue.since, { state: 'told', account: null, at });
      }
      const begun = await store.change(id, (kept) => ({ ...kept, paused: false }));
      return { watch: begun ?? watch, overdue, told: Math.min(overdue.length, TOLD_AT_FIRST) };
    },
    async list(asker) {
      return (await store.list()).filter((watch) => mayChange(asker, watch));
    },
    pause: (asker, id) => putPaused(asker, id, true),
    resume: (asker, id) => putPaused(asker, id, false),
    async remove(asker, id) {
      await get(asker, id);
      if (!(await store.remove(id))) throw unknown(id);
    },
    async lastTold(asker, id) {
      await get(asker, id);
      const told = (await store.alerts(id)).flatMap(({ key, account, toldAt }) =>
        account === null || toldAt === null ? [] : [{ key, at: toldAt }],
      );
      return told.toSorted((a, b) => b.at - a.at)[0] ?? null;
    },
    async snooze({ watchId, account, key, since, ends }: SnoozeWish) {
      const watch = await store.get(watchId);
      const alerts = await store.alerts(watchId);
      const wasTold = alerts.some((one) => one.key === key && one.account === account && one.since >= since);
      if (watch === null || !wasTold) {
        throw new AppError(
          'not-found',
          `The watch that told you of ${key} is gone, so you hear no more of it.`,
        );
      }
      const calendar = await calendarNamed(watch.calendar, settings);
      const until = snoozeEnd(ends, { calendar, timeZone: watch.timeZone, now: now() });
      const snooze: Snooze = { account, key, since, until };
      await store.putSnooze(snooze);
      return snooze;
    },
  };
}

function mayChange({ account, admin }: DigestAsker, { owner }: Watch): boolean {
  return admin || owner === account;
}

function unknown(id: string): AppError {
  return new AppError('not-found', `There is no watch '${id}', or it is not yours.`);
}
