import type { Instant } from '../../model/issue.ts';
import { dateText } from '../../time/date-text.ts';

/** An instant as the contract of delegations tells it, such as `2021-08-27 05:45:36 +0000`, in the server's zone. */
export function serverTime(instant: Instant, timeZone: string): string {
  return dateText(instant, 'yyyy-MM-dd HH:mm:ss Z', timeZone);
}
