import type { Instant } from '../../model/issue.ts';
import type { GivenAnswer, Nudge, NudgeAnswer, NudgedVisit } from '../../model/nudge.ts';

/** The longest reason that is stored, in UTF-16 units. */
export const MAX_REASON = 200;

/** A nudge before it is sent. `day` (yyyy-MM-dd) is today where the person is who gets it. */
export interface NudgeInput
  extends Pick<Nudge, 'key' | 'link' | 'visit' | 'person' | 'account' | 'by' | 'thread'> {
  readonly day: string;
}

/** The reason a person is not asked now: a nudge of the same day, or their own snooze of the issue. */
export type NudgeObstacle =
  | { readonly kind: 'nudged'; readonly nudge: Nudge }
  | { readonly kind: 'snoozed'; readonly until: Instant };

/** A person is there; or is away and covered by another, or by no one. */
export type Availability =
  | { readonly kind: 'there' }
  | { readonly kind: 'uncovered' }
  | { readonly kind: 'covered'; readonly by: string; readonly until: Instant | null };

/** The port of nudges: one person asks another about an issue, and the answer comes back. */
export interface NudgesApi extends IssueReasons {
  /** Says if a user of the tracker is there to be asked, or who covers for them. */
  availabilityOf(user: string): Promise<Availability>;
  /** Null: the person can be asked. */
  obstacleTo(
    input: Pick<NudgeInput, 'key' | 'visit' | 'person' | 'account' | 'day'>,
  ): Promise<NudgeObstacle | null>;
  /** Claims the nudge of the day for all processes before it is sent; else what is in the way. */
  begin(input: NudgeInput): Promise<NudgeObstacle | null>;
  /** It was certainly not sent, so that another can be. */
  withdraw(input: Pick<NudgeInput, 'key' | 'person' | 'day'>): Promise<void>;
  /** The nudge that an account got; `unknown-nudge` for one it did not get, or of more than 90 days ago. */
  received(id: string, account: string): Promise<Nudge>;
  /**
   * Stores the answer of the account that was asked, to be delivered; one that was given before stays, and is returned. A
   * snooze silences alerts about the stay as well. `bad-request` for an empty or too long reason, or an end that is not
   * within 30 days.
   */
  answer(
    id: string,
    account: string,
    answer: GivenAnswer,
  ): Promise<{ readonly nudge: Nudge; readonly isNew: boolean }>;
  /** Answers that wait count as delivered: another database may have delivered them. */
  startOver(): Promise<void>;
}

/** Delivers answers. */
export interface NudgeNotifier {
  /**
   * Delivers an answer at most once, to its thread or to the person who asked; `storeNote` makes progress durable. What is
   * `unavailable` is tried again.
   */
  returnAnswer(
    nudge: Nudge & { readonly answer: NudgeAnswer },
    storeNote: (note: Nudge['note']) => Promise<void>,
  ): Promise<void>;
}

/** The id of the nudge of a day. */
export function nudgeId({ key, person, day }: Pick<NudgeInput, 'key' | 'person' | 'day'>): string {
  return `${key} ${person.id} ${day}`;
}

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
