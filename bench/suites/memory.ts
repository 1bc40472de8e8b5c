import { z } from 'zod';
import { runProgram } from '../measure.ts';
import { atMost, figureRow, type Row } from '../rows.ts';
import { rowsBySize, type Suite } from '../suite.ts';
import { type World, worldOf } from '../world/world-folder.ts';

const name = 'memory';
const MAX_MB = 800;

/** As the image sets it. */
const environment = { MALLOC_MMAP_THRESHOLD_: '1048576', MALLOC_ARENA_MAX: '2' };

const dayFound = z.object({ asked: z.number(), before: z.number(), after: z.number(), peakMb: z.number() });

/** What stays in memory when several people have asked many different questions of one process. */
export const memory: Suite = {
  name,
  about: 'memory of a process after a day of mixed use by several people',
  quick: null,
  usual: [10_000, 100_000],
  full: [10_000, 100_000, 1_000_000],
  async run(sizes) {
    return rowsBySize(name, sizes, async (size) => dayOf(await worldOf(size)));
  },
};

async function dayOf({ dataDir, issues: size }: World): Promise<readonly Row[]> {
  const options = ['--expose-gc'];
  const program = { path: 'product/ask-all-day.ts', job: { dataDir }, options, environment };
  const found = await runProgram(program, (line) => dayFound.parse(line));
  const of = { suite: name, size, unit: 'MB' };
  return found.flatMap(({ before, after, peakMb }) => [
    figureRow({ ...of, name: 'resident after the first answer' }, before),
    atMost(figureRow({ ...of, name: 'resident after a day of mixed use' }, after, { peakMb }), MAX_MB),
  ]);
}
