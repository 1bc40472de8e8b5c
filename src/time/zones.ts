import { tzOffset } from '@date-fns/tz/tzOffset';
import { millisecondsInDay, millisecondsInHour } from 'date-fns/constants';
import { memo } from '../cache/namespace.ts';
import type { Instant } from '../model/issue.ts';
import { firstWhere } from './bisect.ts';

/** There are fewer zones, however they are written. */
const MAX_ZONES = 2_000;

/** 400 years, after which the Gregorian calendar repeats with its weekdays, and with it every rule made of them. */
export const CYCLE_MS = 146_097 * millisecondsInDay;

/**
 * The twelve centuries that stand for all others: before 1800 every zone has its local mean time, and from 2200 on the
 * last rule it has.
 */
export const EARLIEST: Instant = Date.UTC(1400, 0);
export const LATEST: Instant = Date.UTC(2600, 0);

/** Shorter than any time a zone ever kept an offset (Freetown in 1939: 4 days), so that no change is overlooked. */
const PROBE_MS = 3 * millisecondsInDay;
const BLOCK_MS = 133 * PROBE_MS;

/** True if a text names a zone of the IANA database; a plain offset such as +02:00 is none. */
export function isTimeZone(text: string): boolean {
  return /^[A-Za-z]/.test(text) && isZoneOrOffset(text);
}

/** True if wall clocks can be computed with a text: the name of a zone, or a plain offset such as +02:00. */
export const isZoneOrOffset = memo((text: string): boolean => {
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: text });
    return true;
  } catch {
    return false;
  }
}, MAX_ZONES);

/** A name that wall clocks can be computed with, as other systems give it; null for any other, and for none. */
export function knownZone(name: string | null | undefined): string | null {
  return name && isZoneOrOffset(name) ? name : null;
}

/** The zone of the machine, for the composition root alone: everything else receives its zone as an argument. */
export function machineZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** The names of zones in their usual spelling; older ones are known as well, but not listed. */
export function zoneNames(): readonly string[] {
  return Intl.supportedValuesOf('timeZone');
}

/** Zones by their abbreviation: the one that is meant, then others with the same; IANA gives some another meaning. */
const abbreviations: ReadonlyMap<string, readonly string[]> = new Map(
  (
    [
      ['est', 'America/New_York', 'America/Panama'],
      ['et edt', 'America/New_York'],
      ['cst', 'America/Chicago', 'Asia/Shanghai'],
      ['ct cdt', 'America/Chicago'],
      ['mst', 'America/Denver', 'America/Phoenix'],
      ['mt mdt', 'America/Denver'],
      ['pt pst pdt', 'America/Los_Angeles'],
      ['akst akdt', 'America/Anchorage'],
      ['ast adt', 'America/Halifax'],
      ['nst ndt', 'America/St_Johns'],
      ['brt', 'America/Sao_Paulo'],
      ['hst', 'Pacific/Honolulu'],
      ['bst', 'Europe/London', 'Asia/Dhaka'],
      ['ist', 'Asia/Kolkata', 'Europe/Dublin', 'Asia/Jerusalem'],
      ['cet cest mez mesz', 'Europe/Berlin'],
      ['wet west', 'Europe/Lisbon'],
      ['eet eest', 'Europe/Athens'],
      ['msk', 'Europe/Moscow'],
      ['sgt', 'Asia/Singapore'],
      ['hkt', 'Asia/Hong_Kong'],
      ['jst', 'Asia/Tokyo'],
      ['kst', 'Asia/Seoul'],
      ['aest aedt', 'Australia/Sydney'],
      ['awst', 'Australia/Perth'],
      ['nzst nzdt', 'Pacific/Auckland'],
    ] as const
  ).flatMap(([names, ...zones]) => names.split(' ').map((name) => [name, zones] as const)),
);

/** Abbreviations whose first zone is not meant more often than the others. */
const ambiguous = ['ist'];

/** The zones that an abbreviation such as `EST` can mean, the likeliest first; `isSure` where that one is meant. */
export function zonesCalled(typed: string): { readonly zones: readonly string[]; readonly isSure: boolean } {
  const name = typed.trim().toLowerCase();
  return { zones: abbreviations.get(name) ?? [], isSure: !ambiguous.includes(name) };
}

/** An IANA zone in its own spelling, from its name in any case or the only city of that name; null when there is none. */
export function findZone(typed: string): string | null {
  const wanted = typed.trim().toLowerCase().replaceAll(' ', '_');
  const names = zoneNames();
  const named = names.find((zone) => zone.toLowerCase() === wanted);
  if (named !== undefined) return named;
  const { zones, isSure } = zonesCalled(typed);
  if (zones.length > 0) return isSure ? (zones[0] ?? null) : null;
  const [only, ...others] = names.filter((zone) => zone.toLowerCase().endsWith(`/${wanted}`));
  if (only !== undefined && others.length === 0) return only;
  // The library takes three letters for zones that people do not mean by them: AST is not Anchorage.
  if (/^[a-z]{3}$/.test(wanted) && !['utc', 'uct', 'gmt'].includes(wanted)) return null;
  if (!isTimeZone(wanted)) return null;
  return new Intl.DateTimeFormat('en-US', { timeZone: wanted }).resolvedOptions().timeZone;
}

/**
 * The time in ms by which the wall clock of a zone is ahead of UTC at an instant; to the second in times before
 * standard time. An unknown zone is a RangeError.
 */
export function offsetAt(instant: Instant, timeZone: string): number {
  return offsetsOf(timeZone)(instant);
}

/** The instant of the twelve centuries that stands for another, and by how many cycles it was moved: 0 within them. */
export function foldCycles(instant: Instant): { readonly at: Instant; readonly cycles: number } {
  const over = instant < EARLIEST ? instant - EARLIEST : Math.max(0, instant - LATEST);
  const cycles = over === 0 ? 0 : over < 0 ? Math.floor(over / CYCLE_MS) : Math.ceil(over / CYCLE_MS);
  return { at: instant - cycles * CYCLE_MS, cycles };
}

/** The offsets of a stretch of time: `first`, and every change within it. */
interface Block {
  readonly first: number;
  readonly changes: readonly { readonly at: Instant; readonly offset: number }[];
}

/**
 * `offsetAt` for one zone. The library is called once for a stretch of time, which is some fifty times faster than
 * calling it every time.
 */
export const offsetsOf = memo((timeZone: string): ((instant: Instant) => number) => {
  if (!isZoneOrOffset(timeZone)) throw new RangeError(`The time zone '${timeZone}' is not known.`);
  const measure = offsetMeter(timeZone);
  const blocks = new Map<number, Block>();
  return (instant) => {
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
}, MAX_ZONES);

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
  return 1000 * firstWhere(low / 1000, high / 1000, (second) => measure(1000 * second) === next);
}

/** Offsets straight from the library, in whole seconds. */
function offsetMeter(timeZone: string): (instant: Instant) => number {
  const format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
  return (instant) => {
    const ms = Math.round(tzOffset(timeZone, new Date(instant)) * 60) * 1000;
    if (ms === 0 || Math.abs(ms) >= millisecondsInHour) return ms;
    // @date-fns/tz 1.5.0 loses the sign of offsets of less than an hour, such as -00:44:30 (Monrovia until 1972).
    return format.format(instant).includes('GMT-') ? -Math.abs(ms) : Math.abs(ms);
  };
}

/** A zone as people say it: `Berlin time`. */
export function zoneWords(timeZone: string): string {
  const [, city] = /\/([^/]+)$/.exec(timeZone) ?? [];
  return city === undefined ? timeZone : `${city.replaceAll('_', ' ')} time`;
}
