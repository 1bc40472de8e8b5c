import type { Coverage } from '../../model/delegation.ts';
import type { Instant } from '../../model/issue.ts';

/** The warnings of a span that runs, without those nobody can act upon any more; those of one that is over stay. */
export function stillToCome(coverage: Coverage, now: Instant): Coverage {
  if (coverage.span.until <= now) return coverage;
  return {
    ...coverage,
    uncovered: coverage.uncovered.filter(({ until }) => until > now),
    awayToo: coverage.awayToo.filter(({ until }) => until > now),
    ending: coverage.ending.filter(({ end }) => end > now),
  };
}
