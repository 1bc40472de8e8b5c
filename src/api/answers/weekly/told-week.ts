import type { Week } from '../../../model/weekly.ts';
import type { IssueLife } from '../finished.ts';

/** A week, the issues that were finished in it, and the working ms all issues spent within it by status id. */
export interface ToldWeek {
  readonly week: Week;
  readonly finished: readonly IssueLife[];
  readonly within: ReadonlyMap<string, number>;
}

/** The issues that may have been finished in a week for all anybody knows. */
export function mayBeFinishedIn({ start, end }: Week, lives: readonly IssueLife[]): IssueLife[] {
  return lives.filter(({ facts: { created }, finish, unclear }) => {
    if (unclear !== null) return created < end;
    const untold = finish?.untold ?? null;
    return untold !== null && untold.from < end && untold.until >= start;
  });
}

/** The issues finished in a week. */
export function finishedIn({ start, end }: Week, lives: readonly IssueLife[]): IssueLife[] {
  return lives.filter(({ finish }) => {
    const at = finish?.at ?? null;
    return at !== null && at >= start && at < end;
  });
}
