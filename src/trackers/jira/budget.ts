import type { Instant } from '../../model/issue.ts';
import type { JiraQuestion } from './jira-client.ts';

const AT_ONCE = 8;
const LARGEST_BURST = 10;

/** Longer than this nobody waits: the failure is told instead. Behind questions about rights there is somebody. */
const LONGEST_PAUSE_MS = 600_000;
const LONGEST_PAUSE_OF_ASKERS_MS = 5_000;

/** In place of an outcome: nothing was done, because until then nothing may be asked there. */
export interface Paused {
  readonly kind: 'paused';
  readonly until: Instant;
}

/** How often Jira is asked: so many requests a minute, few at once, and none where it asked us to wait. */
export interface Budget {
  /** Runs the task when its turn has come. A lane has requests of its own: as many a minute, all of them at once if need be. */
  run<Outcome>(
    endpoint: string,
    task: () => Promise<Outcome>,
    lane?: JiraQuestion['lane'],
  ): Promise<Outcome | Paused>;
  /** Keeps every new request from an endpoint, or from all of them (null), until then. */
  pause(endpoint: string | null, until: Instant): void;
}

/** What a budget goes by. `closing` ends every wait; its reason is what those who waited are told. */
export interface BudgetParts {
  readonly requestsPerMinute: number;
  readonly now: () => Instant;
  readonly wait: (ms: number, signal?: AbortSignal) => Promise<void>;
  readonly closing: AbortSignal;
}

/** A budget of `requestsPerMinute`, of which at most ten, and at most a sixth of them, are sent in one burst. */
export function createBudget({ requestsPerMinute, now, wait, closing }: BudgetParts): Budget {
  const pauses = new Map<string | null, Instant>();
  const waiting: (() => void)[] = [];
  let free = AT_ONCE;

  async function rest(ms: number): Promise<void> {
    await wait(ms, closing);
    closing.throwIfAborted();
  }

  /** When the endpoint may be asked again; long ago where it may be asked now. */
  function pausedUntil(endpoint: string): Instant {
    return Math.max(pauses.get(endpoint) ?? 0, pauses.get(null) ?? 0);
  }

  async function takePlace(): Promise<void> {
    if (free > 0) free--;
    else await new Promise<void>((resolve) => waiting.push(resolve));
  }

  function leavePlace(): void {
    const next = waiting.shift();
    if (next === undefined) free++;
    else next();
  }

  /** Turns that come apart from each other, but for a burst of them. */
  function turnsOf(burst: number): () => Promise<void> {
    const apartMs = 60_000 / requestsPerMinute;
    let nextAt = Number.NEGATIVE_INFINITY;
    return async () => {
      const at = now();
      // Only those with a place have a turn ahead of them; whatever is later comes from a clock that was set back.
      nextAt = Math.min(Math.max(nextAt, at - (burst - 1) * apartMs), at + AT_ONCE * apartMs);
      const mine = nextAt;
      nextAt += apartMs;
      if (mine > at) await rest(mine - at);
    };
  }
  const takeTurn = turnsOf(Math.max(1, Math.min(LARGEST_BURST, Math.floor(requestsPerMinute / 6))));
  const takeTurnOfAskers = turnsOf(requestsPerMinute);

  return {
    async run(endpoint, task, lane) {
      const longest = lane === 'rights' ? LONGEST_PAUSE_OF_ASKERS_MS : LONGEST_PAUSE_MS;
      for (;;) {
        closing.throwIfAborted();
        const until = pausedUntil(endpoint);
        const pause = until - now();
        if (pause > longest) return { kind: 'paused', until };
        if (pause > 0) {
          await rest(pause);
          continue;
        }
        await takePlace();
        try {
          closing.throwIfAborted();
          await (lane === undefined ? takeTurn() : takeTurnOfAskers());
          if (pausedUntil(endpoint) <= now()) return await task();
        } finally {
          leavePlace();
        }
      }
    },
    pause(endpoint, until) {
      pauses.set(endpoint, Math.max(pauses.get(endpoint) ?? 0, until));
    },
  };
}
