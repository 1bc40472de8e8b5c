import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { pino } from 'pino';
import { buildDwell } from '../../src/build-dwell.ts';
import { readConfig } from '../../src/config.ts';

/** A Dwell of its own process that says how late its event loop came round since it was last asked (ms). */
const config = readConfig(process.env);
const log = pino({ level: config.logLevel }, pino.destination({ dest: 2, sync: true }));
const dwell = buildDwell(config, { now: Date.now, log });
const { url } = await dwell.start();
await dwell.warmUp();
const token = await dwell.commandLine.tokens.issue({
  user: 'ada',
  admin: process.env.ADMIN !== 'no',
  lifetimeMs: 86_400_000,
});
const resolution = 5;
const delay = monitorEventLoopDelay({ resolution });
delay.enable();
process.on('message', async (message) => {
  if (message === 'stop') {
    await dwell.stop();
    process.disconnect();
    return;
  }
  // The loop's own timer tells of a long wait only when it has come round.
  await pause(4 * resolution);
  const late = Math.max(0, Math.round(delay.max / 1e6 - resolution));
  delay.reset();
  process.send?.({ late, peak: Math.round(process.resourceUsage().maxRSS / 1024) });
});
process.send?.({ url, token });
