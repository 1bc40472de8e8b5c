import { millisecondsInHour } from 'date-fns/constants';
import { createYieldIfDue } from '../../concurrency/cooperative-yield.ts';
import { AppError } from '../../model/error.ts';
import type { Instant } from '../../model/issue.ts';
import type { Watch } from '../../model/watch.ts';
import { calendarOf } from '../../time/calendar.ts';
import { isAtWork } from '../../time/working-days.ts';
import { calendarById } from '../settings/settings-in-use.ts';
import type { NudgedVisit, NudgeGroup, WatchNotifier } from '../watches.ts';
import { byKey, isSnoozed, untoldSince } from './delivery-log.ts';
import { overdueVisits, type WatchesParts, type WatchFindings, whyNoStatus } from './overdue-visits.ts';
import { type RecipientParts, recipientOf } from './recipients.ts';

/** What a look takes. */
export interface LookParts extends WatchesParts, Pick<RecipientParts, 'presenceOf' | 'isRefused'> {
  readonly notifier: WatchNotifier;
}

/** What a watch saw, and whom it has to tell what, by account. `later`: of some it has to be found out again soon. */
export interface WatchLook {
  readonly sight: WatchFindings;
  readonly groups: ReadonlyMap<string, NudgeGroup>;
  readonly became: 'done' | 'later';
}

/** Looks at one watch. `resting`: nobody is told at this hour, or it cannot work and has paused. */
export async function lookAtWatch(watch: Watch, parts: LookParts): Promise<WatchLook | 'resting'> {
  const { notifier, now } = parts;
  const calendar = await calendarById(watch.calendar, parts);
  if (calendar === null) {
    await pauseBroken(watch, `The calendar '${watch.calendarName ?? watch.calendar}' is gone.`, parts);
    return 'resting';
  }
  if (!isAtWork(calendarOf(calendar), watch.timeZone, now())) return 'resting';
  const principal = await notifier.principalOf(watch.owner);
  if (principal === null) {
    await pauseBroken(watch, 'Its owner does not work here any more.', parts);
    return 'resting';
  }
  const trouble = await whyNoStatus(watch.status, principal, parts);
  const sight = trouble === null ? await overdueVisits(watch, principal, parts).catch(whyNot) : trouble;
  if (typeof sight === 'string') {
    await pauseBroken(watch, sight, parts);
    return 'resting';
  }
  return { sight, ...(await nudgesOf(watch, sight, parts)) };
}

/** One person about whom nothing can be found out keeps nobody else from being told. */
async function nudgesOf(
  watch: Watch,
  sight: WatchFindings,
  parts: LookParts,
): Promise<Omit<WatchLook, 'sight'>> {
  const { store, now, log } = parts;
  const { calendar, asOf, dataAsOf } = sight;
  const alerts = byKey(await store.alerts(watch.id));
  const told = { alerts, snoozes: byKey(await store.snoozes()), now: now() };
  const byAccount = new Map<string, NudgedVisit[]>();
  const pace = createYieldIfDue();
  let became: WatchLook['became'] = 'done';
  for (const overdue of sight.overdue) {
    await pace();
    const { issue } = overdue;
    const since = untoldSince(issue, told);
    if (since === null) continue;
    try {
      const { account, why } = await recipientOf(watch, issue, parts);
      if (isSnoozed(issue, account, told)) continue;
      const visits = byAccount.get(account) ?? [];
      visits.push({ ...overdue, why, untoldSince: since });
      byAccount.set(account, visits);
    } catch (error) {
      log.warn(
        { err: error, watchId: watch.id, key: issue.key },
        'who is to be told cannot be found out yet',
      );
      became = 'later';
    }
  }
  const groups = [...byAccount].map(
    ([account, visits]) => [account, { watch, visits, calendar, asOf, dataAsOf }] as const,
  );
  return { groups: new Map(groups), became };
}

/** What passes by itself. */
const passing: readonly string[] = ['unavailable', 'too-many'];

/** What an owner has to put right; everything else may pass, or is a bug of ours. */
function whyNot(error: unknown): string {
  if (!(error instanceof AppError) || passing.includes(error.code)) throw error;
  return error.details.length > 0 ? error.details.join(' ') : error.message;
}

/** How long after an owner could not be told they are to be told again. */
const AGAIN_MS = millisecondsInHour;

/** What telling an owner takes. */
type OwnerParts = Pick<WatchesParts, 'store' | 'now'> & {
  readonly notifier: Pick<WatchNotifier, 'notifyOwner'>;
};

/** Pauses a watch that cannot work, and notifies its owner. */
async function pauseBroken({ id }: Watch, trouble: string, parts: OwnerParts): Promise<void> {
  const paused = await parts.store.change(id, (kept) =>
    kept.paused ? kept : { ...kept, paused: true, trouble },
  );
  if (paused !== null) await notifyOfTrouble(paused, parts);
}

/** Notifies the owner of a watch that paused itself, once; of several processes one does. */
export async function notifyOfTrouble(watch: Watch, { store, now, notifier }: OwnerParts): Promise<void> {
  if (!isUntold(watch, now())) return;
  let isOurs = false;
  const claimed = await store.change(watch.id, (kept) => {
    isOurs = isUntold(kept, now());
    return isOurs ? { ...kept, ownerTold: { at: now(), done: false } } : kept;
  });
  if (!isOurs || claimed === null || (await notifier.notifyOwner(claimed)) === 'later') return;
  await store.change(watch.id, (kept) =>
    kept.trouble === undefined ? kept : { ...kept, ownerTold: { at: now(), done: true } },
  );
}

function isUntold({ paused, trouble, ownerTold }: Watch, now: Instant): boolean {
  if (!paused || trouble === undefined) return false;
  return ownerTold === undefined || (!ownerTold.done && Math.abs(now - ownerTold.at) >= AGAIN_MS);
}
