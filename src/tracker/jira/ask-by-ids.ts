import type { FailedIssue } from '../live-tracker.ts';
import { JiraOverload } from './jira-client.ts';
import type { IssueJson } from './listed-issues.ts';
import type { AskPortion, Portion } from './page-size.ts';
import type { JsonIssues } from './search.ts';

/** So many issues in a row that fail by themselves: it is Jira that fails. */
const MOST_FAILED_IN_A_ROW = 3;

/** Issues by id in portions that Jira can bear; one that fails even by itself is told as failed. */
export async function askByIds(
  ids: readonly string[],
  portions: AskPortion,
  ask: (ids: readonly string[], patience: Portion['patience']) => Promise<JsonIssues>,
): Promise<JsonIssues> {
  const issues: IssueJson[] = [];
  const failed: FailedIssue[] = [];
  let inARow = 0;
  for (let start = 0; start < ids.length; ) {
    let chunk: readonly string[] = [];
    try {
      const told = await portions(ids.length - start, ({ size, patience }) => {
        chunk = ids.slice(start, start + size);
        return ask(chunk, patience);
      });
      issues.push(...told.issues);
      failed.push(...told.failed);
      inARow = 0;
    } catch (error) {
      inARow += 1;
      if (!(error instanceof JiraOverload) || inARow === MOST_FAILED_IN_A_ROW) throw error;
      failed.push(...chunk.map((id) => ({ id, reason: error.message })));
    }
    start += chunk.length;
  }
  return { issues, failed };
}
