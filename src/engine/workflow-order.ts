import { FIRST_VISIT, rowFlag, STATUS_CODE } from '../columns/column-arrays.ts';
import { compareIds } from '../issues/ids-and-names.ts';
import type { Status, StatusCategory } from '../model/issue.ts';
import type { Scan, ScanFound, ScanPlan } from './scan-rows.ts';

/** How early statuses come in whole histories, by code of `values('status')`. */
export interface PositionsFound extends ScanFound {
  /** How many issues were in the status. */
  readonly issues: Float64Array;
  /** The sum of its positions: of the statuses an issue was in, the one it entered first is at 0. */
  readonly positions: Float64Array;
}

/** One pass for the positions of all statuses, up to the last change whatever the plan's instant; `slots` has all codes. */
export const positionsScan: Scan<ScanPlan, PositionsFound> = {
  name: 'positions',
  scan({ flags, statusAt, statusCount, visitStatus }, { rows }, { slots }) {
    const issues = new Float64Array(slots.length);
    const positions = new Float64Array(slots.length);
    for (let i = 0; i < rows.length; i += 1) {
      const row = rows[i] ?? 0;
      if (((flags[row] ?? 0) & (rowFlag.cut | rowFlag.odd | rowFlag.dead)) !== 0) continue;
      const from = statusAt[row] ?? 0;
      const end = from + (statusCount[row] ?? 0);
      for (let visit = from, position = 0; visit < end; visit += 1) {
        const value = visitStatus[visit] ?? 0;
        if ((value & FIRST_VISIT) === 0) continue;
        const code = value & STATUS_CODE;
        issues[code] = (issues[code] ?? 0) + 1;
        positions[code] = (positions[code] ?? 0) + position;
        position += 1;
      }
    }
    return { issues, positions, observed: null, rest: new Float64Array() };
  },
  join(parts) {
    const sumOf = (lists: readonly Float64Array[]) =>
      new Float64Array(lists[0]?.length ?? 0).map((_, code) =>
        lists.reduce((sum, list) => sum + (list[code] ?? 0), 0),
      );
    return {
      issues: sumOf(parts.map(({ issues }) => issues)),
      positions: sumOf(parts.map(({ positions }) => positions)),
      ...{ observed: null, rest: new Float64Array() },
    };
  },
};

const categoryRank: Readonly<Record<StatusCategory, number>> = {
  'To Do': 0,
  'In Progress': 1,
  Undefined: 2,
  Done: 3,
};

/**
 * Statuses as work runs through them: by category, then by their mean position in the histories (by id; those in no history
 * last), then as they are given.
 */
export function inWorkflowOrder(
  statuses: Iterable<Status>,
  positions: ReadonlyMap<string, number> = new Map(),
): readonly Status[] {
  const given = [...statuses];
  const place = new Map(given.map(({ id }, i) => [id, i]));
  const positionOf = ({ id }: Status) => positions.get(id) ?? Number.MAX_VALUE;
  return given.toSorted(
    (a, b) =>
      categoryRank[a.category] - categoryRank[b.category] ||
      positionOf(a) - positionOf(b) ||
      (place.get(a.id) ?? 0) - (place.get(b.id) ?? 0) ||
      compareIds(a.id, b.id),
  );
}
