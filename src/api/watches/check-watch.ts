import { millisecondsInHour } from 'date-fns/constants';
import { createYieldIfDue } from '../../concurrency/cooperative-yield.ts';
import { AppError } from '../../model/error.ts';
import type { Instant } from '../../model/issue.ts';
import type { Principal } from '../../model/request.ts';
import { OF_TARGET, type Snooze, type Threshold, type Watch, type WatchInput } from '../../model/watch.ts';
import { calendarOf } from '../../time/calendar.ts';
import { isAtWork, weekdayHours } from '../../time/working-days.ts';
import type { AgingIssue } from '../answers/aging/aging-answer.ts';
import { isStarted } from '../outcomes/issue-flow.ts';
import { calendarById } from '../settings/settings-api.ts';
import { type FindRecipient, lastingProblem, type WatchesParts, type WatchStore } from './recipients.ts';
import type { Overdue, ReminderGroup, ReminderVisit, WatchNotifier } from './watches-api.ts';

/** The time after which an owner who could not be notified is to be notified again. */
const AGAIN_MS = millisecondsInHour;

/** The issues that a watch covers. */
interface WatchFindings extends Pick<ReminderGroup, 'calendar' | 'asOf' | 'dataAsOf'> {
  /** Open issues of its selection, in any status, where the begin of the visit is known. */
  readonly open: readonly AgingIssue[];
  /** Issues in its status, where the begin of the visit is known; of a target, those that are started. */
  readonly visits: readonly AgingIssue[];
  /** The visits that last for too long, or the issues that missed their target, furthest beyond first. */
  readonly overdue: readonly Overdue[];
  /** The number of open issues of whose visit the begin is unknown. */
  readonly sinceUnknown: number;
}

/** The issues a watch covers, with the rights of the principal. Visits whose begin a cut history hides are never overdue. */
export async function findOverdue(
  { selection, status, threshold, calendar, timeZone }: WatchInput,
  principal: Principal,
  { ages }: Pick<WatchesParts, 'ages'>,
): Promise<WatchFindings> {
  const { value, asOf } = await ages(principal, { selection, calendar, timeZone });
  const { issues, ageUnknown: unknown, provenance } = value;
  const weekdays = threshold.by === 'time' && threshold.weekdays ? calendarOf(weekdayHours(timeZone)) : null;
  const isCovered = ({ status: { id, name: title, kind } }: AgingIssue) =>
    // By id, as a status may have another name by now; by name, as projects may have one each of the same name.
    status === null ? isStarted(kind) : id === status.id || isNamed(title, status.name);
  const visits = issues
    .filter(isCovered)
    .map((issue) => (weekdays === null ? issue : { ...issue, ageMs: weekdays.between(issue.since, asOf) }));
  const beyond = (one: Overdue) => lastedMs(one, threshold) - one.thresholdMs;
  const overdue = visits
    .flatMap((issue): Overdue[] => {
      const thresholdMs = thresholdOf(issue, threshold);
      return thresholdMs === null ? [] : [{ issue, since: alertedSince(issue, threshold), thresholdMs }];
    })
    .filter((one) => beyond(one) > 0)
    .toSorted((a, b) => beyond(b) - beyond(a));
  const { calendar: used, dataAsOf } = provenance;
  const facts = { calendar: weekdays ?? used, asOf, dataAsOf };
  return { open: issues, visits, overdue, sinceUnknown: unknown.length, ...facts };
}

function thresholdOf({ usual, target }: AgingIssue, threshold: Threshold): number | null {
  if (threshold.by === 'time') return threshold.ms;
  return (threshold.by === 'usual' ? usual?.p85Ms : target?.withinMs) ?? null;
}

/** The time (working ms) that is compared with a threshold: in the status, or since the start where it is a target. */
function lastedMs({ issue }: Pick<Overdue, 'issue'>, { by }: Threshold): number {
  return by === 'target' ? (issue.workMs ?? 0) : issue.ageMs;
}

function alertedSince({ since }: AgingIssue, { by }: Threshold): Instant {
  return by === 'target' ? OF_TARGET : since;
}

/** True if two names of a status are the same, however they are capitalized. */
export function isNamed(name: string, wanted: string): boolean {
  return name.toLowerCase() === wanted.toLowerCase();
}

