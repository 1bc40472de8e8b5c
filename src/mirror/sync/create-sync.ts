import pLimit from 'p-limit';
import { type Lease, runLeased } from '../../concurrency/leased-worker.ts';
import { AppError } from '../../model/error.ts';
import type { SyncProblem, SyncProgress, SyncStatus } from '../../model/sync.ts';
import type { UnreadIssue } from '../mirror.ts';
import { problemText, progressOf, readRejected, readState, readUnread } from './sync-state.ts';
import { openNudges } from './take-issues.ts';
import { type TurnInput, takeSteps } from './take-steps.ts';
import {
  Interrupted,
  openSyncWork,
  requestUnderLease,
  type SendRequest,
  type SyncParts,
  type SyncWork,
} from './work.ts';

/** The time (ms) for which nudges are collected, the pause between reports of progress, and the longest one after failures. */
const COLLECT_MS = 1000;
const PROGRESS_MS = 1000;
const MAX_PAUSE_MS = 600_000;
/** The duration (ms) of a lease, and the pause between renewals; a killed process keeps others waiting for a lease. */
const LEASE_MS = 30_000;
const RENEW_MS = 10_000;

/** Keeps the store up to date with a tracker. */
interface Sync {
  /** Returns the status without the parts that have to be counted. */
  progress(): Promise<SyncProgress>;
  status(): Promise<SyncStatus>;
  /** Returns a sentence why no stored issue may be shown: it is, or may be, of another site than the tracker's; or null. */
  refusal(): Promise<string | null>;
  /** Lists the rejected issues of which no older version is stored. */
  unread(): Promise<readonly UnreadIssue[]>;
  run(input: TurnInput, onProgress: (status: SyncStatus) => void): Promise<SyncStatus>;
  /** Notes issues of the tracker, by id, as changed: resolves once that is stored, and they are read soon. */
  nudge(ids: readonly string[]): Promise<void>;
  start(): void;
  stop(): Promise<void>;
}

/** Creates the synchronisation of one tracker with one store, of which one process at a time takes a turn. */
export function createSync(parts: SyncParts): Sync {
  const { tracker, issues, store, signals, now, wait, everyMs, withIssues, onProblem, onStatus } = parts;
  const holder = parts.newId();
  const startedAt = now();
  const stopping = new AbortController();
  const { signal } = stopping;
  const nudges = openNudges(store, now);
  const listeners = new Set<(status: SyncStatus) => void>();
  /** Null until the tracker has answered. */
  let site: { readonly refusal: string | null } | null = null;
  /** The counts of stored issues, and the mark of the store at which they were counted. */
  let known: { readonly mark: string; readonly counts: Pick<SyncStatus, 'issues' | 'cutHistories'> } | null =
    null;
  const lasting = {
    nudges,
    onSite(refusal: string | null) {
      site = { refusal };
    },
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
    const rejected = await readRejected(store);
    return progressOf(state, { rejected, query: parts.wish, withIssues, startedAt, problem: lastProblem });
  }

  async function status(): Promise<SyncStatus> {
    const current = await progress();
    const mark = await issues.mark();
    if (known?.mark !== mark) {
      known = { mark, counts: { issues: await issues.count(), cutHistories: await store.countCut() } };
    }
    return { ...current, ...known.counts };
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

  /** Takes a turn; false while another process takes one. */
  async function underLease(
    take: (work: SyncWork) => Promise<void>,
    acceptAddress: boolean,
  ): Promise<boolean> {
    if (signal.aborted) throw new Interrupted('stopped');
    const claim = (lease: Lease) => store.claim(lease, now());
    const leasing = {
      holder,
      now,
      leaseMs: LEASE_MS,
      renewMs: RENEW_MS,
      claim: async (lease: () => Lease) => ((await claim(lease())) ? store : null),
      renew: (_: unknown, lease: Lease) => claim(lease),
      // A failure shows with the next answer.
      onUnrenewed: () => {},
    };
    let isOurs = false;
    try {
      const isDone = await runLeased(leasing, (_, hold) => {
        isOurs = true;
        return takeTurn(requestUnderLease(hold, signal), take, acceptAddress);
      });
      if (isDone === null) lastProblem = null;
      return isDone ?? false;
    } finally {
      // A renewal after the release would take the lease again.
      if (isOurs) await store.release(holder);
    }
  }

  async function takeTurn(
    request: SendRequest,
    take: (work: SyncWork) => Promise<void>,
    acceptAddress: boolean,
  ): Promise<boolean> {
    let work: SyncWork | null = null;
    nudges.hint();
    try {
      work = await openSyncWork(parts, request, lasting, acceptAddress);
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

  /** Stores a problem for other processes where there is a state to store it with; the store itself may fail. */
  async function noteProblem(error: unknown, work: SyncWork | null): Promise<void> {
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

  /** The same where another turn of this process may be under way. */
  const inTurn = (take: (work: SyncWork) => Promise<void>, acceptAddress = false) =>
    mutex(() => underLease(take, acceptAddress));

  async function loop(): Promise<void> {
    if (onStatus !== undefined) listeners.add(onStatus);
    for (let failures = 0; !signal.aborted; ) {
      try {
        onStatus?.(await status());
        await inTurn((work) => takeSteps(work, parts, { compare: false, acceptRemovals: false }));
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

  /** Reads the issues of nudges soon, until there are none. */
  function collect(): void {
    if (signal.aborted) return;
    collecting ??= collectNudges().finally(() => {
      collecting = null;
    });
  }

  async function collectNudges(): Promise<void> {
    for (;;) {
      await wait(COLLECT_MS, signal);
      // Before the first turn the site is unknown; that turn reads the nudges itself.
      if (signal.aborted || site?.refusal !== null) return;
      try {
        if (await nudges.areNone()) return;
        // While another process has its turn, the nudges stay.
        await inTurn((work) => nudges.settle(work));
      } catch (error) {
        // The next turn reads them.
        if (!(error instanceof Interrupted)) onProblem(error);
        return;
      }
    }
  }

  return {
    progress,
    status,
    refusal,
    unread: () => readUnread(store),
    async run(input, onProgress) {
      listeners.add(onProgress);
      try {
        while (!(await inTurn((work) => takeSteps(work, parts, input), input.acceptAddress))) {
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
