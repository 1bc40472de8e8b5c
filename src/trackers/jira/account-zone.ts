import { z } from 'zod';
import { AppError } from '../../model/error.ts';
import { knownZone } from '../../time/zones.ts';
import type { JiraClient } from './jira-client.ts';

const myself = z.object({
  accountId: z.string().nullish(),
  key: z.string().nullish(),
  name: z.string().nullish(),
  timeZone: z.string().nullish(),
});

/**
 * The zone (IANA) in which Jira reads the dates of our queries; null where nobody knows it. `not-allowed` where Jira does
 * not say who we are: an expired token may be answered as if nobody had asked, and then there are no issues.
 */
export async function askAccountZone(client: JiraClient): Promise<string | null> {
  const { accountId, key, name, timeZone } = await client.ask({ method: 'GET', path: '/myself' }, myself);
  if (!accountId && !key && !name) {
    throw new AppError(
      'not-allowed',
      'Jira treats our requests as anonymous (GET /myself names no user). Is the token of the account still valid?',
    );
  }
  return knownZone(timeZone);
}
