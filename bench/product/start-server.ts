import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { malloc } from '../measure.ts';

const started = z.object({ url: z.string(), tokens: z.array(z.string()) });
const watched = z.object({
  ...{ late: z.number(), held: z.number(), peakMb: z.number(), cpuMs: z.number() },
  ...{ residentMb: z.number(), heapMb: z.number(), outsideMb: z.number() },
});

/** A Dwell that serves from another process. */
export interface Server extends z.output<typeof started> {
  /** Lines of its log at the level of warnings and above. */
  readonly log: readonly string[];
  readonly pid: number;
  /** How long its loop kept others waiting since this was last asked (ms), its memory, and the processor time it ever used. */
  watched(): Promise<z.output<typeof watched>>;
  stop(): Promise<void>;
}

/** Starts one over the imported issues of a folder. `PROFILE` names a folder for a profile of its processor. */
export async function startServer({
  dataDir,
  slackApiUrl,
  environment = {},
}: {
  readonly dataDir: string;
  readonly slackApiUrl?: string;
  readonly environment?: Readonly<Record<string, string>>;
}): Promise<Server> {
  const { PROFILE, HEAP } = process.env;
  const child: ChildProcess = fork(
    `${import.meta.dirname}/serve.ts`,
    slackApiUrl === undefined ? [] : [slackApiUrl],
    {
      // As `npm start` runs it.
      execArgv: [
        '--disable-warning=ExperimentalWarning',
        '--max-semi-space-size=16',
        '--v8-pool-size=0',
        '--expose-gc',
        ...(PROFILE === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${PROFILE}`]),
        ...(HEAP === undefined ? [] : [`--max-old-space-size=${HEAP}`]),
      ],
      env: { ...process.env, ...malloc, ...serverEnvironment(dataDir), ...environment },
      stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
    },
  );
  const log: string[] = [];
  if (child.stderr !== null) createInterface(child.stderr).on('line', (line) => log.push(line));
  const answer = async () => {
    const waiting = new AbortController();
    const { signal } = waiting;
    try {
      const [message] = await Promise.race([
        once(child, 'message', { signal }),
        once(child, 'exit', { signal }).then(() =>
          Promise.reject(new Error(`The server has ended. ${log.slice(-20).join('\n')}`)),
        ),
      ]);
      return message;
    } finally {
      waiting.abort();
    }
  };
  const ready = started.parse(await answer());
  return {
    ...ready,
    log,
    pid: child.pid ?? 0,
    async watched() {
      child.send('waits');
      return watched.parse(await answer());
    },
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.send('stop');
      await ended;
    },
  };
}

/** What a server over imported issues is started with. */
export function serverEnvironment(dataDir: string): Readonly<Record<string, string>> {
  return {
    PORT: '0',
    DATA_DIR: dataDir,
    TRACKER: 'file',
    TIME_ZONE: 'UTC',
    LOG_LEVEL: 'warn',
    PLAYGROUND: 'off',
    // What is measured is what the server is able to do.
    MAX_REQUESTS_PER_MINUTE: 'off',
    MAX_REQUESTS_PER_MINUTE_PER_ADDRESS: 'off',
    MAX_REQUESTS_PER_MINUTE_PER_TENANT: 'off',
  };
}
