import type { FailedIssue } from '../live-tracker.ts';
import type { JiraClient } from './jira-client.ts';
import { JiraOverload, JiraRefusal } from './jira-failures.ts';
import { type IssueJson, singleIssue } from './listed-issues.ts';
import { wholeIssue } from './search.ts';

/** One issue asked for by itself; null: there is none that our account may see. */
export type AskedIssue = { readonly issue: IssueJson | null } | { readonly failed: FailedIssue };

/** One issue with its changelog. A failure that is not about this issue alone is thrown. */
export async function askIssue(client: JiraClient, id: string): Promise<AskedIssue> {
  const query = { fields: wholeIssue.join(','), expand: 'changelog' };
  try {
    const question = { method: 'GET', path: `/issue/${encodeURIComponent(id)}`, query } as const;
    const told = await client.ask(question, singleIssue);
    if (told.id === null) return { failed: { id, reason: `Jira tells no issue: ${told.unlike}` } };
    return { issue: told };
  } catch (error) {
    if (error instanceof JiraRefusal && error.status === 404) return { issue: null };
    if (!(error instanceof JiraRefusal || error instanceof JiraOverload)) throw error;
    return { failed: { id, reason: error.message } };
  }
}
