import { millisecondsInDay } from 'date-fns/constants';
import { AppError, badRequest } from '../../model/error.ts';
import type { Principal } from '../../model/principal.ts';
import type { Snooze, Watch, WatchInput } from '../../model/watch.ts';
import { calendarOf } from '../../time/calendar.ts';
import { isTimeZone } from '../../time/zones.ts';
import { calendarById } from '../settings/settings-in-use.ts';
import type { SnoozeWish, WatchesApi } from '../watches.ts';
import { snoozeEnd } from './notification-hours.ts';
import { overdueVisits, type WatchesParts, wasEverMet, whyNoStatus } from './overdue-visits.ts';
import { createWatchWorker, type WatchWorker } from './watch-worker.ts';

/** A person's watches are for them; more than so many cannot be followed. */
const MOST_OWN = 50;
/** Of what sits too long when a watch begins, people are notified of so many: more would be noise of long ago. */
const TOLD_AT_FIRST = 3;

/** Watches, and the work that is done for them beside answering. */
type Watches = WatchesApi & WatchWorker;

/** Watches over the store. */
export function createWatches(parts: WatchesParts): Watches {
  return { ...ownWatches(parts), ...createWatchWorker(parts) };
}

/** Keeping and changing watches, each with the rights of who asks. */
function ownWatches(parts: WatchesParts): WatchesApi {
  const { store, now, newId } = parts;

  async function get(principal: Principal, id: string): Promise<Watch> {
    const watch = await store.get(id);
    if (watch === null || !mayChange(principal, watch)) throw unknown(id);
    return watch;
  }

  async function putPaused(principal: Principal, id: string, paused: boolean): Promise<Watch> {
    await get(principal, id);
    const changed = await store.change(id, ({ trouble: _, ownerTold: _told, ...kept }) => ({
      ...kept,
      paused,
    }));
    if (changed === null) throw unknown(id);
    return changed;
  }

  /** What the calendar of a watch is called now; null: every hour counts. */
  async function nameOf({ calendar }: Pick<Watch, 'calendar'>): Promise<string | null> {
    const definition = await calendarById(calendar, parts);
    return definition === null || calendarOf(definition).continuous ? null : definition.name;
  }

  /** A watch that told an account something. */
  async function watchThatTold(
    watchId: string,
    account: string,
    visit: Pick<Snooze, 'key' | 'since'> | null,
  ): Promise<Watch> {
    const watch = await store.get(watchId);
    const alerts = await store.alerts(watchId);
    const wasTold = alerts.some(
      (one) =>
        one.account === account && (visit === null || (one.key === visit.key && one.since >= visit.since)),
    );
    if (watch !== null && wasTold) return watch;
    throw new AppError(
      'not-found',
      visit === null
        ? 'The watch that told you that is gone, so you hear no more of it.'
        : `The watch that told you of ${visit.key} is gone, so you hear no more of it.`,
    );
  }

  return {
    get,
    async create({ account, principal }, wish) {
      await checkWatch(wish, principal, parts);
      const { overdue, visits, sinceUnknown } = await overdueVisits(wish, principal, parts);
      const everMet = visits.length > 0 || (await wasEverMet(wish, principal, parts));
      const calendarName = await nameOf(wish);
      const watch: Watch = {
        ...wish,
        id: newId(),
        owner: account,
        paused: false,
        createdAt: now(),
        calendarName,
      };
      const leftAlone = overdue.slice(TOLD_AT_FIRST).map(({ issue: { key, since } }) => ({ key, since }));
      if (!(await store.add(watch, MOST_OWN, leftAlone))) {
        throw new AppError('too-many', 'Too many watches', [
          `You have ${MOST_OWN} watches, and no more are allowed; delete one you do not need.`,
        ]);
      }
      const isUsual = wish.threshold.by === 'usual';
      return {
        watch,
        overdue,
        told: Math.min(overdue.length, TOLD_AT_FIRST),
        here: visits.length,
        usualUnknown: isUsual ? visits.filter(({ usual }) => usual === null).length : 0,
        sinceUnknown,
        everMet,
      };
    },
    async list(principal) {
      return (await store.list()).filter((watch) => mayChange(principal, watch));
    },
    pause: (principal, id) => putPaused(principal, id, true),
    resume: (principal, id) => putPaused(principal, id, false),
    async remove(principal, id) {
      await get(principal, id);
      if (!(await store.remove(id))) throw unknown(id);
    },
    async lastNotified(principal, id) {
      await get(principal, id);
      const told = (await store.alerts(id)).flatMap(({ key, account, toldAt }) =>
        account === null || toldAt === null ? [] : [{ key, at: toldAt }],
      );
      return told.toSorted((a, b) => b.at - a.at)[0] ?? null;
    },
    async snooze({ watchId, account, key, since, ends }: SnoozeWish) {
      const watch = await watchThatTold(watchId, account, { key, since });
      const calendar = await calendarById(watch.calendar, parts);
      const until = snoozeEnd(ends, { calendar, timeZone: watch.timeZone, now: now() });
      const snooze: Snooze = { account, key, since, until };
      await store.putSnooze(snooze);
      return snooze;
    },
    async mute(watchId, account) {
      await watchThatTold(watchId, account, null);
      const muted = await store.change(watchId, (kept) => ({
        ...kept,
        muted: [...new Set([...(kept.muted ?? []), account])],
      }));
      if (muted === null) throw unknown(watchId);
      return muted;
    },
  };
}

function mayChange({ account, rights }: Principal, { owner }: Watch): boolean {
  return rights === 'admin' || owner === account;
}

function unknown(id: string): AppError {
  return new AppError('not-found', `There is no watch '${id}', or it is not yours.`);
}

/** Two years; nobody waits longer to hear of something. */
const LONGEST_MS = 2 * 366 * millisecondsInDay;
const LONGEST_TITLE = 200;

/** Fails with a `bad-request` that names everything that is wrong with a wish. */
async function checkWatch(
  { title, status, threshold, calendar, timeZone }: WatchInput,
  principal: Principal,
  parts: Pick<WatchesParts, 'reporting' | 'settings' | 'tenant'>,
): Promise<void> {
  const problems: string[] = [];
  if (title.length > LONGEST_TITLE) {
    problems.push(`title has ${title.length} characters; allowed: ${LONGEST_TITLE}.`);
  }
  const noStatus = await whyNoStatus(status, principal, parts);
  if (noStatus !== null) problems.push(noStatus);
  if (threshold.by === 'time' && !(threshold.ms > 0 && threshold.ms <= LONGEST_MS)) {
    problems.push(`'${threshold.words}' is not allowed; allowed: more than nothing, and at most two years.`);
  }
  if ((await calendarById(calendar, parts)) === null) {
    problems.push(`calendar '${calendar}' is not known; allowed: the id of a calendar, or normalHours.`);
  }
  if (!isTimeZone(timeZone)) {
    problems.push(`timeZone '${timeZone}' is not an IANA time zone; allowed: names such as Europe/Berlin.`);
  }
  if (problems.length > 0) throw badRequest(...problems);
}
