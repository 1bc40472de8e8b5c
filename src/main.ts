import { type Logger, pino } from 'pino';
import { buildDwell, type Dwell } from './build-dwell.ts';
import type { SharedCache } from './cache/backing.ts';
import { openRedis } from './cache/redis.ts';
import { createProgressLine } from './cli/progress-line.ts';
import { runCommand } from './cli/run-command.ts';
import { type Config, readConfig, readEnvFile } from './config.ts';
import { AppError } from './model/error.ts';
import { failureText } from './model/failure-text.ts';
import { toldOf } from './told-of.ts';

const [mode, ...args] = process.argv.slice(2);
try {
  readEnvFile();
  const config = readConfig(process.env);
  const log = pino({ level: config.logLevel }, pino.destination({ dest: 2, sync: true }));
  // What one command asks for is not worth a connection.
  const sharedCache = mode === 'dwell' ? null : await openSharedCache(config, log);
  const dwell = buildDwell(config, { now: Date.now, log, ...(sharedCache === null ? {} : { sharedCache }) });
  if (mode === 'dwell') await runCommandLine(dwell);
  else await serve(dwell, config);
} catch (error) {
  if (!(error instanceof AppError)) throw error;
  console.error(failureText(error));
  process.exitCode = 1;
}

async function openSharedCache({ keyvUrl: url }: Config, log: Logger): Promise<SharedCache | null> {
  if (url === null) return null;
  const onProblem = (error: unknown) =>
    log.warn({ err: error }, 'Redis does not answer, going on without it');
  return openRedis({ url, now: Date.now, onProblem });
}

function whyNoPlayground({ host, baseUrl }: Config, because: 'PLAYGROUND' | 'HOST' | 'BASE_URL'): string {
  const why = {
    PLAYGROUND: 'PLAYGROUND is off and no Slack tokens are set',
    HOST: `HOST ${host} can be reached from other machines`,
    BASE_URL: `BASE_URL ${baseUrl} is not on this machine`,
  };
  return `Only REST is served, without the playground, because ${why[because]}; PLAYGROUND=on opens it to everyone who can reach it under the address in BASE_URL.`;
}

async function runCommandLine(dwell: Dwell): Promise<void> {
  try {
    process.exitCode = await runCommand(args, {
      ...dwell.commandLine,
      out: (line) => console.log(line),
      err: (line) => console.error(line),
      progress: createProgressLine({
        watched: process.stderr.isTTY,
        write: (text) => process.stderr.write(text),
        now: Date.now,
      }),
    });
  } finally {
    await dwell.stop();
  }
}

async function serve(dwell: Dwell, config: Config): Promise<void> {
  const stop = async () => {
    await dwell.stop();
    process.exit();
  };
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  try {
    const running = await dwell.start();
    const { url, playground } = running;
    const address = url.replace('127.0.0.1', 'localhost');
    console.log(`Dwell is ready at ${address} and tells of ${toldOf(running)}.`);
    if (playground !== null)
      console.log('Open it in a browser: a playground stands in for Slack. Ctrl+C stops it.');
    else if (config.slack.mode === 'none') console.log(whyNoPlayground(config, config.slack.because));
    // Whoever asks first is answered as quickly as everybody; what goes wrong here is told to whoever asks.
    await dwell.warmUp().catch(() => {});
  } catch (error) {
    await dwell.stop();
    throw error;
  }
}
