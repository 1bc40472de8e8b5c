import { afterEach } from '#jest';
import { createSync, type Sync } from '../../../src/mirror/sync/create-sync.ts';
import type { Instant } from '../../../src/model/issue.ts';
import { noSignals, type Signals } from '../../../src/store/signals.ts';
import type { LiveTracker } from '../../../src/trackers/live-tracker.ts';
import { openTestStore } from '../../support/open-test-store.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { waitForStop } from '../../support/wait-for-stop.ts';

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

interface Wish {
  readonly now: () => Instant;
  readonly wait?: (ms: number, signal?: AbortSignal) => Promise<void>;
  readonly withIssues?: boolean;
  /** What each process hears and says; no word of it arrives unless given. */
  readonly signals?: () => Signals;
  /** Called with how many issues are read from the store by revision. */
  readonly onRead?: (issues: number) => void;
}

interface Asking {
  readonly address?: string;
  readonly wish?: string | null;
}

/** A store, and processes that bring it up to date. */
export async function startSync({
  now,
  wait = waitForStop,
  withIssues = true,
  signals = () => noSignals,
  onRead = () => {},
}: Wish) {
  const store = await openTestStore(temporaryFolder());
  const problems: unknown[] = [];
  const readIssues = store.issues('jira');
  const watched: typeof readIssues = {
    ...readIssues,
    async changedSince(...from) {
      const chunk = await readIssues.changedSince(...from);
      onRead(chunk.issues.length);
      return chunk;
    },
  };
  let processes = 0;
  open.push(async () => store.close());
  return {
    issues: store.issues('jira'),
    kept: store.sync('jira'),
    problems,
    /** Another process that asks this tracker, at this address and for these issues. */
    process(tracker: LiveTracker, { address = 'https://demo.example', wish = null }: Asking = {}): Sync {
      processes += 1;
      const holder = `process ${processes}`;
      const sync = createSync({
        tracker,
        issues: watched,
        store: store.sync('jira'),
        signals: signals(),
        address,
        wish,
        now,
        wait,
        newId: () => holder,
        everyMs: 30_000,
        withIssues,
        onProblem: (problem) => void problems.push(problem),
      });
      open.unshift(() => sync.stop());
      return sync;
    },
  };
}

/** What is due, and no more. */
export const usual = { compare: false, acceptRemovals: false };
