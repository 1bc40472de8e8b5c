import { processorMs } from '../measure.ts';
import { referenceLoop } from './reference-loop.ts';

/** The best of so many samples counts. */
export const SAMPLES = 5;
/** A sample asks its question until that has taken this long (ms of processor time): less is lost in the noise. */
const MIN_SAMPLE_MS = 20;
/** The question and the reference loop take turns of this length (ms), so that both meet the machine in the same mood. */
const TURN_MS = 4;
/** What is asked before the first sample, so that its code is compiled (ms of processor time). */
const WARM_MS = 60;
/** A question is not asked more often than this in one turn. */
const MAX_REPEATS = 50;
/** Loops before and after what another process does. */
const LOOPS_BESIDE = 10;

/** Processor time (ms) of some work in another process, by its own account. */
type Run = () => Promise<number>;

/** How many times the reference loop one run of some work in this process takes: the best of its samples. */
export async function ratioOfWork(work: () => Promise<unknown>, samples = SAMPLES): Promise<number> {
  const asking = async (repeats: number) => {
    const before = process.cpuUsage();
    for (let i = 0; i < repeats; i += 1) await work();
    return processorMs(before);
  };
  await asking(1);
  let least = await asking(1);
  for (let warm = least; warm < WARM_MS * (samples / SAMPLES); ) {
    const one = await asking(1);
    warm += one;
    least = Math.min(least, one);
  }
  const repeats = Math.max(1, Math.min(MAX_REPEATS, Math.round(TURN_MS / least)));
  const loops = Math.max(1, Math.round((least * repeats) / TURN_MS));
  const turns = Math.max(samples, Math.ceil((samples * MIN_SAMPLE_MS) / (least * repeats)));
  const own: number[] = [];
  const references: number[] = [];
  while (own.length < turns) {
    // Of many short turns every second one is enough.
    if (turns < 2 * samples || own.length % 2 === 0) references.push(looped(loops) / loops);
    own.push((await asking(repeats)) / repeats);
  }
  return Math.min(...own) / Math.min(...references);
}

/** The same of what other processes do; the loop runs here, before and after each run, unless they have another reference. */
export async function ratioOfProcesses(run: Run, samples = SAMPLES, reference?: Run): Promise<number> {
  const ratios: number[] = [];
  let before = looped(LOOPS_BESIDE);
  while (ratios.length < samples) {
    const own = await run();
    const after = looped(LOOPS_BESIDE);
    ratios.push(own / (reference === undefined ? (before + after) / (2 * LOOPS_BESIDE) : await reference()));
    before = after;
  }
  return Math.min(...ratios);
}

/** Called before the first ratio, so that the loop is compiled. */
export function warmReference(): void {
  for (let i = 0; i < 20; i += 1) referenceLoop();
}

/** Processor time of so many reference loops (ms). */
function looped(times: number): number {
  const before = process.cpuUsage();
  for (let i = 0; i < times; i += 1) referenceLoop();
  return processorMs(before);
}