/** The reason nothing can be overdue in a status, in a sentence; null where something can. */
export async function statusError(
  status: WatchInput['status'],
  principal: Principal,
  { reporting }: Pick<WatchesParts, 'reporting'>,
): Promise<string | null> {
  if (status === null) return null;
  const { id, name } = status;
  const all = await reporting.statuses(principal);
  // A tracker that has not been read yet has no statuses.
  if (all.length === 0) return null;
  const meant = all.filter((one) => one.id === id || isNamed(one.name, name));
  if (meant.length === 0) return `The status '${name}' no longer exists, or you can't see it.`;
  if (meant.every(({ deleted }) => deleted)) return `The status '${name}' was deleted in the tracker.`;
  if (meant.some(({ category, deleted }) => category !== 'Done' && !deleted)) return null;
  return `Work in '${name}' is already done. Choose a status in which work isn't done yet.`;
}

interface WatchCheck {
  /** The visits that people are to be notified of, by account. */
  readonly groups: ReadonlyMap<string, ReminderGroup>;
  /** Some recipients could not be found out yet. */
  readonly isLater: boolean;
  /** The instant since which its alerts are still needed: forgotten, they would be sent again. */
  readonly neededSince: Instant;
}

type CheckParts = WatchesParts & {
  readonly notifier: WatchNotifier;
  readonly findRecipient: FindRecipient;
};

/** Checks one watch. Null: no one is notified at this hour, or it is paused, perhaps by itself as it cannot work. */
export async function checkWatch(watch: Watch, parts: CheckParts): Promise<WatchCheck | null> {
  const { notifier, now } = parts;
  if (watch.paused) return notifyOfTrouble(watch, parts);
  const calendar = await calendarById(watch.calendar, parts);
  if (calendar === null) {
    return pauseBroken(watch, `The calendar '${watch.calendarName ?? watch.calendar}' is gone.`, parts);
  }
  const { startsOver = false } = watch;
  if (!startsOver && !isAtWork(calendarOf(calendar), watch.timeZone, now())) return null;
  const principal = await notifier.principalOf(watch.owner);
  if (principal === null) return pauseBroken(watch, 'Its owner is no longer active here.', parts);
  const problem = await statusError(watch.status, principal, parts);
  if (problem !== null) return pauseBroken(watch, problem, parts);
  const found = await findOverdue(watch, principal, parts).catch(lastingProblem);
  if (!(found instanceof AppError)) {
    return startsOver ? leaveAlone(watch, found, parts) : remindersOf(watch, found, parts);
  }
  const { message, details } = found;
  return pauseBroken(watch, details.length > 0 ? details.join(' ') : message, parts);
}

/** Ends alerts about issues that are overdue now. */
async function leaveAlone(
  { id }: Watch,
  { overdue }: WatchFindings,
  { store, now }: CheckParts,
): Promise<null> {
  const history = await alertHistory(id, { store, now });
  const visits = overdue.flatMap(({ issue: { key }, since: begin }) => {
    const since = history.dueSince({ key, since: begin });
    return since === null ? [] : [{ watchId: id, key, since }];
  });
  await store.watchAlerts.leaveAlone(visits, now());
  await changeWatch(store, id, ({ startsOver: _, ...watch }) => watch);
  return null;
}

/** The reminders of a watch. A person whose availability cannot be found out keeps no one else from being notified. */
async function remindersOf(
  watch: Watch,
  { visits, overdue, calendar, asOf, dataAsOf }: WatchFindings,
  { store, now, log, findRecipient }: CheckParts,
): Promise<WatchCheck> {
  const history = await alertHistory(watch.id, { store, now });
  const byAccount = new Map<string, ReminderVisit[]>();
  const pace = createYieldIfDue();
  let isLater = false;
  for (const one of overdue) {
    await pace();
    const { issue, since } = one;
    const visit = { key: issue.key, since };
    const dueSince = history.dueSince(visit);
    if (dueSince === null) continue;
    try {
      const { account, why } = await findRecipient(watch, issue);
      if (history.isSnoozed(issue, account)) continue;
      const own = byAccount.get(account) ?? [];
      own.push({ ...one, why, dueSince });
      byAccount.set(account, own);
    } catch (error) {
      isLater = true;
      const facts = { err: error, watchId: watch.id, key: issue.key };
      log.warn(facts, 'the recipients of an alert are not known yet');
    }
  }
  const groups = new Map<string, ReminderGroup>();
  for (const [account, own] of byAccount)
    groups.set(account, { watch, visits: own, calendar, asOf, dataAsOf });
  const sent = visits.flatMap((issue) =>
    history.alertsOf({ key: issue.key, since: alertedSince(issue, watch.threshold) }),
  );
  const neededSince = sent.reduce((first, { toldAt }) => Math.min(first, toldAt ?? watch.createdAt), now());
  return { groups, isLater, neededSince };
}

