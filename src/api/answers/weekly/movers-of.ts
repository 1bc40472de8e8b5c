import { compareIds } from '../../../issues/ids-and-names.ts';
import type { Contributor } from '../../../model/answer.ts';
import type { IssueLife } from '../finished.ts';

/**
 * All issues with a cycle time, by how far each moved the average away from a baseline (ms), the furthest first. What
 * they moved it by adds up to the difference between the two.
 */
export function moversOf(lives: readonly IssueLife[], baseline: number): Contributor[] {
  const measured = lives.flatMap(({ facts: { key, link }, summary, finish }) =>
    finish !== null && 'ms' in finish.cycle ? [{ key, summary, link, cycleMs: finish.cycle.ms }] : [],
  );
  return measured
    .map((issue) => ({ ...issue, shiftMs: (issue.cycleMs - baseline) / measured.length }))
    .toSorted((a, b) => Math.abs(b.shiftMs) - Math.abs(a.shiftMs) || compareIds(a.key, b.key));
}
