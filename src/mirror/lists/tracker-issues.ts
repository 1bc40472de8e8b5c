import { memo } from '../../cache/namespace.ts';
import type { IssueStore, TenantStore } from '../../store/store.ts';
import { openDirectoryLists } from './directory-lists.ts';
import { openStatusLists } from './status-lists.ts';
import type { TrackerLists } from './tracker-lists.ts';

/** The issues of a tracker, with what is known beside them. */
export type TrackerIssues = IssueStore & TrackerLists;

const opened = memo((_store: Pick<TenantStore, 'issues'>) => new Map<string, TrackerIssues>());

/** The issues of a tracker in a store, and its lists; the same for the same tracker. */
export function openTrackerIssues(
  store: Pick<TenantStore, 'issues' | 'documents'>,
  tracker: string,
): TrackerIssues {
  const all = opened(store);
  const known = all.get(tracker);
  if (known !== undefined) return known;
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
