import type { CategoryId, Delegation, TimeSpan, Uncovered } from '../model/delegation.ts';
import { compareByStart } from './compare-by-start.ts';
import { coversCategory } from './in-force.ts';
import { lastFrom } from './last-from.ts';

/** Delegations so far apart are two absences; nothing is amiss in between. A weekend is shorter. */
export const USUAL_GAP_MS = 72 * 60 * 60 * 1000;

/**
 * Where one delegation of a person has ended and the next, less than `gapMs` later, is yet to begin, in `general` and
 * in every category the person's delegations name. Who is away for shorter than that on one side of it is somebody who
 * comes and goes, such as every evening, and there is no gap. A gap of `general` is not told again of a category. `own`
 * are all delegations of the person, also those outside the span: a gap is as long as it is, but told within the span
 * only.
 */
export function findGaps(
  person: string,
  own: readonly Delegation[],
  span: TimeSpan,
  gapMs: number,
): readonly Uncovered[] {
  const inOrder = own.filter(({ active, start, end }) => active && start < end).sort(compareByStart);
  const general = gapsOf(inOrder, null, gapMs);
  const ids = [...new Set(inOrder.flatMap(({ categoryIds }) => categoryIds))];
  // Whoever stands in for `general` does so in the category too, so a gap lies in one of `general` or beside them all.
  const isNew = (gap: TimeSpan) =>
    gap.until > (lastFrom(general, gap.from)?.until ?? Number.NEGATIVE_INFINITY);
  const told = (categoryId: CategoryId, gap: TimeSpan): Uncovered => ({
    person,
    categoryId,
    reason: 'gap',
    from: Math.max(gap.from, span.from),
    until: Math.min(gap.until, span.until),
  });
  return [
    ...general.map((gap) => told(null, gap)),
    ...ids.flatMap((id) =>
      gapsOf(inOrder, id, gapMs)
        .filter(isNew)
        .map((gap) => told(id, gap)),
    ),
  ].filter(({ from, until }) => from < until);
}

function gapsOf(inOrder: readonly Delegation[], categoryId: CategoryId, gapMs: number): readonly TimeSpan[] {
  const away: TimeSpan[] = [];
  for (const delegation of inOrder) {
    if (!coversCategory(delegation, categoryId)) continue;
    const { start, end } = delegation;
    const last = away.at(-1);
    if (last === undefined || start > last.until) away.push({ from: start, until: end });
    else if (end > last.until) away.splice(-1, 1, { from: last.from, until: end });
  }
  return away.flatMap((next, i) => {
    const before = away[i - 1];
    if (before === undefined) return [];
    const gap = { from: before.until, until: next.from };
    return lengthOf(gap) < Math.min(gapMs, lengthOf(before), lengthOf(next)) ? [gap] : [];
  });
}

function lengthOf({ from, until }: TimeSpan): number {
  return until - from;
}
