import { setTimeout as pause } from 'node:timers/promises';
import { atShare } from '../measure.ts';
import { figureRow, figureText, promised, type Row } from '../rows.ts';
import { rowsBySize, type Suite } from '../suite.ts';
import { capacityOf, faultsOf, loadOf, withServer } from './load.ts';

const name = 'soak';
/** Of the capacity: what a process has on a busy day. */
const SHARE = 0.7;
/** Memory that grows by less (MB a minute) is flat; fewer minutes say nothing about it. */
const MAX_SLOPE = 1;
const MIN_MINUTES = 10;
const SAMPLE_MS = 10_000;

/** Mixed requests for a long time, whose memory has to stay as it is. `MINUTES` (30) is how long. */
export const soak: Suite = {
  name,
  about: 'mixed requests at 0.7 times the capacity for half an hour (MINUTES=3), and memory minute by minute',
  quick: null,
  usual: [100_000],
  full: [100_000],
  run: (sizes) => rowsBySize(name, sizes, rowsOf),
};

interface Sample {
  readonly minute: number;
  readonly residentMb: number;
  readonly heapMb: number;
  /** Memory of buffers, which V8 knows of but does not have in its heap. */
  readonly outsideMb: number;
}

async function rowsOf(size: number): Promise<readonly Row[]> {
  const minutes = Number(process.env.MINUTES ?? '30');
  return withServer(size, async (server) => {
    const send = loadOf(server, size);
    await send({ workers: 8, forMs: 5_000 });
    const perSecond = SHARE * (await capacityOf(send));
    const began = performance.now();
    let isOver = false;
    const sending = send({ perSecond, forMs: minutes * 60_000, withExports: true }).finally(() => {
      isOver = true;
    });
    const samples: Sample[] = [];
    for (let next = began; !isOver; next += SAMPLE_MS) {
      await pause(Math.max(0, next - performance.now()));
      const { residentMb, heapMb, outsideMb } = await server.watched();
      samples.push({ minute: (performance.now() - began) / 60_000, residentMb, heapMb, outsideMb });
    }
    const found = await sending;
    const perMinute = [...Map.groupBy(samples, ({ minute }) => Math.floor(minute)).values()];
    for (const [i, own] of perMinute.entries()) {
      const text = (['residentMb', 'heapMb', 'outsideMb'] as const).map((key) =>
        figureText(meanOf(own, key)),
      );
      console.error(`  minute ${i + 1}: resident ${text[0]} MB, heap ${text[1]} MB, buffers ${text[2]} MB`);
    }
    // The first third of the time is for code that is compiled, and caches that fill.
    const later = samples.filter(({ minute }) => minute >= minutes / 3);
    const { small, large } = found;
    const p95 = atShare(
      small.answeredMs.toSorted((a, b) => a - b),
      0.95,
    );
    const faults = await faultsOf(server, found);
    const of = { suite: name, size };
    const slope = figureRow({ ...of, name: 'resident memory, growth', unit: 'MB/minute' }, slopeOf(later));
    return [
      figureRow({ ...of, name: 'small requests, p95', unit: 'ms' }, p95, {
        fault: faults.length === 0 ? null : faults.slice(0, 3).join('; '),
      }),
      {
        ...(minutes < MIN_MINUTES
          ? slope
          : promised(slope, { text: `≤ ${MAX_SLOPE} MB a minute`, kept: slope.median <= MAX_SLOPE })),
        columns: {
          'minutes, requests/s': `${minutes}, ${figureText(perSecond)}`,
          'resident, first and last minute': `${[perMinute[0], perMinute.at(-1)].map((own) => figureText(meanOf(own ?? [], 'residentMb'))).join(', ')} MB`,
          'heap, first and last minute': `${[perMinute[0], perMinute.at(-1)].map((own) => figureText(meanOf(own ?? [], 'heapMb'))).join(', ')} MB`,
          'answered, of small, of reports': `${small.answeredMs.length}/${small.sent}, ${large.answeredMs.length}/${large.sent}`,
        },
      },
    ];
  });
}

function meanOf(samples: readonly Sample[], key: 'residentMb' | 'heapMb' | 'outsideMb'): number {
  return samples.reduce((sum, sample) => sum + sample[key], 0) / samples.length;
}

/** The slope of the straight line through samples that is off by the least squares, in MB a minute. */
function slopeOf(samples: readonly Sample[]): number {
  const mean = samples.reduce((sum, { minute }) => sum + minute, 0) / samples.length;
  const resident = meanOf(samples, 'residentMb');
  const [over, under] = samples.reduce(
    ([a, b], { minute, residentMb }) => [
      a + (minute - mean) * (residentMb - resident),
      b + (minute - mean) ** 2,
    ],
    [0, 0],
  );
  return over / under;
}
