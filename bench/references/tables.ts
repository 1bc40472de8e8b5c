import { worldNow } from '../world/invent-issue.ts';
import { type Columns, readColumns } from '../world/world-folder.ts';
import { workIntervals } from './work-intervals.ts';

/** A table of numbers, column by column. */
interface NumberTable {
  readonly name: string;
  readonly columns: readonly (readonly [name: string, values: ArrayLike<number>])[];
}

/** The name of a database of these tables, another one whenever they change. */
export const DATABASE = 'reference-2';

/** The tables that the questions in SQL read. */
export function tablesOf(folder: string): readonly NumberTable[] {
  const columns = readColumns({ columns: folder });
  const { visitOffset, visitStart, visitStatus, spanOffset, spanStart, spanPerson } = columns;
  const issues = visitOffset.length - 1;
  const months = monthStarts();
  const work = workIntervals(months[0] ?? 0, worldNow);
  return [
    {
      name: 'issue',
      columns: [
        ['id', Uint32Array.from({ length: issues }, (_, i) => i)],
        ['project', columns.project],
        ['type', columns.type],
        ['priority', columns.priority],
        ['created', Float64Array.from(visitOffset.subarray(0, -1), (first) => visitStart[first] ?? 0)],
        ['updated', columns.updated],
      ],
    },
    {
      name: 'visit',
      columns: [
        ['issue', ownersOf(visitOffset)],
        ['status', visitStatus],
        ['start', visitStart],
        ['finish', finishesOf(visitOffset, visitStart)],
      ],
    },
    {
      name: 'span',
      columns: [
        ['issue', ownersOf(spanOffset)],
        ['person', spanPerson],
        ['start', spanStart],
        ['finish', finishesOf(spanOffset, spanStart)],
      ],
    },
    {
      name: 'month',
      columns: [
        ['start', months.slice(0, -1)],
        ['finish', months.slice(1)],
      ],
    },
    {
      name: 'work',
      columns: [
        ['start', work.starts],
        ['finish', work.ends],
        ['before', work.before],
      ],
    },
  ];
}

/** Whose each entry is. */
function ownersOf(offsets: Columns['visitOffset']): Uint32Array {
  const owners = new Uint32Array(offsets.at(-1) ?? 0);
  for (let i = 0; i + 1 < offsets.length; i += 1) owners.fill(i, offsets[i], offsets[i + 1]);
  return owners;
}

/** Where each entry ends: where the next begins, the last one now. */
export function finishesOf(offsets: Columns['visitOffset'], starts: Columns['visitStart']): Float64Array {
  const finishes = new Float64Array(starts.length);
  finishes.set(starts.subarray(1));
  for (let i = 1; i < offsets.length; i += 1) finishes[(offsets[i] ?? 0) - 1] = worldNow;
  return finishes;
}

/** Of all months in which anything happened, and of the one after them (UTC). */
function monthStarts(): readonly number[] {
  return Array.from({ length: 45 }, (_, i) => Date.UTC(2022, 7 + i, 1));
}
