import type { IssueStore } from '../store/store.ts';
import type { Mirror } from './mirror.ts';
import { rememberFormerKeys, rememberIssues } from './remember-issues.ts';

/** The mirror of a tracker whose issues are kept in a store; another process's import shows at once. */
export function createStoreMirror(name: string, store: IssueStore): Mirror {
  return {
    tracker: async () => name,
    filledAt: () => store.filledAt(),
    issue: (key) => store.issue(key),
    formerKeys: rememberFormerKeys(store),
    issues: rememberIssues(store),
    settled: async () => {},
    directory: () => store.directory(),
    directoryFor: async () => ({ ...(await store.directory()), sight: null }),
    statuses: () => store.statuses(),
    users: (ids) => store.users(ids),
    recentKeys: (count) => store.recentKeys(count),
  };
}
