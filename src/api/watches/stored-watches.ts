import { millisecondsInDay } from 'date-fns/constants';
import { badRequestAs } from '../../model/error.ts';
import type { Instant } from '../../model/issue.ts';
import type { Snooze, Watch } from '../../model/watch.ts';
import { minuteText } from '../../time/date-text.ts';
import type { WatchStore } from './recipients.ts';

/** Changes a watch in one transaction; null where there is none. */
export function changeWatch(
  { watches }: Pick<WatchStore, 'watches'>,
  id: string,
  change: (kept: Watch) => Watch,
): Promise<Watch | null> {
  return watches.change(id, (kept) => (kept === null ? null : change(kept)));
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
  await snoozes.change(account, (kept) => [
    ...(kept ?? []).filter((other) => other.key !== key || other.since !== since),
    snooze,
  ]);
}

/** Forgets alerts that were settled, and snoozes that ended, before an instant. */
export async function forgetAlerts(
  { watchAlerts, snoozes }: Pick<WatchStore, 'watchAlerts' | 'snoozes'>,
  before: Instant,
): Promise<void> {
  await watchAlerts.forget(before);
  const ended = (await snoozes.list()).flat().filter(({ until }) => until < before);
  for (const account of new Set(ended.map((snooze) => snooze.account))) {
    await snoozes.change(account, (kept) => {
      const running = (kept ?? []).filter(({ until }) => until >= before);
      return running.length === 0 ? null : running;
    });
  }
}
