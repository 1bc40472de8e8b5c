import { chunksOf, findIssue } from '../../issues/issue-chunks.ts';
import type { Issue } from '../../model/issue.ts';

/** The issues with these keys, in their order; what is not among the candidates is left out. */
export function issuesByKey(keys: readonly string[], candidates: readonly Issue[]): Issue[] {
  // Each key is looked for in chunk after chunk; beyond some, looking at every candidate once is less.
  if (keys.length * chunksOf(candidates).length < candidates.length) {
    return keys.flatMap((key) => findIssue(candidates, key) ?? []);
  }
  const byKey = new Map<string, Issue | null>(keys.map((key) => [key, null]));
  for (const issue of candidates) {
    const { key } = issue;
    if (byKey.has(key)) byKey.set(key, issue);
  }
  return keys.flatMap((key) => byKey.get(key) ?? []);
}
