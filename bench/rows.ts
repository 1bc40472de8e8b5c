import { cpus, loadavg } from 'node:os';
import { peersInstall, type Times } from './measure.ts';

/** What a figure is held against, measured in the same run. `least`: its best time in the row's unit; null: it was not there. */
export interface Against {
  readonly name: string;
  readonly least: number | null;
  /** The row's least divided by this one's. */
  readonly ratio: number | null;
  readonly note: string | null;
}

/** A promise about a row, and whether it is kept. */
interface Promised {
  readonly text: string;
  readonly kept: boolean;
}

/** One figure of one suite. */
export interface Row {
  readonly suite: string;
  readonly name: string;
  /** How many issues (of files: rows) it is about; null where size says nothing. */
  readonly size: number | null;
  readonly unit: string;
  /** Of the repeats; noise only ever adds, so ratios are made of `least`. */
  readonly least: number;
  readonly median: number;
  readonly most: number;
  readonly repeats: number;
  /** The first time, when nothing was warm; null where there is no such thing. */
  readonly first: number | null;
  /** The least processor time of all threads of a run, ms. */
  readonly cpuMs: number | null;
  /** The most memory of the process that did it, MB. */
  readonly peakMb: number | null;
  /** How late the event loop came round, ms. */
  readonly lateMs: number | null;
  /** Time of a processor used in one go by the event loop's thread, ms. */
  readonly heldMs: number | null;
  readonly against: readonly Against[];
  readonly promises: readonly Promised[];
  /** What is wrong with it. */
  readonly fault: string | null;
  /** Further columns that only rows of its suite have. */
  readonly columns?: Readonly<Record<string, string>>;
  /** One of many that another row sums up; the page leaves it out. */
  readonly isDetail?: boolean;
}

type Extra = Partial<Pick<Row, 'cpuMs' | 'peakMb' | 'lateMs' | 'heldMs' | 'against' | 'promises' | 'fault'>>;

const nothing = {
  cpuMs: null,
  peakMb: null,
  lateMs: null,
  heldMs: null,
  against: [],
  promises: [],
  fault: null,
};

/** A row of times in ms. */
export function timeRow(
  { suite, name, size }: Pick<Row, 'suite' | 'name' | 'size'>,
  { first, least, median, most, repeats, cpu }: Times,
  extra: Extra = {},
): Row {
  return {
    suite,
    name,
    size,
    unit: 'ms',
    first,
    least,
    median,
    most,
    repeats,
    ...nothing,
    cpuMs: cpu,
    ...extra,
  };
}

/** A row of a single figure. */
export function figureRow(
  { suite, name, size, unit }: Pick<Row, 'suite' | 'name' | 'size' | 'unit'>,
  figure: number,
  extra: Extra = {},
): Row {
  const times = { first: null, least: figure, median: figure, most: figure, repeats: 1 };
  return { suite, name, size, unit, ...times, ...nothing, ...extra };
}

/** A reference of which a best figure is known. */
export function against(name: string, least: number, own: number): Against {
  return { name, least, ratio: own / least, note: null };
}

/** A reference of the peers that are not there. */
export function notInstalled(name: string): Against {
  return { name, least: null, ratio: null, note: `not installed (${peersInstall})` };
}

/** The figure is at most so large. */
export function atMost(row: Row, limit: number, figure = row.median): Row {
  return promised(row, { text: `≤ ${limit} ${row.unit}`, kept: figure <= limit });
}

/** The figure is at most so many times that of a reference; nothing is promised where the reference is not there. */
export function atMostTimes(row: Row, name: string, limit: number): Row {
  const ratio = row.against.find((one) => one.name === name)?.ratio ?? null;
  return ratio === null ? row : promised(row, { text: `≤ ${limit} × ${name}`, kept: ratio <= limit });
}

/** The reference takes at least so many times as long. */
export function timesAsFast(row: Row, name: string, limit: number): Row {
  const ratio = row.against.find((one) => one.name === name)?.ratio ?? null;
  if (ratio === null) return row;
  return promised(row, { text: `≥ ${limit} × as fast as ${name}`, kept: 1 / ratio >= limit });
}

/**
 * Nobody else waited longer (ms). Where others keep the machine busy, its loop is late whatever we do, and only the time of
 * a processor that was used in one go says whose fault that is.
 */
export function lateAtMost(row: Row, limit: number): Row {
  const isBusy = (loadavg()[0] ?? 0) > 2 * cpus().length;
  const waited = isBusy ? row.heldMs : row.lateMs;
  if (waited === null) return row;
  return promised(row, { text: `${isBusy ? 'held' : 'late'} ≤ ${limit} ms`, kept: waited <= limit });
}

export function promised(row: Row, promise: Promised): Row {
  return { ...row, promises: [...row.promises, promise] };
}

/** `1k`, `33k`, `1M`. */
export function sizeName(size: number): string {
  if (size >= 1_000_000) return `${size / 1_000_000}M`;
  return size >= 1_000 ? `${size / 1_000}k` : String(size);
}

/** The sizes in a text such as `1k,10k,100000`. */
export function readSizes(text: string): readonly number[] {
  return text.split(',').map((one) => {
    const [, digits = '', unit = ''] = /^(\d+)([kM]?)$/.exec(one.trim()) ?? [];
    const size = Number(digits) * ({ k: 1_000, M: 1_000_000 }[unit] ?? 1);
    if (size > 0) return size;
    throw new Error(`ISSUES '${text}' is not known; allowed: sizes such as 1k,10k,100k,1M.`);
  });
}

/** A figure as people read it: three digits. */
export function figureText(value: number): string {
  if (!Number.isFinite(value)) return '–';
  if (Math.abs(value) >= 1_000) return Math.round(value).toLocaleString('en');
  return String(Number(value.toPrecision(3)));
}
