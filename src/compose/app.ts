import { userInfo } from 'node:os';
import type { Logger } from 'pino';
import type { SharedCache } from '../cache/namespace.ts';
import { type CliOutput, type CliParts, createProgressLine, printable } from '../cli/cli-command.ts';
import type { TypedLine } from '../cli/read-command-line.ts';
import { pause } from '../concurrency/poller.ts';
import { asActor } from '../concurrency/request-scope.ts';
import type { Actor } from '../model/audit.ts';
import { pausedText } from '../model/digest.ts';
import { AppError, failureText, systemCode } from '../model/error.ts';
import type { Instant } from '../model/issue.ts';
import { fillShare, fillText } from '../output/sync-text.ts';
import type { Meters } from '../telemetry/meters.ts';
import type { Dwell, Running } from './build-dwell.ts';
import type { Config } from './config.ts';
import { openLog } from './log-problem.ts';
import type { Settings } from './run-import.ts';

/** The time (ms) that a check of `doctor` can take; all checks run at once. */
const MAX_CHECK_MS = 15_000;

/** The process: its environment and its clock. */
interface ProcessParts {
  /** The environment of the process itself: where it serves, its zone becomes UTC. */
  readonly environment: Readonly<Record<string, string | undefined>> & { TZ?: string | undefined };
  readonly now: () => Instant;
  /** The failure of reading `.env`; null where it was read, or is not there. */
  readonly dotEnvFailure: unknown;
}

/** Serves until a signal stops it, or, after the word `dwell`, runs one command of the command line. */
export async function runApp(
  [mode, ...args]: readonly string[],
  { environment, now, dotEnvFailure }: ProcessParts,
): Promise<void> {
  if (mode === 'dwell') {
    // A reader of the beginning alone, such as `head`, needs no more.
    process.stdout.on('error', (error) => {
      if (systemCode(error) !== 'EPIPE') throw error;
    });
  }
  try {
    const [command] = args;
    const failure = dotEnvFailure === null ? null : (systemCode(dotEnvFailure) ?? String(dotEnvFailure));
    if (mode === 'dwell' && command === 'doctor') {
      const { runDoctor } = await import('./doctor/run-doctor.ts');
      const { SLACK_API: slackApiUrl } = await import('./doctor/ask-slack.ts');
      const node = { version: process.versions.node, file: process.execPath };
      const dotEnv = { folder: process.cwd(), failure };
      const parts = { environment, now, node, dotEnv, slackApiUrl, maxCheckMs: MAX_CHECK_MS };
      process.exitCode = await runDoctor(args, { ...outputParts(now), ...parts });
      return;
    }
    const settings = async () => {
      if (failure !== null) throw new AppError('not-configured', `The file .env cannot be read: ${failure}.`);
      return readSettings(environment);
    };
    const parts = { ...outputParts(now), settings, now };
    if (mode === 'dwell' && command === 'import') {
      const { runImport } = await import('./run-import.ts');
      process.exitCode = await runImport(args, parts);
      return;
    }
    if (mode === 'dwell' && command === 'store') {
      const { runStore } = await import('./run-store.ts');
      process.exitCode = await runStore(args, parts);
      return;
    }
    if (mode === 'dwell' && command === 'restore') {
      const { runRestore } = await import('./run-store.ts');
      process.exitCode = await asActor(operator(), () => runRestore(args, parts));
      return;
    }
    const line = mode === 'dwell' ? await readCommands(args) : null;
    if (line !== null && 'help' in line) {
      console.log(line.help);
      return;
    }
    const code = line?.runAlone(parts) ?? null;
    if (code !== null) {
      process.exitCode = code;
      return;
    }
    const { config, log } = await settings();
    if (line !== null) return await runCommand(line, await buildForCommand(config, { log, now }), now);
    const observed = await observe(config, log);
    const dwell = await buildServer(config, { log, now, meters: observed.meters });
    await serve(dwell, { config, log, environment, endTracing: observed.endTracing });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    // It may have words of a service.
    console.error(printable(failureText(error)));
    process.exitCode = 1;
  }
}

