import type { AwayToo, Coverage, Delegation, Uncovered } from '../../model/delegation.ts';
import type { Instant } from '../../model/issue.ts';

/** True if two covers have work in common; no categories are everything. */
export function overlaps(some: readonly number[], others: readonly number[]): boolean {
  return some.length === 0 || others.length === 0 || some.some((id) => others.includes(id));
}

/** True if a stretch is about the person and work of this cover, in its time. */
export function concerns(
  { delegator, categoryIds, start, end }: Delegation,
  { person, categoryId, from, until }: Omit<Uncovered, 'reason'>,
): boolean {
  const isItsWork = overlaps(categoryIds, categoryId === null ? [] : [categoryId]);
  return person === delegator && isItsWork && from < end && until > start;
}

/** True if a delegate of this cover is out. */
export function isOut(one: Delegation, away: AwayToo): boolean {
  return one.delegates.includes(away.delegate) && concerns(one, away);
}

/** The warnings of a running span without those that are over; those of one in the past remain. */
export function stillToCome(coverage: Coverage, now: Instant): Coverage {
  if (coverage.span.until <= now) return coverage;
  return {
    ...coverage,
    uncovered: coverage.uncovered.filter(({ until }) => until > now),
    awayToo: coverage.awayToo.filter(({ until }) => until > now),
    ending: coverage.ending.filter(({ end }) => end > now),
  };
}