type Visit = Pick<AgingIssue, 'key' | 'since'>;

/** The alerts of a watch and the snoozes, by visits. */
async function alertHistory(watchId: string, { store, now }: Pick<WatchesParts, 'store' | 'now'>) {
  const alertsByKey = Map.groupBy(await store.watchAlerts.of(watchId), ({ key }) => key);
  const snoozesByKey = Map.groupBy((await store.snoozes.list()).flat(), ({ key }) => key);
  const at = now();
  // An alert of a visit has an instant that is not before its begin.
  const alertsOf = ({ key, since }: Visit) =>
    (alertsByKey.get(key) ?? []).filter((alert) => alert.since >= since);
  const snoozesOf = ({ key, since }: Visit) =>
    (snoozesByKey.get(key) ?? []).filter((snooze) => snooze.since === since);
  return {
    alertsOf,
    /**
     * The instant since which a reminder is due: the begin of the visit, or the end of the last snooze of a person who was
     * notified before that end; null: it was sent since. A person who is notified only after a snooze is notified once.
     */
    dueSince(visit: Visit): Instant | null {
      const own = alertsOf(visit);
      const wasNotified = ({ account, until }: Snooze) =>
        own.some((alert) => alert.account === account && alert.toldAt !== null && alert.toldAt < until);
      const ended = snoozesOf(visit).filter((snooze) => snooze.until <= at && wasNotified(snooze));
      const since = Math.max(visit.since, ...ended.map(({ until }) => until));
      // The process that claimed it may have died; the store knows.
      return own.some((alert) => alert.since >= since && alert.state !== 'claimed') ? null : since;
    },
    /** A person who snoozes the stay of an issue, or its target, is not alerted to the issue by either. */
    isSnoozed: ({ key, since }: Visit, account: string) =>
      [since, OF_TARGET]
        .flatMap((begin) => snoozesOf({ key, since: begin }))
        .some((snooze) => snooze.account === account && snooze.until > at),
  };
}

/** Pauses a watch that cannot work, and notifies its owner. */
async function pauseBroken({ id }: Watch, trouble: string, parts: CheckParts): Promise<null> {
  const paused = await changeWatch(parts.store, id, (watch) =>
    watch.paused ? watch : { ...watch, paused: true, trouble },
  );
  return paused === null ? null : notifyOfTrouble(paused, parts);
}

/** Notifies the owner of a watch that paused itself, once; of several processes one does. */
async function notifyOfTrouble(watch: Watch, { store, now, notifier }: CheckParts): Promise<null> {
  const isOpen = ({ paused, trouble, ownerTold }: Watch) =>
    paused &&
    trouble !== undefined &&
    (ownerTold === undefined || (!ownerTold.done && Math.abs(now() - ownerTold.at) >= AGAIN_MS));
  if (!isOpen(watch)) return null;
  let isOurs = false;
  const claimed = await changeWatch(store, watch.id, (stored) => {
    isOurs = isOpen(stored);
    return isOurs ? { ...stored, ownerTold: { at: now(), done: false } } : stored;
  });
  if (!isOurs || claimed === null || !(await notifier.notifyOwner(claimed))) return null;
  await changeWatch(store, watch.id, (stored) =>
    stored.trouble === undefined ? stored : { ...stored, ownerTold: { at: now(), done: true } },
  );
  return null;
}

/** Changes a watch in one transaction; null where there is none. */
export function changeWatch(
  { watches }: Pick<WatchStore, 'watches'>,
  id: string,
  change: (stored: Watch) => Watch,
): Promise<Watch | null> {
  return watches.change(id, (stored) => (stored === null ? null : change(stored)));
}
