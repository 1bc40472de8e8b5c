import type { IssueLife } from './finished.ts';

/** The cycle times (working ms) of those of the issues that have one. */
export function cycleTimes(lives: readonly IssueLife[]): number[] {
  return lives.flatMap(({ finish }) => (finish !== null && 'ms' in finish.cycle ? [finish.cycle.ms] : []));
}

/** The time (working ms) in a status of those of the issues that were in it, as far as it is known whole. */
export function timesIn(status: string, lives: readonly IssueLife[]): number[] {
  return lives.flatMap(({ times }) => times?.get(status) ?? []);
}
