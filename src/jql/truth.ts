import type { Issue } from '../model/issue.ts';

/** Three-valued (Kleene) truth, ordered, so that AND is the least, OR the greatest and NOT the mirror image. */
export const NO = 0;
export const UNKNOWN = 1;
export const YES = 2;
export type Truth = typeof NO | typeof UNKNOWN | typeof YES;

/** The truth of both together. */
export function least(one: Truth, other: Truth): Truth {
  return one < other ? one : other;
}

/** A condition ready to be asked of any issue. */
export type Condition = (issue: Issue) => Truth;

export function every(conditions: readonly Condition[]): Condition {
  return (issue) => {
    let least: Truth = YES;
    for (const condition of conditions) {
      const truth = condition(issue);
      if (truth === NO) return NO;
      if (truth < least) least = truth;
    }
    return least;
  };
}

export function some(conditions: readonly Condition[]): Condition {
  return (issue) => {
    let greatest: Truth = NO;
    for (const condition of conditions) {
      const truth = condition(issue);
      if (truth === YES) return YES;
      if (truth > greatest) greatest = truth;
    }
    return greatest;
  };
}

export function not(condition: Condition): Condition {
  return (issue) => opposite(condition(issue));
}

export function opposite(truth: Truth): Truth {
  return opposites[truth];
}

const opposites = { [NO]: YES, [UNKNOWN]: UNKNOWN, [YES]: NO } as const;
