import { mapLimited } from '../../http-client/map-limited.ts';
import { askIssue } from './ask-issue.ts';
import type { JiraClient } from './jira-client.ts';
import type { JsonIssues } from './search.ts';

const AT_ONCE = 8;

/** Issues that Jira does not tell together, each asked for by itself. */
export async function askOneByOne(client: JiraClient, ids: readonly string[]): Promise<JsonIssues> {
  const told = await mapLimited(AT_ONCE, ids, (id) => askIssue(client, id));
  return {
    issues: told.flatMap((one) => ('issue' in one && one.issue !== null ? [one.issue] : [])),
    failed: told.flatMap((one) => ('failed' in one ? [one.failed] : [])),
  };
}