/** The parts of commands that have a Dwell; those of stores and of the examination have none. */
type DwellParts = Omit<CliParts, 'stores' | 'doctor'>;

/** Builds the Dwell that serves; while its store is upgraded, its port answers that it is. */
async function buildServer(
  config: Config,
  { log, now, meters }: { readonly log: Logger; readonly now: () => Instant; readonly meters: Meters },
): Promise<Dwell> {
  const { buildDwell, dwellVersion } = await import('./build-dwell.ts');
  const { answerDuringUpgrade, createWebServer } = await import('./web-server.ts');
  const sharedCache = await openSharedCache(config, { log, now });
  const web = createWebServer();
  const answer = answerDuringUpgrade(web, { config, version: dwellVersion(), now, log });
  const surroundings = { now, log, meters, web, onUpgrade: answer };
  const parts = sharedCache === null ? surroundings : { ...surroundings, sharedCache };
  return buildDwell(config, parts).catch(async (error) => {
    // An open connection or port would keep the process from ending.
    await sharedCache?.close();
    await web.close({ idleMs: 0, drainMs: 0 });
    throw error;
  });
}

/** Builds the Dwell of a single command, which does not need a connection to Redis. */
async function buildForCommand(
  config: Config,
  { log, now }: { readonly log: Logger; readonly now: () => Instant },
): Promise<Dwell> {
  const { buildDwell } = await import('./build-dwell.ts');
  const { upgradeText } = await import('./log-problem.ts');
  const { progress } = outputParts(now);
  let isUpgraded = false;
  const dwell = await buildDwell(config, {
    now,
    log,
    onUpgrade(upgrade) {
      isUpgraded = true;
      progress(`Upgrading the store: ${upgradeText(upgrade)}`);
    },
  });
  if (isUpgraded) progress('');
  return dwell;
}

async function readSettings(environment: ProcessParts['environment']): Promise<Settings> {
  const { readConfig } = await import('./config.ts');
  const config = readConfig(environment);
  return { config, log: await openLog(config.logLevel, { secrets: config.secrets }) };
}

async function openSharedCache(
  { keyvUrl: url }: Config,
  { log, now }: { readonly log: Logger; readonly now: () => Instant },
): Promise<SharedCache | null> {
  if (url === null) return null;
  const { openRedis } = await import('../cache/redis.ts');
  const onProblem = (error: unknown) =>
    log.warn({ err: error }, 'Redis does not answer, going on without it');
  return openRedis({ url, now, onProblem });
}

/** The source of the issues that a started Dwell shows, as words. */
export function shownBy({ tracker, empty, sync }: Pick<Running, 'tracker' | 'empty' | 'sync'>): string {
  if (sync !== null)
    return `the issues of ${sync.site}${sync.filled ? '' : ` (initial sync: ${filledText(sync)})`}`;
  if (tracker === 'hosted') return 'the issues of the hosted service (TIS_BASE_URL)';
  if (empty) return 'no issues yet: import some';
  return tracker === 'sample' ? 'a fictional company (TRACKER=sample)' : 'the imported issues';
}

function filledText(sync: NonNullable<Running['sync']>): string {
  const share = fillShare(sync);
  return share === null ? fillText(sync) : `${share}%`;
}

function playgroundProblem({ host, baseUrl }: Config, because: 'PLAYGROUND' | 'HOST' | 'BASE_URL'): string {
  const why = {
    PLAYGROUND: 'PLAYGROUND is off and no Slack tokens are set',
    HOST: `HOST ${host} can be reached from other machines`,
    BASE_URL: `BASE_URL ${baseUrl} is not on this machine`,
  };
  return `Only REST is served, without the playground, because ${why[because]}; PLAYGROUND=on opens it to everyone who can reach it under the address in BASE_URL.`;
}

