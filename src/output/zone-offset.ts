import { millisecondsInMinute } from 'date-fns/constants';
import type { Instant } from '../model/issue.ts';
import { remembered } from './remembered.ts';

const KEPT_ZONES = 100;
const KEPT_OFFSETS = 50_000;

interface Zone {
  readonly format: Intl.DateTimeFormat;
  /** The offsets (ms) at the borders of spans that were asked for. */
  readonly offsets: Map<number, number>;
}

const zones = new Map<string, Zone>();

/** About 19 hours: no zone has ever left an offset and come back to it within a day. */
const SPAN_MS = 2 ** 26;

/** How far the clocks of an IANA zone are ahead of UTC, in ms. Where both ends of a span have the same offset it holds in between, and Intl, which is slow, is not asked. */
export function offsetAt(instant: Instant, timeZone: string): number {
  const { format, offsets } = remembered(zones, KEPT_ZONES, timeZone, () => ({
    format: new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' }),
    offsets: new Map(),
  }));
  const start = Math.floor(instant / SPAN_MS) * SPAN_MS;
  const read = (border: number) => readOffset(format, border);
  const before = remembered(offsets, KEPT_OFFSETS, start, read);
  const after = remembered(offsets, KEPT_OFFSETS, start + SPAN_MS, read);
  return before === after ? before : readOffset(format, instant);
}

/** Intl ends with GMT+05:30, with seconds where clocks were once set by the sun, and plain GMT where there is none. */
function readOffset(format: Intl.DateTimeFormat, instant: Instant): number {
  const [, sign, hours = 0, minutes = 0, seconds = 0] =
    /([+-])(\d\d):(\d\d)(?::(\d\d))?$/.exec(format.format(instant)) ?? [];
  const size = (Number(hours) * 60 + Number(minutes)) * millisecondsInMinute + Number(seconds) * 1000;
  return sign === '-' ? -size : size;
}
