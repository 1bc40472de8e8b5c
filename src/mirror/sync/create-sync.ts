import pLimit from 'p-limit';
import { type Lease, runLeased } from '../../concurrency/leased-worker.ts';
import { AppError } from '../../model/error.ts';
import type { SyncProblem, SyncProgress, SyncStatus } from '../../model/sync.ts';
import type { UnreadIssue } from '../mirror.ts';
import { problemText, progressOf, readRejected, readState, readUnread } from './sync-state.ts';
import { createNudges } from './take-issues.ts';
import { takeSteps, type Wish } from './take-steps.ts';
import {
  Interrupted,
  openWork,
  requestUnderLease,
  type SendRequest,
  type SyncParts,
  type Work,
} from './work.ts';

/** How long (ms) nudges are collected, how often progress is reported, and the longest pause after failures. */
const COLLECT_MS = 1000;
const PROGRESS_MS = 1000;
const MAX_PAUSE_MS = 600_000;
/** How long (ms) others leave us alone, and how often that is renewed; who is killed keeps others waiting as long. */
const LEASE_MS = 30_000;
const RENEW_MS = 10_000;

/** Keeps what is in the store like what is in the tracker. */
export interface Sync {
  /** Returns the status without what has to be counted. */
  progress(): Promise<SyncProgress>;
  status(): Promise<SyncStatus | null>;
  /** Why nothing of what is kept may be shown: it is, or may be, of another site than the one that is asked; or null. */
  refusal(): Promise<string | null>;
  /** Issues that could not be taken and of which no older version is kept. */
  unread(): Promise<readonly UnreadIssue[]>;
  run(wish: Wish, onProgress: (status: SyncStatus) => void): Promise<SyncStatus>;
  /** Something happened to these issues of the tracker, by id: resolves once that is stored, and they are looked at soon. */
  nudge(ids: readonly string[]): Promise<void>;
  start(): void;
  stop(): Promise<void>;
}

