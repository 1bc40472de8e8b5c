import type { Instant } from '../../../model/issue.ts';
import type { ReportingApi } from '../../reporting.ts';
import type { TisClient } from './create-tis-client.ts';

/** The reporting port answered by a service elsewhere. `timeZone`: of dates, until an answer tells another. */
export function createHostedReporting(
  _client: TisClient,
  _parts: { readonly now: () => Instant; readonly timeZone: string },
): ReportingApi {
  throw new Error('to come');
}
