import type { Instant } from '../model/issue.ts';
import type { CalendarFacts } from '../model/table.ts';

/** Which hours count as work. `between` is exact to the millisecond and additive over adjoining spans. */
export interface Calendar extends CalendarFacts {
  between(from: Instant, until: Instant): number;
}
