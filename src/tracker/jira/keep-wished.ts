import type { SearchPlace } from '../live-tracker.ts';
import type { IssueJson, JiraSearch } from './search.ts';
import { amongJql } from './window-jql.ts';

/** Those of the issues that are wished for: one asked for by id may have left the wish, or never been in it. */
export async function keepWished(
  search: JiraSearch,
  issues: readonly IssueJson[],
  wish: string | null,
): Promise<readonly IssueJson[]> {
  if (wish === null || issues.length === 0) return issues;
  const jql = amongJql(
    issues.map(({ id }) => id),
    wish,
  );
  const wished = new Set<string>();
  let place: SearchPlace | null = null;
  do {
    const page = await search.page(jql, place, 'updated');
    for (const { id } of page.issues) wished.add(id);
    place = page.next;
  } while (place !== null);
  return issues.filter(({ id }) => wished.has(id));
}
