import { statSync } from 'node:fs';
import { z } from 'zod';
import { ownJob, peakMb, processorMs, tellFound } from '../measure.ts';

const job = z.object({ path: z.string(), rows: z.number(), words: z.array(z.string()) });

/** What a writer of a file is started with; `words` are its own. */
type WriteJob = z.output<typeof job>;

/** What came of a file: ms on the clock and of the processor, the most memory the process ever held, and the size of the file (bytes). */
export const written = z.object({ ms: z.number(), cpuMs: z.number(), peakMb: z.number(), bytes: z.number() });

/** Times the writing of a file in this process. */
export async function writeFile(write: (job: WriteJob) => Promise<void>): Promise<void> {
  const given = job.parse(ownJob());
  const start = performance.now();
  const before = process.cpuUsage();
  await write(given);
  tellFound({
    ms: performance.now() - start,
    cpuMs: processorMs(before),
    peakMb: peakMb(),
    bytes: statSync(given.path).size,
  });
}