/** The line about the page of the playground: over issues that are not the sample its address has a code. */
function playgroundText(page: string): string {
  return page.includes('?code=')
    ? `Open ${page} in a browser: a playground takes the place of Slack. It opens only with this link; everyone who has it sees every issue. Ctrl+C stops it.`
    : 'Open it in a browser: a playground takes the place of Slack. Ctrl+C stops it.';
}

async function readCommands(args: readonly string[]): Promise<TypedLine<DwellParts>> {
  const { readCommandLine } = await import('../cli/read-command-line.ts');
  const { commands } = await import('../cli/commands/index.ts');
  return readCommandLine<DwellParts>(commands, args);
}

/** The meters of a process, and what sends its last spans. */
interface Observed {
  readonly meters: Meters;
  readonly endTracing: () => Promise<void>;
}

/** Begins to measure and, where that is configured, to trace the process. */
async function observe({ traces }: Config, log: Logger): Promise<Observed> {
  const { createMeters } = await import('../telemetry/prometheus.ts');
  const meters = createMeters();
  const untraced = { meters, endTracing: async () => {} };
  if (traces === null) return untraced;
  const { dwellVersion } = await import('./build-dwell.ts');
  const { startTracing, tracingMissing } = await import('../telemetry/tracing.ts');
  const endTracing = await startTracing({ ...traces, version: dwellVersion() });
  if (endTracing !== null) return { meters, endTracing };
  log.warn(tracingMissing);
  return untraced;
}

async function runCommand(
  line: Extract<TypedLine<DwellParts>, { run: unknown }>,
  dwell: Dwell,
  now: () => Instant,
): Promise<void> {
  try {
    const killed = signalOfKill();
    const parts = { ...dwell.commandLine, ...outputParts(now), killed, wait: pause };
    process.exitCode = await asActor(operator(), () => line.run(parts));
  } finally {
    await dwell.stop();
  }
}

/** The user of this machine who runs a command; a container may run under a number without a name. */
function operator(): Pick<Actor, 'account' | 'via'> {
  try {
    return { account: userInfo().username, via: 'cli' };
  } catch {
    return { account: null, via: 'cli' };
  }
}

/** Aborted by a signal that is to end the process, which it does once those who listen are done. */
function signalOfKill(): AbortSignal {
  const killed = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(name, () => {
      killed.abort();
      process.kill(process.pid, name);
    });
  }
  return killed.signal;
}

function outputParts(now: () => Instant): CliOutput {
  return {
    out: (line) => console.log(line),
    err: (line) => console.error(printable(line)),
    progress: createProgressLine({
      watched: process.stderr.isTTY,
      write: (text) => process.stderr.write(text),
      now,
    }),
  };
}

interface ServeParts extends Pick<ProcessParts, 'environment'>, Pick<Observed, 'endTracing'> {
  readonly config: Config;
  readonly log: Logger;
}

async function serve(dwell: Dwell, { config, log, environment, endTracing }: ServeParts): Promise<void> {
  const { countInUtc } = await import('../time/start-clock.ts');
  // The settings have read the machine's zone by now.
  countInUtc(environment);
  // The last net, for failures in the background that no one waits for: what must last is a row of the store by then.
  process.on('unhandledRejection', (error) => log.error({ err: error }, 'a failure that nothing handled'));
  const stop = async () => {
    await dwell.stop();
    await endTracing();
    process.exit();
  };
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  try {
    const running = await dwell.start();
    const { url, metrics, playground, isPaused } = running;
    const address = url.replace('127.0.0.1', 'localhost');
    console.log(`Dwell is ready at ${address} and shows ${shownBy(running)}.`);
    if (metrics !== null) console.log(`Its metrics are at ${metrics}.`);
    if (isPaused) console.log(pausedText);
    if (playground !== null) console.log(playgroundText(playground));
    else if (config.slack.mode === 'none') console.log(playgroundProblem(config, config.slack.because));
    // The first request is then as quick as any other; a problem is reported to the first request.
    await dwell.warmUp().catch(() => {});
  } catch (error) {
    await dwell.stop();
    throw error;
  }
}
