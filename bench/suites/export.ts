import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { z } from 'zod';
import { written } from '../files/written.ts';
import { hasPeers, runProgram, timesOf } from '../measure.ts';
import { against, notInstalled, promised, type Row, timeRow, timesAsFast } from '../rows.ts';
import { rowsBySize, type Suite } from '../suite.ts';

const name = 'export';
const ROUNDS = 4;
const MAX_MB = 262;
/** Memory that does not grow with the rows grows at most so much; the rest is when garbage is collected. */
const FLAT = 1.3;
/** What SheetJS writes of an XLS without gigabytes of memory; its time grows faster than the rows. */
const SHEETJS_ROWS = 2_000;

type Written = z.output<typeof written>;

/** A writer of files, and how much faster than which others it is promised to be. */
interface Writer {
  readonly title: string;
  readonly script: string;
  readonly words: readonly string[];
  readonly faster?: readonly (readonly [other: Writer, times: number])[];
}

const ours = (
  title: string,
  words: readonly string[],
  faster: NonNullable<Writer['faster']> = [],
): Writer => ({
  title,
  script: 'files/ours.ts',
  words,
  faster,
});
const peer = (title: string, file: string, ...words: string[]): Writer => ({
  title,
  script: `peers/${file}.js`,
  words,
});

const csvStringify = peer('csv-stringify', 'csv-stringify');
const exceljs = peer("exceljs' stream", 'exceljs', 'styled');
const quickExceljs = peer("exceljs' stream, level 2", 'exceljs', 'styled', '2');
const plainExceljs = peer("exceljs' stream without formats", 'exceljs', 'plain');
const sheetjs = peer('SheetJS, scaled', 'sheetjs');

const writers = [
  ours('CSV', ['csv'], [[csvStringify, 1.5]]),
  ours('XLSX', ['xlsx', '5'], [[exceljs, 2.5]]),
  ours(
    'XLSX, level 2',
    ['xlsx', '2'],
    [
      [quickExceljs, 2.5],
      [plainExceljs, 1.5],
    ],
  ),
  ours('XLS', ['xls'], [[sheetjs, 10]]),
  ours('JSON', ['json']),
];

/** The same rows by our formats and by well-known libraries, each file in a process of its own and in turn. */
export const exportFiles: Suite = {
  name,
  about: 'CSV, XLSX, XLS and JSON of 15 columns, beside csv-stringify, exceljs and SheetJS',
  quick: [1_000, 10_000],
  usual: [100_000],
  full: [1_000, 10_000, 100_000, 500_000],
  async run(sizes) {
    const rows = await rowsBySize(name, sizes, writeAll);
    return rows.map((row) => withFlatness(row, rows));
  },
};

async function writeAll(size: number): Promise<readonly Row[]> {
  // A library that holds everything is not asked for more than it is compared at.
  const peers =
    hasPeers() && size <= 100_000 ? writers.flatMap(({ faster = [] }) => faster.map(([other]) => other)) : [];
  const found = new Map<Writer, readonly Written[]>();
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const writer of [...writers, ...peers])
      found.set(writer, [...(found.get(writer) ?? []), await write(writer, size)]);
  }
  const least = (writer: Writer) => Math.min(...(found.get(writer) ?? []).map(({ ms }) => ms));
  return writers.map((writer) => {
    const some = found.get(writer) ?? [];
    const times = timesOf({ ms: least(writer), cpuMs: null }, some);
    const others = (writer.faster ?? []).flatMap(([other]) => {
      if (peers.includes(other)) return [against(other.title, least(other), least(writer))];
      return size <= 100_000 ? [notInstalled(other.title)] : [];
    });
    const peakMb = Math.max(...some.map((one) => one.peakMb));
    let row: Row = {
      ...timeRow({ suite: name, name: writer.title, size }, times, { against: others, peakMb }),
      first: null,
    };
    if (size < 100_000) return row;
    for (const [other, limit] of writer.faster ?? []) row = timesAsFast(row, other.title, limit);
    return promised(row, { text: `≤ ${MAX_MB} MB`, kept: peakMb <= MAX_MB });
  });
}

async function write({ title, script, words }: Writer, size: number): Promise<Written> {
  const folder = mkdtempSync(join(tmpdir(), 'dwell-bench-file-'));
  const isScaled = title === sheetjs.title;
  const asked = isScaled ? Math.min(size, SHEETJS_ROWS) : size;
  try {
    const job = { path: join(folder, 'file'), rows: asked, words };
    const [found] = await runProgram({ path: script, job }, (line) => written.parse(line));
    if (found === undefined) throw new Error(`${title} wrote nothing.`);
    return isScaled ? { ...found, ms: (found.ms * size) / asked } : found;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function withFlatness(row: Row, rows: readonly Row[]): Row {
  const before = rows.find((one) => one.name === row.name && one.size === 100_000);
  if (row.size !== 500_000 || !before?.peakMb || !row.peakMb) return row;
  const kept = row.peakMb <= FLAT * before.peakMb;
  return promised(row, { text: `memory ≤ ${FLAT} × that of 100k`, kept });
}
