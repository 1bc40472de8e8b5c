import { memo } from '../../cache/namespace.ts';
import type { Issue } from '../../model/issue.ts';
import type { IssueStore, TenantStore } from '../../store/store.ts';
import { openDirectoryLists, openStatusLists, type TrackerLists } from './tracker-lists.ts';

/** The issues of a tracker, and its lists. */
export type TrackerIssues = IssueStore & TrackerLists;

const opened = memo((_store: Pick<TenantStore, 'issues'>) => new Map<string, TrackerIssues>());

/** The issues of a tracker in a store, and its lists; the same for the same tracker. */
export function openTrackerIssues(
  store: Pick<TenantStore, 'issues' | 'documents'>,
  tracker: string,
): TrackerIssues {
  const all = opened(store);
  const before = all.get(tracker);
  if (before !== undefined) return before;
  const { facts, directory, statuses, statusCategories } = store.documents(tracker);
  const issues: TrackerIssues = {
    ...store.issues(tracker),
    ...openStatusLists(statuses, statusCategories),
    ...openDirectoryLists(directory),
    async historyValues() {
      const text = await facts.get('history values');
      return text === null ? null : String(text);
    },
    async putHistoryValues(text) {
      await facts.change('history values', () => text);
    },
    async filledAt() {
      const at = await facts.get('filled');
      return at === null ? null : Number(at);
    },
    async putFilledAt(at) {
      await facts.change('filled', () => at);
    },
  };
  all.set(tracker, issues);
  return issues;
}

/** Issues read from the store at once. */
const CHUNK_ISSUES = 500;

/** Yields the issues that changed after one revision, up to another one; issues that are written meanwhile do not come again. */
export async function* issuesChanged(
  store: Pick<IssueStore, 'changedSince'>,
  since: number,
  last: number,
): AsyncGenerator<readonly Issue[]> {
  for (let revision = since; revision < last; ) {
    const chunk = await store.changedSince(revision, CHUNK_ISSUES);
    // A failover has lost the rest.
    if (chunk.revision === revision) return;
    yield chunk.issues.map(({ issue }) => issue);
    revision = chunk.revision;
  }
}
