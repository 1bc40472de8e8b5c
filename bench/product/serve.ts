import { flushCompileCache } from 'node:module';
import { keepCompiledCode, resolveQuickly } from '../../src/compose/quick-imports.ts';

// As `npm start` does, from the second start in a folder on.
const isKept = keepCompiledCode(process.env.DATA_DIR ?? '', false) !== null;
resolveQuickly();
const { millisecondsInDay } = await import('date-fns/constants');
const { pino } = await import('pino');
const { buildDwell } = await import('../../src/compose/build-dwell.ts');
const { readConfig } = await import('../../src/compose/config.ts');
const { peakMb, watchWaits } = await import('../measure.ts');

/** So many may ask at once; a token has few long answers at a time. */
const ASKERS = Number(process.env.ASKERS ?? 5);

/**
 * A Dwell of a process of its own: sends its address and the tokens of some principals, then, whenever it is asked, how long
 * its event loop kept others waiting since it was last asked, and ends when it is told to.
 */
const [slackApiUrl] = process.argv.slice(2);
const config = readConfig(process.env);
const log = pino({ level: config.logLevel }, pino.destination({ dest: 2, sync: true }));
process.on('unhandledRejection', (error) => log.error({ err: error }, 'a failure that nothing handled'));
const dwell = await buildDwell(config, {
  now: Date.now,
  log,
  ...(slackApiUrl === undefined ? {} : { slackApiUrl }),
});
const { url } = await dwell.start();
// As `npm start` does.
await dwell.warmUp().catch(() => {});
const tokens: string[] = [];
while (tokens.length < ASKERS) {
  const input = {
    user: `bench${tokens.length}`,
    admin: process.env.ADMIN !== 'no',
    lifetimeMs: millisecondsInDay,
  };
  tokens.push(await dwell.commandLine.tokens.issue(input));
}
// Whoever is killed keeps nothing at the end.
if (isKept) flushCompileCache();
const waits = watchWaits();
process.on('message', async (message) => {
  if (message === 'stop') {
    await dwell.stop();
    process.exit();
  }
  const { user, system } = process.cpuUsage();
  const { rss, heapUsed, external } = process.memoryUsage();
  const sizes = { residentMb: rss / 1e6, heapMb: heapUsed / 1e6, outsideMb: external / 1e6 };
  const memory = { peakMb: peakMb(), ...sizes };
  process.send?.({ ...(await waits()), ...memory, cpuMs: (user + system) / 1_000 });
});
process.send?.({ url, tokens });
