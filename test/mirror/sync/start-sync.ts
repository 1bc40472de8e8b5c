import { afterEach } from '#jest';
import { createSync } from '../../../src/mirror/sync/create-sync.ts';
import type { TurnInput } from '../../../src/mirror/sync/take-steps.ts';
import type { Instant } from '../../../src/model/issue.ts';
import { noSignals, type Signals } from '../../../src/store/store.ts';
import type { LiveTracker } from '../../../src/trackers/live-tracker.ts';
import { type LivingOptions, livingTracker } from '../../support/living-tracker.ts';
import { openTestStore } from '../../support/open-test-store.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { waitForStop } from '../../support/wait-for-stop.ts';

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

interface Options {
  readonly wait?: (ms: number, signal?: AbortSignal) => Promise<void>;
  readonly withIssues?: boolean;
  readonly withAccess?: boolean;
  /** The signals of each process; left out, none arrives. */
  readonly signals?: () => Signals;
  /** Called with the number of issues that are read from the store by revision. */
  readonly onRead?: (issues: number) => void;
}

interface Configuration {
  readonly address?: string;
  readonly wish?: string | null;
}

/** A store, and processes that bring it up to date. */
export async function startSync({
  now,
  wait = waitForStop,
  withIssues = true,
  withAccess = false,
  signals = () => noSignals,
  onRead = () => {},
}: Options & { readonly now: () => Instant }) {
  const store = await openTestStore(temporaryFolder());
  open.push(async () => store.close());
  const issues = store.issues('jira');
  const watched: typeof issues = {
    ...issues,
    async changedSince(...from) {
      const chunk = await issues.changedSince(...from);
      onRead(chunk.issues.length);
      return chunk;
    },
  };
  let processes = 0;
  /** Another process that reads this tracker, with a configured address and query. */
  const process = (
    tracker: LiveTracker,
    { address = 'https://demo.example', wish = null }: Configuration = {},
  ) => {
    processes += 1;
    const holder = `process ${processes}`;
    const sync = createSync({
      ...{
        tracker,
        issues: watched,
        store: store.sync('jira'),
        signals: signals(),
        address,
        wish,
        now,
        wait,
      },
      ...{ newId: () => holder, everyMs: 30_000, withAccess, withIssues, onProblem: () => {} },
    });
    open.unshift(() => sync.stop());
    /** Takes a turn with the steps that are due, and more. */
    const turn = (more: Partial<TurnInput> = {}, onProgress: Parameters<typeof sync.run>[1] = () => {}) =>
      sync.run({ compare: false, acceptRemovals: false, ...more }, onProgress);
    return { ...sync, turn };
  };
  return {
    issues,
    kept: store.sync('jira'),
    process,
    /** Another process after its first turn. */
    async filled(...input: Parameters<typeof process>) {
      const sync = process(...input);
      await sync.turn();
      return sync;
    },
  };
}

/** The same with a tracker that changes, an issue in each of these projects, and a clock of the test's own. */
export async function startLiving(
  projects: readonly string[],
  options: Partial<LivingOptions> & Options = {},
) {
  const time = { now: Date.parse('2026-03-02T09:00:00Z') };
  const requests: string[] = [];
  const tracker = livingTracker({
    ...{ ourNow: () => time.now, pageSize: 50 },
    ...options,
    before(method) {
      requests.push(method);
      return options.before?.(method);
    },
  });
  const ids = projects.map((project) => tracker.create(project));
  return { time, requests, tracker, ids, ...(await startSync({ now: () => time.now, ...options })) };
}

/** The project of each of some issues. */
export const inDemo = (count: number) => Array.from({ length: count }, () => 'DEMO');
