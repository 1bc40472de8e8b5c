import { type FillSummary, fill } from '../mirror/fill.ts';
import type { Instant } from '../model/issue.ts';
import type { Store } from '../store/store.ts';
import { createFileTracker } from '../trackers/file/create-file-tracker.ts';
import type { FileProgress } from '../trackers/file/read-bytes.ts';

export type { FileProgress, FillSummary };

/** Takes the issues of exported files into the store. */
export function importFiles(
  files: readonly string[],
  store: Store,
  now: () => Instant,
  onProgress: (progress: FileProgress) => void,
): Promise<FillSummary> {
  const tracker = createFileTracker(files, onProgress);
  return fill(tracker, store.issues(tracker.name), now);
}
