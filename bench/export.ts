import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Measured } from './export/measured.ts';

const MANY = 100_000;
const MORE = 500_000;

/** What one sheet of an XLS holds below its titles, and what SheetJS writes of it without 13 GiB of memory. */
const XLS_SHEET = 65_535;
const SHEETJS_ROWS = 2000;

const ROUNDS = 3;

interface Run {
  readonly name: string;
  /** Below bench/. */
  readonly script: string;
  readonly rows: number;
  readonly words: readonly string[];
}

const ours = (id: string, rows: number, ...words: string[]): Run => ({
  name: [id, ...words.map((level) => `level ${level}`)].join(' '),
  script: 'export/ours.ts',
  rows,
  words: [id, ...words],
});
const peer = (name: string, rows: number, ...words: string[]): Run => ({
  name: [name, ...words].join(' '),
  script: `peers/${name}.js`,
  rows,
  words,
});

const csv = ours('csv', MANY);
const xlsx = ours('xlsx', MANY, '5');
const quickXlsx = ours('xlsx', MANY, '2');
const xlsSheet = ours('xls', XLS_SHEET);
const csvStringify = peer('csv-stringify', MANY);
// Its own level is 6.
const exceljs = peer('exceljs', MANY, 'styled');
const quickExceljs = peer('exceljs', MANY, 'styled', '2');
const plainExceljs = peer('exceljs', MANY, 'plain');
const sheetjs = peer('sheetjs', SHEETJS_ROWS);

const compared = [
  csv,
  csvStringify,
  ours('json', MANY),
  quickXlsx,
  xlsx,
  exceljs,
  quickExceljs,
  plainExceljs,
  ours('xls', MANY),
  xlsSheet,
  sheetjs,
];
const large = [ours('csv', MORE), ours('xlsx', MORE, '2'), ours('xlsx', MORE, '5'), ours('xls', MORE)];

/**
 * Writes the same rows with our formats and with well-known libraries, each in a process of its own and in turn, and
 * prints the best of some rounds and what the product promises of them.
 */
export async function benchExports(): Promise<void> {
  installPeers();
  const folder = mkdtempSync(join(tmpdir(), 'dwell-bench-'));
  try {
    const found = new Map<Run, Measured>();
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const run of compared) found.set(run, better(found.get(run), measure(run, folder)));
    }
    for (const run of large) found.set(run, measure(run, folder));
    console.table([...found].map(([run, one]) => told(run, one)));
    console.table(promises((run) => found.get(run)));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The libraries are no part of the product and come when they are first asked for. */
function installPeers(): void {
  const home = fileURLToPath(new URL('peers', import.meta.url));
  if (existsSync(join(home, 'node_modules'))) return;
  execFileSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: home,
    stdio: 'inherit',
  });
}

function measure({ script, rows, words }: Run, folder: string): Measured {
  const path = join(folder, 'file');
  const program = fileURLToPath(new URL(script, import.meta.url));
  // As `npm start` runs it: less room for what is short-lived, and no slower.
  const printed = execFileSync(
    process.execPath,
    ['--max-semi-space-size=16', program, path, String(rows), ...words],
    {
      encoding: 'utf8',
    },
  );
  rmSync(path);
  return JSON.parse(printed);
}

function better(known: Measured | undefined, other: Measured): Measured {
  if (known === undefined) return other;
  const { ms, bytes } = other;
  return { ms: Math.min(known.ms, ms), peak: Math.max(known.peak, other.peak), bytes };
}

function told({ name, rows }: Run, { ms, peak, bytes }: Measured): Record<string, string | number> {
  return {
    file: name,
    rows,
    ms: Math.round(ms),
    'rows/s': Math.round((rows / ms) * 1000),
    'peak MiB': Math.round(peak),
    MB: Math.round(bytes / 1e5) / 10,
  };
}

/** What the product says of itself, and what was found. */
function promises(found: (run: Run) => Measured | undefined): Record<string, string>[] {
  const ms = (run: Run) => found(run)?.ms ?? Number.NaN;
  const speed = (run: Run, other: Run) => ms(other) / ms(run);
  const scaled = (ms(sheetjs) * XLS_SHEET) / SHEETJS_ROWS;
  const peak = Math.max(...[...compared, ...large].filter(isOurs).map((run) => found(run)?.peak ?? 0));
  const line = (promise: string, value: number, kept: boolean, unit: string) => ({
    promise,
    found: `${Math.round(value * 100) / 100}${unit}`,
    kept: kept ? 'yes' : 'NO',
  });
  const times = (promise: string, value: number, least: number) => line(promise, value, value >= least, ' ×');
  return [
    times('XLSX is 1.5 × as fast as exceljs with styles', speed(xlsx, exceljs), 1.5),
    times('… both at level 2', speed(quickXlsx, quickExceljs), 1.5),
    times('… our quick one, exceljs without our formats of dates', speed(quickXlsx, plainExceljs), 1.5),
    times('CSV is as fast as csv-stringify', speed(csv, csvStringify), 1),
    times('XLS, a full sheet, is 10 × as fast as SheetJS, scaled', scaled / ms(xlsSheet), 10),
    line('no file takes 250 MiB', peak, peak < 250, ' MiB'),
  ];
}

function isOurs({ script }: Run): boolean {
  return script.startsWith('export/');
}
