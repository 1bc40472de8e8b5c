import { millisecondsInDay, millisecondsInHour } from 'date-fns/constants';
import { z } from 'zod';
import { type Calendar, compileCalendar } from '../../src/time/calendar.ts';
import { periodAt } from '../../src/time/periods.ts';
import { hasPeers, runProgram, type Times, timed } from '../measure.ts';
import { workBefore, workIntervals } from '../references/work-intervals.ts';
import { type Against, against, figureRow, notInstalled, type Row, timeRow, timesAsFast } from '../rows.ts';
import type { Suite } from '../suite.ts';
import { createChance } from '../world/chance.ts';
import { office } from '../world/office.ts';

const name = 'calendar';
const PEER = 'dayjs-business-time';
const FROM = Date.UTC(2010, 0);
const YEARS = 21;
const UNTIL = Date.UTC(2010 + YEARS, 0);
const QUERIES = 500_000;

const spans = {
  '2 hours': 2 * millisecondsInHour,
  '1 day': millisecondsInDay,
  '1 week': 7 * millisecondsInDay,
  '30 days': 30 * millisecondsInDay,
  '1 year': 365 * millisecondsInDay,
};

const quarters = { ...office, id: 1 };
/** The same a second late: no grid fits it. */
const odd = {
  ...quarters,
  workingTimes: quarters.workingTimes.map((shift) => ({ ...shift, start: shift.start + 1_000 })),
};

/** Working time between two instants, by the length of the span, and what it takes to compile a calendar. */
export const calendar: Suite = {
  name,
  about: 'working time of a span: ns a look-up, beside a bisection and dayjs-business-time',
  quick: [],
  usual: [],
  full: [],
  async run() {
    const compile = (definition: typeof quarters) => {
      const compiled = compileCalendar(definition);
      // Compiles a year more on both sides.
      compiled.between(FROM + 366 * millisecondsInDay, UNTIL - 366 * millisecondsInDay);
      return compiled;
    };
    const rows: Row[] = [
      timeRow(
        { suite: name, name: `compile ${YEARS} years of two shifts a day`, size: null },
        await timed(() => compile(quarters)),
      ),
    ];
    const starts = scattered();
    const peers = await peerTimes(starts);
    const work = workIntervals(FROM, UNTIL);
    for (const [form, compiled] of Object.entries({
      '': compile(quarters),
      ', shifts off the quarter hour': compile(odd),
    })) {
      for (const [length, span] of Object.entries(spans)) {
        const own = await timed(() => total(compiled, starts, span));
        const bisected = await timed(() => {
          let sum = 0;
          for (const start of starts) sum += workBefore(work, start + span) - workBefore(work, start);
          return sum;
        });
        const others = [
          against('a bisection', bisected.least, own.least),
          ...(form === '' ? peers(length, own) : []),
        ];
        const row = perQuery(`working time of ${length}${form}`, own, others);
        rows.push(length === '1 day' ? timesAsFast(row, PEER, 1_000) : row);
      }
    }
    const weeks = await timed(() => {
      for (const start of starts) periodAt(start, 'Week', quarters.timeZone);
    });
    return [...rows, perQuery('week of an instant', weeks, [])];
  },
};

/** In ns; `others` are held against the whole. */
function perQuery(title: string, { least, median, most, repeats }: Times, others: readonly Against[]): Row {
  const each = (ms: number) => (ms / QUERIES) * 1e6;
  const row = figureRow({ suite: name, name: title, size: null, unit: 'ns' }, each(median), {
    against: others,
  });
  return { ...row, least: each(least), most: each(most), repeats };
}

const peerFound = z.object({ name: z.string(), least: z.number(), queries: z.number() });

/** The peer's best time for as many queries as ours. */
async function peerTimes(starts: Float64Array): Promise<(length: string, own: Times) => readonly Against[]> {
  if (!hasPeers()) return () => [notInstalled(PEER)];
  const job = { starts: [...starts.subarray(0, 2_000)], spans };
  const found = await runProgram(
    { path: 'peers/business-time.js', job, environment: { TZ: office.timeZone } },
    (line) => peerFound.parse(line),
  );
  return (length, own) =>
    found
      .filter((one) => one.name === length)
      .map(({ least, queries }) => against(PEER, (least / queries) * QUERIES, own.least));
}

/** Instants all over the compiled years, the same in every run. */
function scattered(): Float64Array {
  const chance = createChance(7);
  const days = (YEARS - 4) * 365;
  return Float64Array.from(
    { length: QUERIES },
    () => FROM + 366 * millisecondsInDay + Math.floor(chance() * days * millisecondsInDay),
  );
}

function total(compiled: Calendar, starts: Float64Array, span: number): number {
  let sum = 0;
  for (const start of starts) sum += compiled.between(start, start + span);
  return sum;
}
