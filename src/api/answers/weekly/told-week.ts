import type { Week } from '../../../model/weekly.ts';
import type { IssueLife } from '../finished.ts';

/** A week, the issues that were finished in it, and the working ms all issues spent within it by status id. */
export interface ToldWeek {
  readonly week: Week;
  readonly finished: readonly IssueLife[];
  readonly within: ReadonlyMap<string, number>;
}

/** The issues finished in a week. */
export function finishedIn({ start, end }: Week, lives: readonly IssueLife[]): IssueLife[] {
  return lives.filter(({ finish }) => {
    const at = finish?.at ?? null;
    return at !== null && at >= start && at < end;
  });
}
