import type { Instant } from '../../model/issue.ts';
import type { Snooze, Watch } from '../../model/watch.ts';
import type { WatchStore } from './recipients.ts';

/** Changes a watch in one transaction; null where there is none. */
export function changeWatch(
  { watches }: Pick<WatchStore, 'watches'>,
  id: string,
  change: (kept: Watch) => Watch,
): Promise<Watch | null> {
  return watches.change(id, (kept) => (kept === null ? null : change(kept)));
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
