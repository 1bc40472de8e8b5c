import { findAmong } from './find-among.ts';
import type { IssueJson } from './listed-issues.ts';
import type { JiraSearch } from './search.ts';

/** Those of the issues that are wished for: one asked for by id may have left the wish, or never been in it. */
export async function keepWished(
  search: JiraSearch,
  issues: readonly IssueJson[],
  wish: string | null,
): Promise<readonly IssueJson[]> {
  if (wish === null || issues.length === 0) return issues;
  const ids = issues.map(({ id }) => id);
  const wished = await findAmong(search, ids, wish);
  return issues.filter(({ id }) => wished.has(id));
}
