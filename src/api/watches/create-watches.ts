import { millisecondsInDay } from 'date-fns/constants';
import type { LeasedWorker } from '../../concurrency/leased-worker.ts';
import { AppError, badRequest, badRequestAs } from '../../model/error.ts';
import type { Instant } from '../../model/issue.ts';
import { projectKeyOf } from '../../model/issues/issue-fields.ts';
import { reportIds } from '../../model/report-ids.ts';
import { ask, defaultStatistic, type Principal } from '../../model/request.ts';
import type { Snooze, Watch, WatchAlert, WatchInput } from '../../model/watch.ts';
import { calendarOf } from '../../time/calendar.ts';
import { minuteText } from '../../time/date-text.ts';
import { daysLater, nextWorkingDay, weekdaysLater } from '../../time/working-days.ts';
import { isTimeZone } from '../../time/zones.ts';
import type { AgingIssue } from '../answers/aging/aging-answer.ts';
import { calendarById } from '../settings/settings-api.ts';
import { changeWatch, findOverdue, isNamed, statusError } from './check-watch.ts';
import type { WatchesParts, WatchStore } from './recipients.ts';
import { createWatchWorker } from './watch-worker.ts';
import type { SnoozeEnd, WatchesApi, WatchNotifier } from './watches-api.ts';

/** The watches one person can own; more cannot be followed. */
const MAX_OWN = 50;
/** The overdue visits that people are notified of when a watch begins: more would be noise of long ago. */
const NOTIFIED_AT_FIRST = 3;
/** Two years; no one waits longer for a notification. */
const MAX_MS = 2 * 366 * millisecondsInDay;
const MAX_TITLE = 200;

/** Watches over the store, and the work that is done for them beside answering. */
export function createWatches(parts: WatchesParts): WatchesApi & LeasedWorker<WatchNotifier> {
  const { store, now, newId } = parts;

  async function get(principal: Principal, id: string): Promise<Watch> {
    const watch = await store.watches.get(id);
    if (watch === null || !canChange(principal, watch)) throw unknownWatch(id);
    return watch;
  }

  async function putPaused(principal: Principal, id: string, paused: boolean): Promise<Watch> {
    await get(principal, id);
    const changed = await changeWatch(store, id, ({ trouble: _, ownerTold: __, ...watch }) => ({
      ...watch,
      paused,
    }));
    if (changed === null) throw unknownWatch(id);
    return changed;
  }

  /** A watch that notified an account, of a visit where one is given. */
  async function watchThatNotified(
    watchId: string,
    account: string,
    visit: Pick<Snooze, 'key' | 'since'> | null,
  ): Promise<Watch> {
    const watch = await store.watches.get(watchId);
    const own = (await store.watchAlerts.of(watchId)).filter((one) => one.account === account);
    const isOf = ({ key, since }: WatchAlert) =>
      visit === null || (key === visit.key && since >= visit.since);
    if (watch !== null && own.some(isOf)) return watch;
    const what = visit === null ? 'this' : visit.key;
    const sentence = `The watch that alerted you to ${what} is gone, so you get no more alerts from it.`;
    throw new AppError('unknown-watch', sentence, [], { data: { id: watchId } });
  }

  /** The end of a snooze: the same time of a later day by the clocks of the zone, however they change; null: never. */
  async function endOf(ends: SnoozeEnd, { calendar: id, timeZone }: Watch): Promise<Instant | null> {
    if (ends.by === 'instant') return ends.until;
    if (ends.by !== 'workingDays') return daysLater(ends.by === 'day' ? 1 : 7, now(), timeZone);
    const calendar = await calendarById(id, parts);
    // In a 24/7 calendar no one is notified on Saturdays and Sundays either.
    if (calendar === null || calendarOf(calendar).continuous)
      return weekdaysLater(ends.days, now(), timeZone);
    let at: Instant | null = now();
    for (let day = 0; day < ends.days && at !== null; day += 1) at = nextWorkingDay(calendar, at, timeZone);
    return at;
  }

  return {
    ...createWatchWorker(parts),
    get,
    async create({ owner, principal }, input) {
      const calendarName = await check(input, principal, parts);
      const { overdue, visits, sinceUnknown } = await findOverdue(input, principal, parts);
      const everObserved = visits.length > 0 || (await wasEverObserved(input, principal, parts));
      const [id, createdAt] = [newId(), now()];
      const facts = { id, owner: owner.account, paused: false, createdAt, calendarName };
      const watch: Watch = { ...input, ...facts };
      const others = overdue.slice(NOTIFIED_AT_FIRST);
      // First, so that no check finds the watch without them; those of a watch that never came are forgotten like others.
      await store.watchAlerts.leaveAlone(
        others.map(({ issue: { key }, since }) => ({ watchId: id, key, since })),
        createdAt,
      );
      const isOwn = (other: Watch) => other.owner === watch.owner;
      const added = await store.watches.change(id, (_, all) =>
        all.filter(isOwn).length < MAX_OWN ? watch : null,
      );
      if (added === null) {
        await store.watchAlerts.removeOf(id);
        const sentence = `You have ${MAX_OWN} watches, the most one person can own. Delete one you don't need.`;
        throw new AppError('too-many-watches', 'Too many watches', [sentence], { data: { most: MAX_OWN } });
      }
      const { by } = input.threshold;
      const isUnknown = ({ usual, target }: AgingIssue) => (by === 'target' ? target : usual) === null;
      return {
        watch,
        overdue,
        notified: Math.min(overdue.length, NOTIFIED_AT_FIRST),
        here: visits.length,
        withoutBaseline: by === 'time' ? 0 : visits.filter(isUnknown).length,
        sinceUnknown,
        everObserved,
      };
    },
    async coverage(principal, input) {
      await check(input, principal, parts);
      const { open, visits, overdue, sinceUnknown } = await findOverdue(input, principal, parts);
      const projects = [...new Set(open.map(projectKeyOf))].sort((a, b) => a.localeCompare(b, 'en'));
      const count = open.length + sinceUnknown;
      return { projects, open: count, here: visits.length, overdue: overdue.length };
    },
    async list(principal) {
      return (await store.watches.list()).filter((watch) => canChange(principal, watch));
    },
    pause: (principal, id) => putPaused(principal, id, true),
    resume: (principal, id) => putPaused(principal, id, false),
    async remove(principal, id) {
      await get(principal, id);
      let isThere = false;
      await store.watches.change(id, (stored) => {
        isThere = stored !== null;
        return null;
      });
      // Not before: a check of a watch without its alerts would begin them again.
      await store.watchAlerts.removeOf(id);
      if (!isThere) throw unknownWatch(id);
    },
    async lastNotified(principal, id) {
      await get(principal, id);
      const notified = (await store.watchAlerts.of(id)).flatMap(({ key, account, toldAt }) =>
        account === null || toldAt === null ? [] : [{ key, at: toldAt }],
      );
      return notified.toSorted((a, b) => b.at - a.at)[0] ?? null;
    },
    async snooze({ watchId, account, key, since, ends }) {
      const until = await endOf(ends, await watchThatNotified(watchId, account, { key, since }));
      assertSnoozeEnd(until, now());
      const snooze: Snooze = { account, key, since, until };
      await putSnooze(store, snooze);
      return snooze;
    },
    async startOver() {
      for (const { id } of await store.watches.list()) {
        // The other database notifies the owner of a watch that paused itself.
        await changeWatch(store, id, (watch) =>
          watch.paused ? { ...watch, ownerTold: { at: now(), done: true } } : { ...watch, startsOver: true },
        );
      }
    },
    async mute(watchId, account) {
      await watchThatNotified(watchId, account, null);
      const muted = await changeWatch(store, watchId, (watch) => {
        return { ...watch, muted: [...new Set(watch.muted).add(account)] };
      });
      if (muted === null) throw unknownWatch(watchId);
      return muted;
    },
  };
}

