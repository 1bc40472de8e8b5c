import { mapLimited } from '../../http-client/map-limited.ts';
import type { FailedIssue } from '../live-tracker.ts';
import type { JiraClient, JiraRequest } from './jira-client.ts';
import { JiraOverload, JiraRefusal } from './jira-failures.ts';
import { type JsonIssues, wholeIssue } from './jira-search.ts';
import { type IssueJson, singleIssue } from './listed-issues.ts';

/** After this many issues in a row that fail alone, Jira may be the cause. */
const MAX_FAILED_IN_A_ROW = 3;

/** The parts of a request for issues by id: whole, or their identity only. */
interface AskByIds {
  readonly portions: AskPortion;
  readonly ask: (ids: readonly string[], tries: Portion['tries']) => Promise<JsonIssues>;
  /** Fails where not even that is answered. */
  readonly askBare: (ids: readonly string[]) => Promise<unknown>;
}

/** Reads issues by id in portions that Jira can bear; one that fails even alone is a failed one. */
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
      const answer = await portions(Math.min(most, ids.length - start), ({ size }) => {
        chunk = ids.slice(start, start + size);
        // One that fails is tried again later, and must not keep the others waiting.
        return ask(chunk, 'few');
      });
      issues.push(...answer.issues);
      failed.push(...answer.failed);
      inARow = 0;
      most *= 2;
    } catch (error) {
      if (!(error instanceof JiraOverload)) throw error;
      // Issues that fail are often neighbors.
      most = 1;
      inARow += 1;
      if (inARow === MAX_FAILED_IN_A_ROW) {
        await askBare(chunk);
        inARow = 0;
      }
      failed.push(...chunk.map((id) => ({ id, reason: error.message })));
    }
    start += chunk.length;
  }
  return { issues, failed };
}

const CONCURRENCY = 8;

/** Reads issues one by one, which Jira does not send together. */
export async function askOneByOne(client: JiraClient, ids: readonly string[]): Promise<JsonIssues> {
  const answers = await mapLimited(CONCURRENCY, ids, (id) => askIssue(client, id));
  return {
    issues: answers.flatMap((one) => ('issue' in one && one.issue !== null ? [one.issue] : [])),
    failed: answers.flatMap((one) => ('failed' in one ? [one.failed] : [])),
  };
}

/** One issue asked for by itself; null: there is none that our account may see. */
type FallbackIssue = { readonly issue: IssueJson | null } | { readonly failed: FailedIssue };

/** One issue with its changelog. A failure that is not about this issue alone is thrown. */
export async function askIssue(client: JiraClient, id: string): Promise<FallbackIssue> {
  const query = { fields: wholeIssue.join(','), expand: 'changelog' };
  try {
    const question = { method: 'GET', path: `/issue/${encodeURIComponent(id)}`, query } as const;
    const answer = await client.ask(question, singleIssue);
    if (answer.id === null)
      return { failed: { id, reason: `Jira's answer is not an issue: ${answer.unlike}` } };
    return { issue: answer };
  } catch (error) {
    if (error instanceof JiraRefusal && error.status === 404) return { issue: null };
    if (!(error instanceof JiraRefusal || error instanceof JiraOverload)) throw error;
    return { failed: { id, reason: error.message } };
  }
}

/** After this many successes in a row a larger portion is tried. */
const GOOD_ENOUGH = 10;

/** The size of one request, and its number of tries. */
export interface Portion {
  readonly size: number;
  readonly tries: JiraRequest['tries'];
}

/** Sends requests of at most a size; half of it after every answer that was too large for Jira, down to one. */
type AskPortion = <Answer>(atMost: number, ask: (portion: Portion) => Promise<Answer>) => Promise<Answer>;

/** Portions of `largest` at the most, remembered from one question to the next. */
export function createPageSize(largest: number): AskPortion {
  let current = largest;
  let good = 0;

  function grow(): void {
    good += 1;
    if (good < GOOD_ENOUGH) return;
    current = Math.min(largest, current * 2);
    good = 0;
  }

  return async (atMost, ask) => {
    for (;;) {
      const size = Math.min(current, atMost);
      try {
        const answer = await ask({ size, tries: size > 1 ? 'few' : undefined });
        grow();
        return answer;
      } catch (error) {
        if (!(error instanceof JiraOverload)) throw error;
        // If even one fails, the size is not the cause.
        current = size > 1 ? Math.floor(size / 2) : largest;
        good = 0;
        if (size <= 1) throw error;
      }
    }
  };
}
