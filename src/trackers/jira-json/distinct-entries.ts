import type { JiraChangelog, JiraHistory } from './jira-schema.ts';

/** The entries of a changelog, each once: pages that moved while they were read overlap. */
export function distinctEntries({ histories }: JiraChangelog): JiraHistory[] {
  const seen = new Set<string>();
  return histories.filter((entry) => {
    // Two entries without an id are the same only when all they tell is.
    const identity = entry.id || JSON.stringify(entry);
    return seen.size < seen.add(identity).size;
  });
}
