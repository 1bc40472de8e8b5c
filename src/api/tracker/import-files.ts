import type { Worker } from 'node:worker_threads';
import { type FillSummary, fill } from '../../mirror/fill.ts';
import { openTrackerIssues } from '../../mirror/lists/tracker-issues.ts';
import type { Instant } from '../../model/issue.ts';
import type { TenantStore } from '../../store/store.ts';
import { createFileTracker } from '../../trackers/file/create-file-tracker.ts';
import type { FileProgress } from '../../trackers/file/read-bytes.ts';

export type { FileProgress, FillSummary };

/** The parts of an import; `thread` was started for these files. */
interface ImportWork {
  readonly store: TenantStore;
  readonly now: () => Instant;
  readonly onProgress: (progress: FileProgress) => void;
  readonly thread?: Worker | null;
}

/** Takes the issues of exported files into the store. */
export function importFiles(
  files: readonly string[],
  { store, now, onProgress, thread = null }: ImportWork,
): Promise<FillSummary> {
  const tracker = createFileTracker(files, onProgress, thread);
  return fill(tracker, openTrackerIssues(store, tracker.name), now);
}
