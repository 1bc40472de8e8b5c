import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import express, { type Application } from 'express';
import type { Logger } from 'pino';
import { z } from 'zod';
import { importFiles } from './api/import-files.ts';
import { createLocalReporting } from './api/local/create-local-reporting.ts';
import { createTokens } from './api/tokens.ts';
import { buildPlayground, type PlaygroundParts } from './build-playground.ts';
import type { CliParts } from './cli/command.ts';
import type { Config } from './config.ts';
import { defaultDateFormats } from './formats/date-text.ts';
import { createRestRouter } from './http/create-rest-router.ts';
import { createMemoryMirror } from './mirror/create-memory-mirror.ts';
import { createStoreMirror } from './mirror/create-store-mirror.ts';
import type { Mirror } from './mirror/mirror.ts';
import { preferFilled } from './mirror/prefer-filled.ts';
import { AppError } from './model/error.ts';
import type { Instant } from './model/issue.ts';
import type { Playground } from './playground/create-playground.ts';
import { commands } from './slack/commands/index.ts';
import { createSlackApp, type SlackDoor, type SlackTransport } from './slack/create-slack-app.ts';
import { openSqliteStore } from './store/sqlite/open-sqlite-store.ts';
import type { Store } from './store/store.ts';
import { createSampleTracker } from './tracker/sample/create-sample-tracker.ts';

const nobody = { user: '', admin: false };

/** How long answers under way may take to end when Dwell is told to stop. */
const PATIENCE_MS = 10_000;

/** What the outside world hands in. `slackApiUrl` leads elsewhere than to Slack in tests. */
export interface Surroundings {
  readonly now: () => Instant;
  readonly log: Logger;
  readonly slackApiUrl?: string;
}

/** Where a started Dwell is reached. */
export interface Running {
  readonly url: string;
  readonly playground: Playground | null;
  readonly tracker: string;
  /** There is no issue to tell of yet. */
  readonly empty: boolean;
}

/** A Dwell put together and not yet running. */
export interface Dwell {
  readonly commandLine: Omit<CliParts, 'out' | 'progress'>;
  /** Opens the doors. */
  start(): Promise<Running>;
  /** Closes them, lets answers under way end, and closes the store. */
  stop(): Promise<void>;
}

/** Builds every part from the configuration and hands it to the next; nothing listens until `start`. */
export function buildDwell(config: Config, { now, log, slackApiUrl }: Surroundings): Dwell {
  const store = openSqliteStore(config.dataDir);
  const tokens = createTokens(store.tokens, now);
  const mirror = chooseMirror(config, store, now);
  const reporting = createLocalReporting({ mirror, now, timeZone: config.timeZone });
  const app = express().disable('x-powered-by');
  const mounted = Promise.withResolvers<void>();
  const server = createServer((request, response) => mounted.promise.then(() => app(request, response)));
  let slack: SlackDoor | null = null;
  let playground: Playground | null = null;

  return {
    commandLine: {
      tokens,
      importFiles: (files, onProgress) => importFiles(files, store, now, onProgress),
    },
    async start() {
      const port = await listen(server, config);
      const url = `http://${reachableHost(config.host)}:${port}`;
      const { transport, playground: opened } = openSlack(config, app, {
        url,
        now,
        exampleKeys: () => reporting.exampleKeys(nobody, 2),
        apiUrl: slackApiUrl,
      });
      playground = opened;
      slack = transport === null ? null : createSlackApp(transport, { reporting, commands }, log);
      if (playground !== null) {
        playground.attachSocketMode(server);
        app.use(playground.router);
      }
      const waitingFor = async () => {
        await store.tokens.list();
        return slack?.waitingFor() ?? null;
      };
      const { timeZone } = config;
      const rest = { reporting, tokens, now, timeZone, formats: defaultDateFormats, version: readVersion() };
      app.use(createRestRouter({ ...rest, waitingFor }, log));
      mounted.resolve();
      await slack?.start();
      const [anyIssue] = await reporting.exampleKeys(nobody, 1);
      return { url, playground, tracker: await (await mirror()).tracker(), empty: anyIssue === undefined };
    },
    async stop() {
      playground?.close();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeIdleConnections();
      await Promise.all([slack?.stop(PATIENCE_MS), withPatience(closed)]);
      server.closeAllConnections();
      await closed;
      store.close();
    },
  };
}

function chooseMirror({ tracker }: Config, store: Store, now: () => Instant): () => Promise<Mirror> {
  const imported = createStoreMirror('file', store.issues('file'));
  const sample = createMemoryMirror(createSampleTracker({ now }), now);
  switch (tracker) {
    case 'file':
      return async () => imported;
    case 'sample':
      return async () => sample;
    case null:
      return preferFilled(imported, sample);
  }
}

/** Slack itself; without its tokens a playground that stands in for it, or nothing at all. */
function openSlack(
  { slack }: Config,
  express: Application,
  { apiUrl, ...parts }: Omit<PlaygroundParts, 'anyHost'> & { readonly apiUrl: string | undefined },
): { transport: SlackTransport | null; playground: Playground | null } {
  const elsewhere = apiUrl === undefined ? {} : { apiUrl };
  switch (slack.mode) {
    case 'none':
      return { transport: null, playground: null };
    case 'socket':
      return { transport: { ...slack, ...elsewhere }, playground: null };
    case 'http':
      return { transport: { ...slack, express, ...elsewhere }, playground: null };
    case 'playground': {
      const { playground, ...secrets } = buildPlayground({ ...parts, anyHost: slack.anyHost });
      return { transport: { mode: 'http', express, ...secrets }, playground };
    }
  }
}

/** Waits for answers under way, but not for ever: a connection may be held open by the other side. */
async function withPatience(work: Promise<void>): Promise<void> {
  const patience = Promise.withResolvers<void>();
  const timer = setTimeout(patience.resolve, PATIENCE_MS);
  await Promise.race([work, patience.promise]);
  clearTimeout(timer);
}

function readVersion(): string {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  return z.object({ version: z.string() }).parse(JSON.parse(text)).version;
}

async function listen(server: Server, { port, host }: Config): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject);
  server.listen(port, host, resolve);
  try {
    await promise;
  } catch (cause) {
    const taken = cause instanceof Error && 'code' in cause && cause.code === 'EADDRINUSE';
    const why = taken ? 'another program uses it; choose another PORT' : String(cause);
    throw new AppError('unavailable', `PORT ${port} on HOST ${host} cannot be opened: ${why}.`, [], {
      cause,
    });
  }
  const address = server.address();
  return address !== null && typeof address === 'object' ? address.port : port;
}

/** A host name under which this very machine reaches a server bound to `host`. */
function reachableHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}
