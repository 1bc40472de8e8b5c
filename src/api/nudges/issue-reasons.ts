import type { Instant } from '../../model/issue.ts';
import type { Nudge, NudgeAnswer, NudgedVisit } from '../../model/nudge.ts';

/** The latest answer about an issue: who gave it, and the stay that the issue was in. */
export type IssueReason = NudgeAnswer & Pick<Nudge, 'key' | 'person' | 'visit'>;

/** The reasons of issues by key, which answers show. */
export type ReasonsByKey = ReadonlyMap<string, IssueReason>;

/** The answers to nudges, as other answers show them. */
export interface IssueReasons {
  /**
   * The latest answer to a nudge about each of some issues, as of an instant, by key; issues without one are left out. It
   * is the reason of the stay in its `visit` alone: see `countsIn`.
   */
  reasonsFor(keys: readonly string[], asOf: Instant): Promise<ReasonsByKey>;
}

/** True while an answer is about the stay that an issue is in (the same status, entered at the same time) and no snooze is over. */
export function countsIn(reason: IssueReason, { statusId, since }: NudgedVisit, asOf: Instant): boolean {
  if (reason.kind === 'snoozed' && reason.until <= asOf) return false;
  return reason.visit.statusId === statusId && reason.visit.since === since;
}
