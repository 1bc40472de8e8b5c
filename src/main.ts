import { pino } from 'pino';
import { buildDwell, type Dwell } from './build-dwell.ts';
import { runCommand } from './cli/run-command.ts';
import { type Config, readConfig, readEnvFile } from './config.ts';
import { AppError } from './model/error.ts';

const [mode, ...args] = process.argv.slice(2);
try {
  readEnvFile();
  const config = readConfig(process.env);
  const log = pino({ level: config.logLevel }, pino.destination({ dest: 2, sync: true }));
  const dwell = buildDwell(config, { now: Date.now, log });
  if (mode === 'dwell') await runCommandLine(dwell);
  else await serve(dwell, config);
} catch (error) {
  if (!(error instanceof AppError)) throw error;
  console.error([error.message, ...error.details].join(': '));
  process.exitCode = 1;
}

async function runCommandLine(dwell: Dwell): Promise<void> {
  const watched = process.stderr.isTTY;
  try {
    process.exitCode = await runCommand(args, {
      ...dwell.commandLine,
      out: (line) => console.log(line),
      progress: (line) => watched && process.stderr.write(`\r\u001b[K${line}`),
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
    const { url, playground, tracker, empty } = await dwell.start();
    const address = url.replace('127.0.0.1', 'localhost');
    const issues = tracker === 'sample' ? 'an invented company (TRACKER=sample)' : 'the imported issues';
    console.log(
      `Dwell is ready at ${address} and tells of ${empty ? 'no issues yet: import some' : issues}.`,
    );
    if (playground !== null)
      console.log('Open it in a browser: a playground stands in for Slack. Ctrl+C stops it.');
    else if (config.slack.mode === 'none') {
      console.log(
        'Slack is not configured: only REST is served. PLAYGROUND=on opens the playground to whoever reaches HOST.',
      );
    }
    // Whoever asks first is answered as quickly as everybody; what goes wrong here is told to whoever asks.
    await dwell.warmUp().catch(() => {});
  } catch (error) {
    await dwell.stop();
    throw error;
  }
}
