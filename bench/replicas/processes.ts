import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../../test/support/postgres-server.js';
import { type Server, startServer } from '../product/start-server.ts';

/** Behind this (ms) the balancer sends a request to another process. */
const PATIENCE_MS = 5_000;
/** How often (ms) the balancer asks each process whether it is ready. */
const LOOK_MS = 500;

/** One of several processes on a database. It has one address, also after it was killed. */
export interface Replica {
  readonly url: string;
  readonly isReady: () => boolean;
  /** Ends it without a word, and starts it again. */
  kill(): Promise<void>;
  /** Stops it in the middle of whatever it does, for so long (ms). */
  freeze(ms: number): Promise<void>;
  residentMb(): number;
  /** Lines of its log that tell of a fault of the program. */
  readonly faults: () => readonly string[];
  stop(): Promise<void>;
}

/** A process with the tokens that its first start has made. */
export interface OwnReplica extends Replica {
  readonly tokens: readonly string[];
}

export async function startReplica(
  folder: string,
  environment: Readonly<Record<string, string>>,
  slackApiUrl: string,
): Promise<OwnReplica> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const faults: string[] = [];
  let isReady = false;
  let isOver = false;
  let server: Server | null = null;

  const open = async () => {
    for (let tries = 0; ; tries += 1) {
      try {
        server = await startServer({
          ...{ dataDir: join(folder, String(port)), slackApiUrl },
          environment: { ...environment, PORT: String(port), BASE_URL: url },
        });
        return server.tokens;
      } catch (error) {
        // As a supervisor does it, while the database is away.
        if (tries === 20 || isOver) throw error;
        await pause(500);
      }
    }
  };
  const signal = (name: NodeJS.Signals) => {
    try {
      if (server !== null) process.kill(server.pid, name);
    } catch {
      // It has been killed, and is not started again yet.
    }
  };
  const takeFaults = () => {
    const log = server?.log ?? [];
    faults.push(...log.filter((line) => !/"level":(40|30)\b/.test(line)));
  };
  const looking = setInterval(async () => {
    const answer = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(2_000) }).catch(() => null);
    await answer?.arrayBuffer().catch(() => {});
    isReady = answer?.status === 200;
  }, LOOK_MS).unref();

  const tokens = await open();
  return {
    ...{ url, tokens, isReady: () => isReady, faults: () => faults },
    async kill() {
      takeFaults();
      signal('SIGKILL');
      await open();
    },
    async freeze(ms) {
      signal('SIGSTOP');
      await pause(ms);
      signal('SIGCONT');
    },
    residentMb() {
      try {
        const status = readFileSync(`/proc/${server?.pid}/status`, 'utf8');
        return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1_024);
      } catch {
        return 0;
      }
    },
    async stop() {
      isOver = true;
      clearInterval(looking);
      signal('SIGCONT');
      await server?.stop();
      takeFaults();
    },
  };
}

/** What came of a request that a balancer has sent on; status 0: no process answered it in time. */
export interface Balanced {
  readonly status: number;
  readonly text: string;
  readonly ms: number;
  /** How often it was sent again because a process was not there, or not ready. */
  readonly retries: number;
  /** It may have been done although no answer came. */
  readonly isUnclear: boolean;
}

/** Sends requests to ready processes by turns, and again where one does not answer. */
export function createBalancer(replicas: readonly Replica[]) {
  let turn = 0;
  const next = (): Replica => {
    turn += 1;
    const ready = replicas.filter((one) => one.isReady());
    const those = ready.length > 0 ? ready : replicas;
    const found = those[turn % those.length];
    if (found === undefined) throw new Error('There are no processes.');
    return found;
  };
  return {
    next,
    async send(path: string, init: RequestInit, limitMs: number): Promise<Balanced> {
      const begun = performance.now();
      let isUnclear = false;
      let timeouts = 0;
      for (let retries = 0; ; retries += 1) {
        const sentAt = performance.now();
        const answer = await fetch(`${next().url}${path}`, {
          ...init,
          signal: AbortSignal.timeout(PATIENCE_MS),
        })
          .then(async (response) => ({ status: response.status, text: await response.text() }))
          .catch(() => null);
        const ms = performance.now() - begun;
        if (answer !== null && ![502, 503].includes(answer.status))
          return { ...answer, ms, retries, isUnclear };
        isUnclear ||= answer === null;
        // More would keep busy whom so many have given up on.
        if (performance.now() - sentAt >= PATIENCE_MS) timeouts += 1;
        if (ms > limitMs || timeouts > 1)
          return { status: answer?.status ?? 0, text: answer?.text ?? '', ms, retries, isUnclear };
        await pause(100);
      }
    },
  };
}

export type Balancer = ReturnType<typeof createBalancer>;
