import { rmSync } from 'node:fs';
import { pino } from 'pino';
import { buildDwell, type Surroundings } from '../../src/compose/build-dwell.ts';
import { readConfig } from '../../src/compose/config.ts';
import { asActor } from '../../src/concurrency/request-scope.ts';
import type { OnStatement } from '../../src/store/sql/engine.ts';
import { allExplained } from './partitions.ts';
import { runCommand } from './run-command.ts';
import { storeEngine } from './store-engine.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** Tests send more from one address than clients do. */
export const withoutLimits = {
  MAX_REQUESTS_PER_MINUTE: 'off',
  MAX_REQUESTS_PER_MINUTE_PER_ADDRESS: 'off',
  MAX_REQUESTS_PER_MINUTE_PER_TENANT: 'off',
} as const;

/** Everything may be left out. `at` fixes the clock; `environment` is what an admin would set. */
export interface DwellOptions {
  readonly at?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly clockOffset?: () => Promise<number>;
  readonly slackApiUrl?: string;
  readonly slackWait?: Surroundings['slackWait'];
  readonly log?: Surroundings['log'];
  readonly newCode?: () => string;
  readonly dataDir?: string;
  readonly tenant?: string;
  readonly trackerBuilder?: Surroundings['trackerBuilder'];
  readonly onStatement?: OnStatement;
  readonly meters?: Surroundings['meters'];
  readonly lateMs?: () => number;
  readonly onRefused?: Surroundings['onRefused'];
}

/** A Dwell with its doors open on a loopback port, with its own store, and the sentences a user would say to it. */
export type TestDwell = Awaited<ReturnType<typeof startDwell>>;

/** What came back over REST; `json` is null where the answer is none, and of any shape for tests to look into. */
export interface RestAnswer {
  readonly status: number;
  readonly type: string | null;
  readonly headers: Headers;
  readonly text: string;
  readonly json: ReturnType<typeof JSON.parse>;
}

export async function startDwell({
  at,
  environment = {},
  // Its clock is none of a database.
  clockOffset = async () => 0,
  slackApiUrl,
  slackWait,
  newCode,
  log = pino({ level: 'silent' }),
  dataDir,
  tenant,
  trackerBuilder,
  onStatement,
  meters,
  lateMs = () => 0,
  onRefused,
}: DwellOptions = {}) {
  const data = dataDir ?? temporaryFolder();
  const clock = { now: at === undefined ? Date.parse('2026-03-18T12:00:00Z') : Date.parse(at) };
  await storeEngine.make(data);
  const config = readConfig({
    PORT: '0',
    DATA_DIR: data,
    TIME_ZONE: 'UTC',
    LOG_LEVEL: 'silent',
    ...withoutLimits,
    ...storeEngine.environment(data),
    ...environment,
  });
  const dwell = await buildDwell(config, {
    now: () => clock.now,
    log,
    idleMs: 0,
    ...(tenant === undefined ? {} : { tenant }),
    clockOffset,
    random: () => 0.5,
    lateMs,
    ...(onRefused === undefined ? {} : { onRefused }),
    ...(slackApiUrl === undefined ? {} : { slackApiUrl }),
    ...(slackWait === undefined ? {} : { slackWait }),
    ...(newCode === undefined ? {} : { newCode }),
    ...(trackerBuilder === undefined ? {} : { trackerBuilder }),
    ...(meters === undefined ? {} : { meters }),
    onStatement(...statement) {
      if (config.databaseUrl !== null) storeEngine.onStatement(...statement);
      return onStatement?.(...statement);
    },
  });
  const running = await dwell.start().catch(async (error) => {
    await dwell.stop();
    throw error;
  });

  const beside: string[] = [];

  /** Runs a command of the command line and returns what it printed and its exit code. */
  const types = (...args: string[]) => typesUntil(new AbortController().signal, async () => {}, ...args);

  /** The same of one that waits, until a signal as of a kill. */
  async function typesUntil(
    killed: AbortSignal,
    wait: (ms: number) => Promise<void>,
    ...args: string[]
  ): Promise<{ lines: string[]; code: number }> {
    const lines: string[] = [];
    const out = (line: string) => void lines.push(line);
    const err = (line: string) => void beside.push(line);
    const parts = { ...dwell.commandLine, ...{ out, err, progress: () => {}, killed, wait } };
    const code = await asActor({ account: 'operator', via: 'cli' }, () => runCommand(args, parts));
    return { lines, code };
  }

  const tokens = new Map<string, Promise<string>>();
  const headerOf = async (user: string, { admin = false } = {}) => {
    const key = `${user} ${admin}`;
    const issued = tokens.get(key) ?? tokenOf(user, admin);
    tokens.set(key, issued);
    return { Authorization: `TISJWT ${await issued}` };
  };

  async function tokenOf(user: string, admin: boolean): Promise<string> {
    const { lines } = await types('token', '--user', user, ...(admin ? ['--admin'] : []));
    return lines[0] ?? '';
  }

  /** The sentences somebody says over REST; the headers are those of the principal unless others are given. */
  const sentences = (user: string, rights?: { readonly admin?: boolean }) => {
    const send = async (
      method: string,
      path: string,
      headers: Record<string, string> | undefined,
      body?: string | URLSearchParams,
    ): Promise<RestAnswer> => {
      const answer = await fetch(`${running.url}${path}`, {
        method,
        headers: headers ?? (await headerOf(user, rights)),
        ...(body === undefined ? {} : { body }),
      });
      const text = await answer.text();
      const type = answer.headers.get('content-type');
      return {
        status: answer.status,
        type,
        headers: answer.headers,
        text,
        json: /[/+]json\b/.test(type ?? '') && text !== '' ? JSON.parse(text) : null,
      };
    };
    const sendJson = async (method: string, path: string, body: unknown) =>
      send(
        method,
        path,
        { ...(await headerOf(user, rights)), 'Content-Type': 'application/json' },
        JSON.stringify(body),
      );
    return {
      get: (path: string, parameters: Record<string, string> = {}, headers?: Record<string, string>) =>
        send('GET', withQuery(path, parameters), headers),
      /** Sends a form. */
      post: (path: string, form: Record<string, string> = {}, headers?: Record<string, string>) =>
        send('POST', path, headers, new URLSearchParams(form)),
      postJson: (path: string, body: unknown) => sendJson('POST', path, body),
      putJson: (path: string, body: unknown) => sendJson('PUT', path, body),
      send,
    };
  };

  return {
    ...running,
    dataDir: data,
    clock,
    tellsDigests: dwell.runDueDigests,
    tellsWatches: dwell.checkWatches,
    returnsAnswers: dwell.returnAnswers,
    measuresClock: dwell.measureClock,
    types,
    typesUntil,
    /** What commands have said that is not to be piped on. */
    beside,
    headerOf,

    /** Asks over REST as ada. */
    ...sentences('ada'),

    /** The same sentences, said by somebody else. */
    as: sentences,

    async stop(): Promise<void> {
      await dwell.stop();
      await allExplained();
      if (dataDir === undefined) rmSync(data, { recursive: true });
    },
  };
}

function withQuery(path: string, parameters: Readonly<Record<string, string>>): string {
  const query = new URLSearchParams(parameters).toString();
  return query === '' ? path : `${path}?${query}`;
}
