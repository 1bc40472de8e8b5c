import { millisecondsInHour, millisecondsInMinute } from 'date-fns/constants';
import type { Instant } from '../../model/issue.ts';
import type { ClaimedVisit } from '../../store/job-stores.ts';
import type { Nudge, NudgeGroup, WatchNotifier } from './watches-api.ts';
import type { WatchesParts } from './overdue-visits.ts';

/** Longer than a call of Slack may last: who claimed a visit before that has died. It is never renewed. */
export const NUDGE_LEASE_MS = 2 * millisecondsInMinute;
/** So much of that is left for the call. */
const CALL_MS = 60_000;
/** Nobody hears of watches more often. */
const QUIET_MS = millisecondsInHour;
/** More watches than a message holds wait for the next one. */
const MOST_GROUPS = 8;

/** What notifying takes. */
type NotifyingParts = Pick<WatchesParts, 'store' | 'now' | 'log'> & { readonly notifier: WatchNotifier };

/** Visits that this process notifies one person of, and no other does before the lease is over. */
export interface ClaimedNudge {
  readonly account: string;
  readonly claimedAt: Instant;
  /** All that waits for them. */
  readonly groups: readonly NudgeGroup[];
  /** Of that, what is claimed. */
  readonly visits: readonly ClaimedVisit[];
}

/** Claims what one person is to be told of now: in one message, and not within an hour of the last. Null: nothing. */
export async function claimNudge(
  account: string,
  waiting: readonly NudgeGroup[],
  { store, now }: Pick<WatchesParts, 'store' | 'now'>,
): Promise<ClaimedNudge | null> {
  const claimedAt = now();
  const wanted = waiting
    .slice(0, MOST_GROUPS)
    .flatMap(({ watch: { id }, visits }) =>
      visits.map(({ issue: { key }, untoldSince }) => ({ watchId: id, key, since: untoldSince })),
    );
  const at = { now: claimedAt, stale: claimedAt - NUDGE_LEASE_MS, quietSince: claimedAt - QUIET_MS };
  const visits = await store.claim(account, wanted, at);
  return visits === 'quiet' || visits.length === 0 ? null : { account, claimedAt, groups: waiting, visits };
}

/**
 * Notifies one person of what was claimed, at most once. `later`: it has to be tried again soon; `refused`: Slack does not
 * let us notify them.
 */
export async function notifyRecipient(
  { account, claimedAt, groups, visits }: ClaimedNudge,
  parts: NotifyingParts,
): Promise<'done' | 'later' | 'refused'> {
  const { store, now, notifier } = parts;
  const open = await withoutTold(visits, account, parts);
  if (open.length === 0) return 'done';
  const settle = (state: 'told' | 'free') => store.settle(open, { state, account, at: now() });
  if (now() - claimedAt > NUDGE_LEASE_MS - CALL_MS) {
    // Others may take them for left behind before they are told.
    await settle('free');
    return 'later';
  }
  const outcome = await notifier.nudge(nudgeOf(groups, open), account).catch(async (error: unknown) => {
    await settle('free');
    throw error;
  });
  await settle(outcome === 'told' || outcome === 'unknown' ? 'told' : 'free');
  return outcome === 'later' || outcome === 'refused' ? outcome : 'done';
}

/** Who claimed a visit before has died, and may have told of it; where nobody can say, never twice. */
async function withoutTold(
  claimed: readonly ClaimedVisit[],
  account: string,
  { store, now, notifier, log }: NotifyingParts,
): Promise<readonly ClaimedVisit[]> {
  const open: ClaimedVisit[] = [];
  for (const visit of claimed) {
    const { key, since, leftFor } = visit;
    if (leftFor === null) {
      open.push(visit);
      continue;
    }
    try {
      const wasTold = await notifier.hasTold({ key, untoldSince: since }, leftFor);
      if (wasTold === false) open.push(visit);
      else await store.settle([visit], { state: 'told', account: leftFor, at: now() });
    } catch (error) {
      // It stays claimed, and is looked for again.
      log.warn({ err: error, account, key }, 'whether somebody was told of a watch cannot be found out yet');
    }
  }
  return open;
}

function nudgeOf(groups: readonly NudgeGroup[], claimed: readonly ClaimedVisit[]): Nudge {
  const open = new Set(claimed.map(({ watchId, key, since }) => nameOf(watchId, key, since)));
  return groups.flatMap((group) => {
    const visits = group.visits.filter(({ issue: { key }, untoldSince }) =>
      open.has(nameOf(group.watch.id, key, untoldSince)),
    );
    return visits.length === 0 ? [] : [{ ...group, visits }];
  });
}

function nameOf(watchId: string, key: string, since: Instant): string {
  return `${watchId} ${key} ${since}`;
}
