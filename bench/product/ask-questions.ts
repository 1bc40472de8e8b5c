import { setImmediate as turn } from 'node:timers/promises';
import { ask } from '../../src/model/request.ts';
import { principalOf } from '../../test/support/principal-of.ts';
import {
  ownJob,
  peakMb,
  processorMs,
  repeatsAfter,
  tellFound,
  timesOf,
  type Waited,
  watchWaits,
} from '../measure.ts';
import { people, worldNow } from '../world/invent-issue.ts';
import { answerAsked } from './answer-asked.ts';
import type { AskJob } from './asked.ts';
import { openProduct } from './open-product.ts';

const job = ownJob() as AskJob;
const principal = principalOf(people[0]?.id ?? '', 'admin');
let now = worldNow;
const product = await openProduct(job.dataDir, () => now);
const waits = watchWaits();
// Everything is loaded before the first question is timed; how long that takes is what the suite `start` measures.
await product.reporting.count(
  ask({ principal, reportType: 'statusDuration', selection: { by: 'jql', jql: 'created >= -1d' } }),
);
for (const asked of job.questions) {
  now = worldNow;
  const once = async () => {
    await waits();
    const start = performance.now();
    const before = process.cpuUsage();
    const found = await answerAsked(asked, principal, product);
    const ms = performance.now() - start;
    const cpuMs = processorMs(before);
    const waited = await waits();
    // Answers that were remembered are too old now.
    now += 11 * 60_000;
    await turn();
    return { ms, cpuMs, waited, found };
  };
  const first = await once();
  const again: Awaited<ReturnType<typeof once>>[] = [];
  while (again.length < repeatsAfter(first.ms)) again.push(await once());
  const times = timesOf(first, again);
  tellFound({
    name: asked.name,
    ...times,
    ...first.found,
    ...worst(first.waited, leastOf(again.map(({ waited }) => waited))),
    peakMb: peakMb(),
  });
}
await product.close();

/** A wait that is the question's own comes every time; others are the machine's. */
function leastOf(waited: readonly Waited[]): Waited {
  return {
    late: Math.min(...waited.map(({ late }) => late)),
    held: Math.min(...waited.map(({ held }) => held)),
  };
}

function worst(one: Waited, other: Waited): Waited {
  return { late: Math.max(one.late, other.late), held: Math.max(one.held, other.held) };
}
