import type { AgingIssue } from '../../model/answer.ts';
import type { Instant } from '../../model/issue.ts';
import type { Watch, WatchAlert } from '../../model/watch.ts';
import { alertsOf, byKey } from './untold-since.ts';

/** When the first was told of the visits that still last: forgotten, they would be told of again. */
export function neededSince(
  { createdAt }: Watch,
  visits: readonly Pick<AgingIssue, 'key' | 'since'>[],
  alerts: readonly WatchAlert[],
  now: Instant,
): Instant {
  const told = byKey(alerts);
  const lasting = visits.flatMap((visit) => alertsOf(visit, told));
  return lasting.reduce((first, { toldAt }) => Math.min(first, toldAt ?? createdAt), now);
}