function canChange({ account, rights }: Principal, { owner }: Watch): boolean {
  return rights === 'admin' || owner === account;
}

function unknownWatch(id: string): AppError {
  return new AppError('unknown-watch', `There is no watch '${id}', or it is not yours.`, [], {
    data: { id },
  });
}

/** The name of a watch's calendar (null: 24/7); fails with a `bad-request` that names every problem. */
async function check(
  { title, status, threshold, calendar, timeZone }: WatchInput,
  principal: Principal,
  parts: Pick<WatchesParts, 'reporting' | 'settings' | 'tenant'>,
): Promise<string | null> {
  const definition = await calendarById(calendar, parts);
  const problems = [
    title.length > MAX_TITLE && `title has ${title.length} characters. Try: at most ${MAX_TITLE}.`,
    await statusError(status, principal, parts),
    threshold.by === 'time' &&
      !(threshold.ms > 0 && threshold.ms <= MAX_MS) &&
      `'${threshold.words}' is not allowed. Try: more than 0, at most two years.`,
    definition === null && `calendar '${calendar}' is not known. Try: the id of a calendar, or normalHours.`,
    !isTimeZone(timeZone) &&
      `timeZone '${timeZone}' is not an IANA time zone. Try: names such as Europe/Berlin.`,
  ].filter((problem) => typeof problem === 'string');
  if (definition === null || problems.length > 0) throw badRequest(...problems);
  return calendarOf(definition).continuous ? null : definition.name;
}

/** True if any issue of a selection that the principal can see was ever in the status; of a target, always. */
async function wasEverObserved(
  { selection, status, timeZone }: WatchInput,
  principal: Principal,
  { reporting }: Pick<WatchesParts, 'reporting'>,
): Promise<boolean> {
  if (status === null) return true;
  const statistic = { ...defaultStatistic, type: 'sum' } as const;
  const request = ask({ principal, reportType: reportIds.statusCount, selection, timeZone, statistic });
  const { statuses } = await reporting.report(request);
  return statuses.included.some(({ id, name }) => id === status.id || isNamed(name, status.name));
}

const MAX_SNOOZED_DAYS = 30;

/** Fails with a `bad-request` unless a snooze can end at an instant (null: never): within 30 days from now. */
export function assertSnoozeEnd(until: Instant | null, now: Instant): asserts until is Instant {
  if (until !== null && until > now && until <= now + MAX_SNOOZED_DAYS * millisecondsInDay) return;
  const end = until === null ? 'never' : minuteText(until);
  const sentence = `The end '${end}' is not allowed. Try: a time in the future, at most ${MAX_SNOOZED_DAYS} days from now.`;
  throw badRequestAs('invalid-value', sentence, { until });
}

/** Snoozes one visit, in place of an earlier snooze of it. */
export async function putSnooze({ snoozes }: Pick<WatchStore, 'snoozes'>, snooze: Snooze): Promise<void> {
  const { account, key, since } = snooze;
  await snoozes.change(account, (stored) => [
    ...(stored ?? []).filter((other) => other.key !== key || other.since !== since),
    snooze,
  ]);
}
