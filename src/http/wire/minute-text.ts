import type { Instant } from '../../model/issue.ts';
import { dateText } from '../../time/date-text.ts';

/** An instant in ISO 8601, in UTC and to the minute, such as `2024-12-18T18:00Z`. */
export function minuteText(instant: Instant): string {
  return dateText(instant, "yyyy-MM-dd'T'HH:mm'Z'", 'UTC');
}