/** The synchronisation of one tracker with one store, of which one process at a time takes a turn. */
export function createSync(parts: SyncParts): Sync {
  const { tracker, store, signals, now, wait, everyMs, withIssues, onProblem, onStatus } = parts;
  const holder = parts.newId();
  const startedAt = now();
  const stopping = new AbortController();
  const { signal } = stopping;
  const nudges = createNudges(store);
  const countKept = createCountKept(parts);
  const listeners = new Set<(status: SyncStatus) => void>();
  let site: { readonly refusal: string | null } | null = null;
  const onSite = (refusal: string | null) => {
    site = { refusal };
  };
  const lasting = {
    nudges,
    onSite,
    onProgress: reportProgress,
    onProblem,
    counted: tracker.connection.requests(),
    knownValues: null,
  };
  let reportedAt = Number.NEGATIVE_INFINITY;
  let lastProblem: SyncProblem | null = null;
  const mutex = pLimit(1);
  let looping: Promise<void> | null = null;
  let collecting: Promise<void> | null = null;
  let endSignals = () => {};

  async function progress(): Promise<SyncProgress> {
    const state = readState(await store.state());
    const { wish } = parts;
    const rejected = await readRejected(store);
    return progressOf(state, { rejected, wish, withIssues, startedAt, problem: lastProblem });
  }

  async function status(): Promise<SyncStatus> {
    return { ...(await progress()), ...(await countKept()) };
  }

  async function refusal(): Promise<string | null> {
    if (site !== null) return site.refusal;
    const state = readState(await store.state());
    if (state === null || state.address === parts.address) return null;
    return `This DATA_DIR holds the issues of '${state.site}', and it is unknown whether that is the site at '${parts.address}' until it answers. Until then no issues are shown.`;
  }

  async function reportProgress(): Promise<void> {
    if (listeners.size === 0 || Math.abs(now() - reportedAt) < PROGRESS_MS) return;
    reportedAt = now();
    const current = await status();
    for (const listener of listeners) listener(current);
  }

  /** Does it when nothing else of ours is under way; false while another process does something. */
  function alone(take: (work: Work) => Promise<void>, acceptAddress = false): Promise<boolean> {
    return mutex(() => underLease(take, acceptAddress));
  }

  async function underLease(take: (work: Work) => Promise<void>, acceptAddress: boolean): Promise<boolean> {
    if (signal.aborted) throw new Interrupted('stopped');
    const claim = (lease: Lease) => store.claim(lease, now());
    const leasing = {
      holder,
      now,
      leaseMs: LEASE_MS,
      renewMs: RENEW_MS,
      claim: async (lease: () => Lease) => ((await claim(lease())) ? store : null),
      renew: (_: unknown, lease: Lease) => claim(lease),
      // Whatever goes wrong there shows with the next answer.
      onUnrenewed: () => {},
    };
    let isOurs = false;
    try {
      const isDone = await runLeased(leasing, (_, hold) => {
        isOurs = true;
        return turn(requestUnderLease(hold, signal), take, acceptAddress);
      });
      if (isDone === null) lastProblem = null;
      return isDone ?? false;
    } finally {
      // Renewed after that, it would be ours again.
      if (isOurs) await store.release(holder);
    }
  }

  async function turn(
    request: SendRequest,
    take: (work: Work) => Promise<void>,
    acceptAddress: boolean,
  ): Promise<boolean> {
    let work: Work | null = null;
    nudges.hint();
    try {
      work = await openWork(parts, request, lasting, acceptAddress);
      await take(work);
      await work.useValues();
      lastProblem = null;
      return true;
    } catch (error) {
      if (error instanceof Interrupted && error.why === 'taken over') return false;
      if (!(error instanceof Interrupted)) await noteProblem(error, work);
      throw error;
    }
  }

  /** Kept for other processes where there is something to keep it with; the store itself may be what fails. */
  async function noteProblem(error: unknown, work: Work | null): Promise<void> {
    const problem = { at: now(), message: problemText(error) };
    lastProblem = problem;
    try {
      const state = readState(await store.state());
      if (work !== null) await work.keep({ problem, step: 'rests' });
      else if (state !== null) await store.putState({ ...state, problem, step: 'rests' });
    } catch (again) {
      onProblem(again);
    }
  }

  async function loop(): Promise<void> {
    if (onStatus !== undefined) listeners.add(onStatus);
    for (let failures = 0; !signal.aborted; ) {
      try {
        onStatus?.(await status());
        await alone((work) => takeSteps(work, withIssues, { compare: false, acceptRemovals: false }));
        failures = 0;
        onStatus?.(await status());
      } catch (error) {
        if (error instanceof Interrupted) return;
        failures += 1;
        onProblem(error);
      }
      const pause = Math.min(everyMs * 2 ** failures, Math.max(everyMs, MAX_PAUSE_MS));
      await wait(pause, signal);
    }
  }

  /** Settles nudges soon, until there are none. */
  function collect(): void {
    if (signal.aborted) return;
    collecting ??= collectNudges().finally(() => {
      collecting = null;
    });
  }

  async function collectNudges(): Promise<void> {
    do await wait(COLLECT_MS, signal);
    while (!(await areNudgesDone()));
  }

  /** Returns true where no nudge is left to be read; while another process has its turn, one is. */
  async function areNudgesDone(): Promise<boolean> {
    // Whose issues they are is known after the first turn, which settles them itself.
    if (signal.aborted || site?.refusal !== null) return true;
    try {
      if (await nudges.areNone()) return true;
      await alone((work) => nudges.settle(work));
      return false;
    } catch (error) {
      // The next turn settles them.
      if (!(error instanceof Interrupted)) onProblem(error);
      return true;
    }
  }

  return {
    progress,
    status,
    refusal,
    unread: () => readUnread(store),
    async run(wish, onProgress) {
      listeners.add(onProgress);
      try {
        while (!(await alone((work) => takeSteps(work, withIssues, wish), wish.acceptAddress))) {
          onProgress(await status());
          await wait(PROGRESS_MS, signal);
        }
        return await status();
      } catch (error) {
        if (!(error instanceof Interrupted)) throw error;
        throw new AppError('stopping', 'The sync was stopped; the next one continues from there.');
      } finally {
        listeners.delete(onProgress);
      }
    },
    async nudge(ids) {
      if (!withIssues) return;
      await nudges.add(ids);
      signals.send('sync');
      collect();
    },
    start() {
      if (looping !== null) return;
      looping = loop();
      endSignals = signals.on('sync', () => {
        nudges.hint();
        collect();
      });
    },
    async stop() {
      stopping.abort();
      endSignals();
      await looping;
      await collecting;
      await mutex(async () => {});
    },
  };
}

type StoredCounts = Pick<SyncStatus, 'issues' | 'cutHistories'>;

/** Counts the issues that are kept, and again only when something has changed. */
function createCountKept({
  issues,
  store,
}: Pick<SyncParts, 'issues' | 'store'>): () => Promise<StoredCounts> {
  let known: { readonly mark: string; readonly counts: StoredCounts } | null = null;
  return async () => {
    const mark = await issues.mark();
    if (known?.mark !== mark) {
      known = { mark, counts: { issues: await issues.count(), cutHistories: await store.countCut() } };
    }
    return known.counts;
  };
}
