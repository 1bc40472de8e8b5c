import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { runProgram } from '../measure.ts';
import { atMost, figureRow, type Row } from '../rows.ts';
import { rowsBySize, type Suite } from '../suite.ts';
import { type World, worldOf } from '../world/world-folder.ts';

const name = 'memory';
const MAX_MB = 800;
const HOURS = 8;

/** After an hour, in MB; what is no resident memory is for reading where it goes. `rest`: some time after the last question. */
const dayFound = z.union([
  z.object({
    ...{ hour: z.number(), asked: z.number(), seconds: z.number(), resident: z.number(), peak: z.number() },
    ...{ heap: z.number(), arrays: z.number(), columns: z.number(), spare: z.number() },
  }),
  z.object({ rest: z.number() }),
]);

type DayFound = z.output<typeof dayFound>;

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

/** The day is over a copy: the columns it leaves behind are in no other suite's start. */
async function dayOf(world: World): Promise<readonly Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'dwell-day-'));
  try {
    const dataDir = join(folder, 'data');
    await cp(world.dataDir, dataDir, { recursive: true });
    // The first start compiles, and makes columns where their file is of another form; a day begins with neither.
    await hoursOf(dataDir, 0);
    return rowsOf(await hoursOf(dataDir, HOURS), world.issues);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function hoursOf(dataDir: string, hours: number): Promise<readonly DayFound[]> {
  const environment = { NODE_COMPILE_CACHE: join(dataDir, 'cache', 'code') };
  const program = { path: 'product/ask-all-day.ts', job: { dataDir, hours }, environment };
  return runProgram(program, (line) => {
    const found = dayFound.parse(line);
    const figures = Object.entries(found).map(([title, figure]) => `${title} ${Math.round(figure)}`);
    if (hours > 0) console.error(`  ${figures.join(', ')}`);
    return found;
  });
}

function rowsOf(found: readonly DayFound[], size: number): readonly Row[] {
  const of = { suite: name, size, unit: 'MB' };
  const hours = found.filter((one) => 'hour' in one);
  const [first, last] = [hours[0], hours.at(-1)];
  const rest = found.find((one) => 'rest' in one)?.rest;
  if (first === undefined || last === undefined || rest === undefined) return [];
  const most = Math.max(...hours.map(({ resident }) => resident));
  return [
    figureRow({ ...of, name: 'resident after the first answer' }, first.resident),
    atMost(figureRow({ ...of, name: 'resident after an hour of mixed use, at most' }, most), MAX_MB),
    atMost(
      figureRow({ ...of, name: 'resident after a day of mixed use' }, rest, { peakMb: last.peak }),
      MAX_MB,
    ),
  ];
}
