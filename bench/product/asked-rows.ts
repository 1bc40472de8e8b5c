import { runProgram } from '../measure.ts';
import { askReferences } from '../references/ask-references.ts';
import { against, atMost, atMostTimes, lateAtMost, promised, type Row, timeRow } from '../rows.ts';
import { forgetSnapshots, type World } from '../world/world-folder.ts';
import { type Asked, askedFound } from './asked.ts';

/** Nobody notices less (ms). */
const LATE_MS = 50;

/** A question, and what is promised of it. */
export interface Line extends Asked {
  /** At a million issues at most so many times a reference, or another question of the suite. */
  readonly times?: readonly (readonly [name: string, limit: number])[];
  /** At most so long (ms), at any size up to a million. */
  readonly ms?: number;
  /** The first time at most so long (ms), at any size up to a million. */
  readonly firstMs?: number;
  /** Of the event loop in one go at most so long (ms), the first time too. */
  readonly heldMs?: number;
  /** Not asked of more issues than these. */
  readonly upTo?: number;
}

/** The question of a line, without what is promised of it. */
export function askedIn(line: Line): Asked {
  const { times: _times, ms: _ms, firstMs: _firstMs, heldMs: _heldMs, upTo: _upTo, ...asked } = line;
  return asked;
}

/** Asks the product and the references, each in a process of its own, and makes a row of each question. */
export async function askedRows(suite: string, world: World, all: readonly Line[]): Promise<readonly Row[]> {
  const { issues: size, dataDir } = world;
  const lines = all.filter(({ upTo = size }) => size <= upTo);
  const questions = lines.map(askedIn);
  // Columns of fields that an earlier run needed would be in the snapshot, and first answers too quick.
  forgetSnapshots(dataDir);
  const path = 'product/ask-questions.ts';
  const found = await runProgram({ path, job: { dataDir, questions } }, (line) => askedFound.parse(line));
  const references = await askReferences(
    world,
    lines.map(({ name }) => name),
  );
  return lines.flatMap(({ name, times = [], ms, firstMs, heldMs }) => {
    const own = found.find((one) => one.name === name);
    if (own === undefined) return [];
    const questionsMeant = times.flatMap(([other]) => found.filter((one) => one.name === other));
    let row = timeRow({ suite, name, size }, own, {
      against: [
        ...questionsMeant.map((other) => against(other.name, other.least, own.least)),
        ...(references.get(name)?.against(own.least) ?? []),
      ],
      peakMb: own.peakMb,
      lateMs: own.late,
      heldMs: own.held,
      fault: references.get(name)?.contradicts(own.figures) ?? null,
    });
    if (size === 1_000_000) for (const [other, limit] of times) row = atMostTimes(row, other, limit);
    if (ms !== undefined) row = atMost(row, ms);
    if (firstMs !== undefined)
      row = promised(row, { text: `first ≤ ${firstMs} ms`, kept: own.first <= firstMs });
    if (heldMs !== undefined) row = promised(row, { text: `held ≤ ${heldMs} ms`, kept: own.held <= heldMs });
    return [lateAtMost(row, LATE_MS)];
  });
}
