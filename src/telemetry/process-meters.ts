import { statfs } from 'node:fs/promises';
import { totalmem } from 'node:os';
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import type { Meters } from './meters.ts';

/** The resolution (ms) of the event loop's delay: its timer costs a thousandth of a processor. */
const RESOLUTION_MS = 20;

const SECOND_NS = 1e9;
const SECOND_US = 1e6;

/** Measures the process each time its metrics are read, and its event loop all the time, until the returned stop. */
export function measureProcess(meters: Meters, dataDir: string): () => void {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  let [cpuBefore, activeBefore] = [0, 0];
  meters.atReading(() => {
    const delays = { mean: delay.mean, p99: delay.percentile(99), max: delay.max };
    delay.reset();
    for (const [stat, ns] of Object.entries(delays)) {
      // The timer itself waits this long; without a sample there is no number.
      const waited = Number.isNaN(ns) ? 0 : Math.max(0, ns / SECOND_NS - RESOLUTION_MS / 1000);
      meters.loopDelay({ stat }, waited);
    }
    const active = performance.eventLoopUtilization().active / 1000;
    meters.loopActive({}, Math.max(0, active - activeBefore));
    activeBefore = active;
    const { user, system } = process.cpuUsage();
    const cpu = (user + system) / SECOND_US;
    meters.cpu({}, Math.max(0, cpu - cpuBefore));
    cpuBefore = cpu;
    meters.startTime({}, performance.timeOrigin / 1000);
    const { rss, heapUsed, heapTotal, external } = process.memoryUsage();
    meters.resident({}, rss);
    meters.heapUsed({}, heapUsed);
    meters.heapTotal({}, heapTotal);
    meters.external({}, external);
    meters.memoryLimit({}, memoryLimit());
  });
  meters.atReading(async () => {
    const { bavail, blocks, bsize } = await statfs(dataDir);
    meters.diskFree({}, bavail * bsize);
    meters.diskSize({}, blocks * bsize);
  });
  return () => delay.disable();
}

/** The memory (bytes) that the process can have: without a limit of its container a number beyond all memory is given. */
function memoryLimit(): number {
  const limit = process.constrainedMemory();
  const total = totalmem();
  return limit > 0 && limit < total ? limit : total;
}
