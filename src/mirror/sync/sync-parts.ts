import type { Instant } from '../../model/issue.ts';
import type { SyncStatus } from '../../model/sync.ts';
import type { IssueStore } from '../../store/store.ts';
import type { SyncStore } from '../../store/sync-store.ts';
import type { LiveTracker } from '../../trackers/live-tracker.ts';

/** What a synchronisation works with. */
export interface SyncParts {
  readonly tracker: LiveTracker;
  readonly issues: IssueStore;
  readonly store: SyncStore;
  /** Where the tracker is, as it is configured; known also while nobody answers there. */
  readonly address: string;
  /** Which of its issues are kept: its own query; null: all that our account may see. */
  readonly wish: string | null;
  readonly now: () => Instant;
  /** Resolves after so many ms, or when aborted; keeps no process alive. */
  readonly wait: (ms: number, signal?: AbortSignal) => Promise<void>;
  readonly newId: () => string;
  /** Between two looks at what was updated. */
  readonly everyMs: number;
  /** False: only the lists are taken, for who people are, and no issues. */
  readonly withIssues: boolean;
  /** Told of what goes wrong between turns. */
  readonly onProblem: (error: unknown) => void;
  /** Told that the site whose issues are kept has another address now. */
  readonly onMoved?: (move: { readonly from: string; readonly to: string }) => void;
  /** Told how things stand before each turn that nobody asked for, now and then during it, and after it. */
  readonly onStatus?: (status: SyncStatus) => void;
}
