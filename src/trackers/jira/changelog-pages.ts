import { z } from 'zod';
import { askIssue } from './ask-issue.ts';
import { type Changelog, changelogOf, embeddedChangelog } from './changelog.ts';
import type { JiraClient } from './jira-client.ts';
import { JiraOverload, JiraRefusal } from './jira-failures.ts';

const PAGE = 100;

const counted = z.object({ total: z.number() });
const page = z.object({ total: z.number(), isLast: z.boolean().nullish(), values: z.array(z.unknown()) });

/**
 * The changelog of one issue, read to its end; or there is no such issue any more, or Jira will not tell, or it fails,
 * which may or may not be because of this issue.
 */
export type ReadChangelog =
  | { readonly kind: 'read'; readonly changelog: Changelog }
  | { readonly kind: 'gone' }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'failed'; readonly failure: JiraOverload };

/** Asks for the changelog of one issue page by page. */
export async function askChangelogPages(client: JiraClient, id: string): Promise<ReadChangelog> {
  try {
    return { kind: 'read', changelog: await readPages(client, id) };
  } catch (error) {
    if (error instanceof JiraOverload) return { kind: 'failed', failure: error };
    if (!(error instanceof JiraRefusal)) throw error;
    if ((await client.kind()) === 'dataCenter') return askWithIssue(client, id);
    if (error.status === 404) return { kind: 'gone' };
    return { kind: 'refused', reason: `Jira does not tell the whole changelog: ${error.message}` };
  }
}

/** How many entries Jira counts of one issue; null: it does not tell. One small request. */
export async function askChangelogTotal(client: JiraClient, id: string): Promise<number | null> {
  const path = `/issue/${encodeURIComponent(id)}/changelog`;
  try {
    return (await client.ask({ method: 'GET', path, query: { maxResults: '1' }, tries: 'few' }, counted))
      .total;
  } catch (error) {
    if (error instanceof JiraRefusal || error instanceof JiraOverload) return null;
    throw error;
  }
}

async function readPages(client: JiraClient, id: string): Promise<Changelog> {
  const path = `/issue/${encodeURIComponent(id)}/changelog`;
  const histories: unknown[] = [];
  for (;;) {
    const query = { startAt: String(histories.length), maxResults: String(PAGE) };
    const { total, isLast, values } = await client.ask({ method: 'GET', path, query }, page);
    histories.push(...values);
    // An issue may go on changing meanwhile: the newest total counts.
    if (values.length === 0 || (histories.length >= total && isLast !== false))
      return changelogOf(histories, total);
  }
}

/** Older versions of Data Center tell a changelog with its issue only, and then all of it. */
async function askWithIssue(client: JiraClient, id: string): Promise<ReadChangelog> {
  const told = await askIssue(client, id);
  if ('failed' in told) return { kind: 'refused', reason: told.failed.reason };
  if (told.issue === null) return { kind: 'gone' };
  const changelog = embeddedChangelog(told.issue.changelog);
  if (changelog === null) return { kind: 'refused', reason: 'Jira tells no changelog with the issue' };
  return { kind: 'read', changelog };
}
