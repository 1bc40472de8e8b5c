import { millisecondsInDay } from 'date-fns/constants';
import type { Instant } from '../model/issue.ts';
import { EARLIEST, foldCycles, LATEST } from './same-cycle.ts';

/** Shorter than any time a zone ever kept an offset (Freetown in 1939: 4 days), so that no change is overlooked. */
const PROBE_MS = 3 * millisecondsInDay;
const BLOCK_MS = 133 * PROBE_MS;

/** The offsets of a stretch of time: `first`, and every change within it. */
interface Block {
  readonly first: number;
  readonly changes: readonly { readonly at: Instant; readonly offset: number }[];
}

/**
 * How far the wall clock of a zone is ahead of UTC at an instant, in ms. Intl is asked once for a stretch of time, which
 * makes the answer a hundred times faster than asking it every time. An unknown zone is a RangeError.
 */
export function offsetsOf(timeZone: string): (instant: Instant) => number {
  const known = zones.get(timeZone);
  if (known !== undefined) return known;
  const measure = offsetMeter(timeZone);
  const blocks = new Map<number, Block>();
  const offsetAt = (instant: Instant): number => {
    const at = instant >= EARLIEST && instant <= LATEST ? instant : foldCycles(instant).at;
    const index = Math.floor(at / BLOCK_MS);
    let block = blocks.get(index);
    if (block === undefined) {
      block = probe(index * BLOCK_MS, measure);
      blocks.set(index, block);
    }
    let offset = block.first;
    for (const change of block.changes) if (change.at <= at) offset = change.offset;
    return offset;
  };
  zones.set(timeZone, offsetAt);
  return offsetAt;
}

const zones = new Map<string, (instant: Instant) => number>();

function probe(start: Instant, measure: (instant: Instant) => number): Block {
  const first = measure(start);
  const changes: { at: Instant; offset: number }[] = [];
  let offset = first;
  for (let at = start; at < start + BLOCK_MS; at += PROBE_MS) {
    const next = measure(at + PROBE_MS);
    if (next !== offset) changes.push({ at: changeWithin(at, at + PROBE_MS, measure), offset: next });
    offset = next;
  }
  return { first, changes };
}

/** The instant, to the second, from which on the offset is the one at `high`. */
function changeWithin(low: Instant, high: Instant, measure: (instant: Instant) => number): Instant {
  const next = measure(high);
  let [before, after] = [low, high];
  while (after - before > 1000) {
    const middle = before + Math.floor((after - before) / 2000) * 1000;
    if (measure(middle) === next) after = middle;
    else before = middle;
  }
  return after;
}

/** Offsets straight from Intl, of whole seconds. */
function offsetMeter(timeZone: string): (instant: Instant) => number {
  const clock = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  return (instant) => {
    // Month, day, year and time of day; picking them from the text takes a third of the time of formatToParts.
    const parts = clock.format(instant).match(/\d+/g) ?? [];
    const [month = 0, day = 0, year = 0, hour = 0, minute = 0, second = 0] = parts.map(Number);
    return Date.UTC(year, month - 1, day, hour, minute, second) - instant;
  };
}
