import type { TimesByKind } from '../../outcomes/outcomes-api.ts';

/**
 * The share of active time in active and waiting time; null without any of these, or where nothing waits or is blocked.
 * `blockedMs`: the part of the active time in which issues were blocked, which is not active.
 */
export function flowEfficiency(within: TimesByKind, blockedMs = 0): number | null {
  const [active, waiting] = (['active', 'waiting'] as const).map((kind) =>
    within.values().reduce((sum, times) => sum + (times.get(kind) ?? 0), 0),
  );
  return active === undefined || waiting === undefined || waiting + blockedMs === 0
    ? null
    : (active - blockedMs) / (active + waiting);
}
