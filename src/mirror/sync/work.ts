import type { IssueStore } from '../../store/store.ts';
import type { SyncStore } from '../../store/sync-store.ts';
import type { LiveTracker } from '../../trackers/live-tracker.ts';
import type { FieldTitles } from '../field-titles.ts';
import type { Ask } from './ask-under-lease.ts';
import type { SyncState } from './sync-state.ts';

/** What the steps of a turn work with, as long as the lease is ours. */
export interface Work {
  readonly tracker: LiveTracker;
  readonly issues: IssueStore;
  readonly store: SyncStore;
  readonly titles: FieldTitles;
  readonly now: () => number;
  /** As it is kept. */
  state(): SyncState;
  /** Keeps some of it anew. */
  keep(part: Partial<SyncState>): Promise<void>;
  readonly ask: Ask;
  /** To be waited for between two pieces of work: whoever else has something to do does it, then progress is told. */
  breathe(): Promise<void>;
}
