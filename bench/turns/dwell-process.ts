import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { millisecondsInDay } from 'date-fns/constants';
import { pino } from 'pino';
import { buildDwell } from '../../src/build-dwell.ts';
import { readConfig } from '../../src/config.ts';

/**
 * A Dwell of its own process that says how late its event loop came round since it was last asked, and how much of a
 * processor it used in one go at most (ms): on a busy machine only the second is the fault of Dwell.
 */
const config = readConfig(process.env);
const log = pino({ level: config.logLevel }, pino.destination({ dest: 2, sync: true }));
const dwell = await buildDwell(config, { now: Date.now, log });
const { url } = await dwell.start();
await dwell.warmUp();
const token = await dwell.commandLine.tokens.issue({
  user: 'ada',
  admin: process.env.ADMIN !== 'no',
  lifetimeMs: millisecondsInDay,
});
const resolution = 5;
const delay = monitorEventLoopDelay({ resolution });
delay.enable();
let held = 0;
let before = used();
setInterval(() => {
  const now = used();
  held = Math.max(held, now - before);
  before = now;
}, 1).unref();
process.on('message', async (message) => {
  if (message === 'stop') {
    await dwell.stop();
    process.disconnect();
    return;
  }
  // The loop's own timer tells of a long wait only when it has come round.
  await pause(4 * resolution);
  const late = Math.max(0, Math.round(delay.max / 1e6 - resolution));
  process.send?.({ late, held: Math.round(held), peak: Math.round(process.resourceUsage().maxRSS / 1024) });
  delay.reset();
  held = 0;
});
process.send?.({ url, token });

/** Of this thread, ms. */
function used(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
