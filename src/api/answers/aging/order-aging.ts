import { compareIds } from '../../../issues/ids-and-names.ts';
import type { AgingIssue, DwellPercentile } from '../../../model/answer.ts';

/** An open issue before it is held against what is usual. */
export type WaitingIssue = Omit<AgingIssue, 'usual' | 'pace'>;

/** Holds an issue against what is usual where it is. Of a usual stay of no time there is no share. */
export function withUsual(issue: WaitingIssue, usual: DwellPercentile | null): AgingIssue {
  const pace = usual === null || usual.p85 === 0 ? null : issue.ageMs / usual.p85;
  return { ...issue, usual, pace };
}

/** Whether an issue has been where it is for longer than is usual there. */
export function isBeyond({ ageMs, usual }: AgingIssue): boolean {
  return usual !== null && ageMs > usual.p85;
}

/** Those furthest beyond what is usual first; those of which nobody can tell what is usual last, by age. */
export function orderAging(issues: readonly AgingIssue[]): readonly AgingIssue[] {
  return issues.toSorted(
    (a, b) => compareNumbers(rankOf(b), rankOf(a)) || b.ageMs - a.ageMs || compareIds(a.key, b.key),
  );
}

function rankOf(issue: AgingIssue): number {
  if (issue.pace !== null) return issue.pace;
  return isBeyond(issue) ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;
}

/** A difference of two infinities is no number. */
function compareNumbers(a: number, b: number): number {
  return Number(a > b) - Number(a < b);
}
