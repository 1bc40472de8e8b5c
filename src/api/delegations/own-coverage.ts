import type { Coverage } from '../../model/delegation.ts';
import { concerns } from './principal-rights.ts';

/**
 * What somebody (by stored id) may know of the coverage of everybody: their own delegations and those naming them, and
 * how they themselves are covered. All of it is true: what is worked out from a part of the delegations would not be.
 */
export function ownCoverage(coverage: Coverage, user: string): Coverage {
  return {
    span: coverage.span,
    delegations: coverage.delegations.filter((one) => concerns(one, user)),
    uncovered: coverage.uncovered.filter(({ person }) => person === user),
    awayToo: coverage.awayToo.filter(({ person }) => person === user),
    ending: coverage.ending.filter((one) => concerns(one, user)),
  };
}
