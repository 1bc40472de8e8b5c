import type { Issue } from '../../model/issue.ts';

/** The issues with these keys, in their order; what is not among the candidates is left out. */
export function issuesByKey(keys: readonly string[], candidates: readonly Issue[]): Issue[] {
  const byKey = indexOf(candidates);
  return keys.flatMap((key) => byKey.get(key) ?? []);
}

/** Whether there is one with this key among them. */
export function hasKey(key: string, candidates: readonly Issue[]): boolean {
  return indexOf(candidates).has(key);
}

const indexes = new WeakMap<readonly Issue[], ReadonlyMap<string, Issue>>();

function indexOf(issues: readonly Issue[]): ReadonlyMap<string, Issue> {
  const known = indexes.get(issues) ?? new Map(issues.map((issue) => [issue.key, issue]));
  indexes.set(issues, known);
  return known;
}
