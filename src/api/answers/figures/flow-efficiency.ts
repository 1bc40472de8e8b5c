import type { TimesByKind } from '../../outcomes/outcomes-api.ts';

/** The share of active time in active and waiting time; null without any of these, or where nothing waits. */
export function flowEfficiency(within: TimesByKind): number | null {
  const [active, waiting] = (['active', 'waiting'] as const).map((kind) =>
    within.values().reduce((sum, times) => sum + (times.get(kind) ?? 0), 0),
  );
  return active === undefined || !waiting ? null : active / (active + waiting);
}
