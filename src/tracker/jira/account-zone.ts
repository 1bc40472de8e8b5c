import { z } from 'zod';
import { readTimeZone } from '../jira-json/read-time-zone.ts';
import type { JiraClient } from './jira-client.ts';

const myself = z.object({ timeZone: z.string().nullish() });

/** The zone (IANA) in which Jira reads the dates of our queries; null where nobody knows it. */
export async function askAccountZone(client: JiraClient): Promise<string | null> {
  const { timeZone } = await client.ask({ method: 'GET', path: '/myself' }, myself);
  return readTimeZone(timeZone);
}
