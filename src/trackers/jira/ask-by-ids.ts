import type { FailedIssue } from '../live-tracker.ts';
import { JiraOverload } from './jira-failures.ts';
import type { IssueJson } from './listed-issues.ts';
import type { AskPortion, Portion } from './page-size.ts';
import type { JsonIssues } from './search.ts';

/** So many issues in a row that fail by themselves: perhaps it is Jira that fails. */
const MOST_FAILED_IN_A_ROW = 3;

/** How issues are asked for by id: whole, and no more than which they are. */
export interface AskByIds {
  readonly portions: AskPortion;
  readonly ask: (ids: readonly string[], tries: Portion['tries']) => Promise<JsonIssues>;
  /** Fails where not even that is answered. */
  readonly askBare: (ids: readonly string[]) => Promise<unknown>;
}

/** Issues by id in portions that Jira can bear; one that fails even by itself is told as failed. */
export async function askByIds(
  ids: readonly string[],
  { portions, ask, askBare }: AskByIds,
): Promise<JsonIssues> {
  const issues: IssueJson[] = [];
  const failed: FailedIssue[] = [];
  let most = ids.length;
  let inARow = 0;
  for (let start = 0; start < ids.length; ) {
    let chunk: readonly string[] = [];
    try {
      const told = await portions(Math.min(most, ids.length - start), ({ size }) => {
        chunk = ids.slice(start, start + size);
        // One that fails is tried again later, and must not keep the others waiting.
        return ask(chunk, 'few');
      });
      issues.push(...told.issues);
      failed.push(...told.failed);
      inARow = 0;
      most *= 2;
    } catch (error) {
      if (!(error instanceof JiraOverload)) throw error;
      // Issues that fail are often neighbors.
      most = 1;
      inARow += 1;
      if (inARow === MOST_FAILED_IN_A_ROW) {
        await askBare(chunk);
        inARow = 0;
      }
      failed.push(...chunk.map((id) => ({ id, reason: error.message })));
    }
    start += chunk.length;
  }
  return { issues, failed };
}
