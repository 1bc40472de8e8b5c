import type { Instant } from '../../model/issue.ts';
import { FieldVisits, type VisitWindow } from './field-visits.ts';
import { type WorkClock, workUntil } from './work-clock.ts';

/** The visits of one issue after the other, in the fields that a report type goes through; the others have none. */
export class VisitCursor {
  readonly statuses: FieldVisits;
  readonly assignees: FieldVisits;
  /** One for each history field of the question. */
  readonly histories: readonly FieldVisits[];
  /** How columns of history values are called, beside their value: `LISTED` or `UNLISTED`, as the status is. */
  naming = 0;
  readonly #clock: WorkClock;

  constructor(window: VisitWindow, clock: WorkClock, historyFields: number) {
    this.#clock = clock;
    this.statuses = new FieldVisits(window, clock);
    this.assignees = new FieldVisits(window, clock);
    this.histories = Array.from({ length: historyFields }, () => new FieldVisits(window, clock));
  }

  /** Working time until an instant, from the same beginning as that of all visits. */
  work(instant: Instant): number {
    return workUntil(this.#clock, instant);
  }
}
