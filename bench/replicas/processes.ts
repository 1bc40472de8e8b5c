import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Server, startServer } from '../product/start-server.ts';

/** How often (ms) the balancer asks each process whether it is ready, and how long it waits for the answer. */
const LOOK_MS = 500;
const LOOK_PATIENCE_MS = 2_000;
/** Below the ports that systems give to connections: one of these would keep a process from starting again. */
const PORTS = { first: 20_000, count: 10_000 };

/** One of several processes on a database. It has one address, also after it was killed. */
export interface Replica {
  readonly url: string;
  readonly isReady: () => boolean;
  /** Aborts when the process no longer answers at all, as while it is stopped. */
  readonly whileUp: () => AbortSignal;
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
  const port = await fixedPort();
  const url = `http://127.0.0.1:${port}`;
  const faults: string[] = [];
  let isReady = false;
  let up = new AbortController();
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
  let late = 0;
  const look = async () => {
    const signal = AbortSignal.timeout(LOOK_PATIENCE_MS);
    const answer = await fetch(`${url}/readyz`, { signal }).catch(() => null);
    await answer?.arrayBuffer().catch(() => {});
    late = signal.aborted ? late + 1 : 0;
    // A busy process may be late once.
    isReady = answer?.status === 200 || (isReady && late === 1);
    if (late === 2) up.abort();
    if (isReady && up.signal.aborted) up = new AbortController();
  };
  const looking = new AbortController();
  const lookAgain = async () => {
    while (!looking.signal.aborted) {
      await look();
      await pause(LOOK_MS, undefined, { ref: false });
    }
  };
  void lookAgain();

  let starting = open();
  const tokens = await starting;
  return {
    ...{ url, tokens, isReady: () => isReady, whileUp: () => up.signal, faults: () => faults },
    async kill() {
      // One that still starts is killed when it has.
      starting = starting.then(() => {
        takeFaults();
        signal('SIGKILL');
        return open();
      });
      await starting;
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
      looking.abort();
      signal('SIGCONT');
      await server?.stop();
      takeFaults();
    },
  };
}

/** Returns a port that nothing listens on, and that no connection is given. */
export async function fixedPort(): Promise<number> {
  for (let tries = 0; ; tries += 1) {
    const port = PORTS.first + Math.floor(Math.random() * PORTS.count);
    const server = createServer();
    try {
      server.listen(port, '127.0.0.1');
      await once(server, 'listening');
      return port;
    } catch (error) {
      if (tries === 20) throw error;
    } finally {
      server.close();
    }
  }
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

/** Sends requests to ready processes by turns, and again where one is gone or not ready. */
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
      const limit = AbortSignal.timeout(limitMs);
      for (let retries = 0; ; retries += 1) {
        const replica = next();
        const signal = AbortSignal.any([limit, replica.whileUp()]);
        const answer = await fetch(`${replica.url}${path}`, { ...init, signal })
          .then(async (response) => ({ status: response.status, text: await response.text() }))
          .catch(() => null);
        const ms = performance.now() - begun;
        if (answer !== null && ![502, 503].includes(answer.status))
          return { ...answer, ms, retries, isUnclear };
        isUnclear ||= answer === null;
        if (limit.aborted)
          return { status: answer?.status ?? 0, text: answer?.text ?? '', ms, retries, isUnclear };
        await pause(100);
      }
    },
  };
}

export type Balancer = ReturnType<typeof createBalancer>;
