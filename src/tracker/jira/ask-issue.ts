import { type JiraClient, JiraRefusal } from './jira-client.ts';
import { type IssueJson, issueJson, wholeIssue } from './search.ts';

/** One issue with its changelog; null where there is none that our account may see. */
export async function askIssue(client: JiraClient, id: string): Promise<IssueJson | null> {
  const query = { fields: wholeIssue.join(','), expand: 'changelog' };
  try {
    return await client.ask({ method: 'GET', path: `/issue/${encodeURIComponent(id)}`, query }, issueJson);
  } catch (error) {
    if (error instanceof JiraRefusal && [403, 404].includes(error.status)) return null;
    throw error;
  }
}
