import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { runProgram, timesOf } from '../measure.ts';
import { serverEnvironment } from '../product/start-server.ts';
import { against, atMost, atMostTimes, figureRow, promised, type Row, timeRow } from '../rows.ts';
import { rowsBySize, type Suite } from '../suite.ts';
import { inventIssue, WORLD_VERSION } from '../world/invent-issue.ts';
import { jiraPage } from '../world/jira-page.ts';

const name = 'ingest';
const ROUNDS = 3;
const PAGE = 100;
/** So much of JSON is one file. */
const PER_FILE = 1_000;
const FLAT = 1.3;

/** What one import, or one run of its reference, took. */
export const imported = z.object({ ms: z.number(), cpuMs: z.number(), peakMb: z.number() });

/** `npx dwell import` of what Jira's search answers, beside `JSON.parse` of the same bytes. */
export const ingest: Suite = {
  name,
  about: 'dwell import of a Jira export, beside JSON.parse of its bytes',
  quick: [1_000],
  usual: [1_000, 10_000],
  full: [1_000, 10_000, 100_000],
  async run(sizes) {
    const rows = await rowsBySize(name, sizes, importOf);
    return rows.map((row) => withFlatness(row, rows));
  },
};

async function importOf(size: number): Promise<readonly Row[]> {
  const files = exportFiles(size);
  const megabytes = files.reduce((sum, file) => sum + statSync(file).size, 0) / 1e6;
  const found: z.output<typeof imported>[] = [];
  const parsed: z.output<typeof imported>[] = [];
  let stored = 0;
  while (found.length < (size > 10_000 ? 1 : ROUNDS)) {
    const dataDir = mkdtempSync(join(tmpdir(), 'dwell-bench-import-'));
    try {
      found.push(await importOnce(files, dataDir));
      stored = readdirSync(dataDir)
        .filter((file) => file.startsWith('dwell.db'))
        .reduce((sum, file) => sum + statSync(join(dataDir, file)).size, 0);
    } finally {
      rmSync(dataDir, { recursive: true });
    }
    parsed.push(
      ...(await runProgram({ path: 'references/parse-json.ts', job: files }, (line) => imported.parse(line))),
    );
  }
  const own = timesOf({ ms: Number.NaN, cpuMs: null }, found);
  const peakMb = Math.max(...found.map((one) => one.peakMb));
  const parse = Math.min(...parsed.map(({ ms }) => ms));
  const row = {
    ...timeRow({ suite: name, name: 'import, a process of its own', size }, own, {
      against: [against('JSON.parse', parse, own.least)],
      peakMb,
    }),
    first: null,
  };
  const of = { suite: name, size };
  return [
    // What a start costs is most of a thousand issues.
    size >= 10_000 ? atMostTimes(row, 'JSON.parse', 2.5) : row,
    figureRow(
      { ...of, name: 'import, of all processors', unit: 'ms of processor time' },
      Math.min(...found.map(({ cpuMs }) => cpuMs)),
      {
        against: [
          against(
            'JSON.parse',
            Math.min(...parsed.map(({ cpuMs }) => cpuMs)),
            Math.min(...found.map(({ cpuMs }) => cpuMs)),
          ),
        ],
      },
    ),
    figureRow({ ...of, name: 'import', unit: 'MB/s' }, megabytes / (own.least / 1_000)),
    storeRow(figureRow({ ...of, name: 'store, for each issue', unit: 'B' }, stored / size)),
  ];
}

function storeRow(row: Row): Row {
  return (row.size ?? 0) >= 10_000 ? atMost(row, 1_200) : row;
}

/** Ten times the issues take no more memory; a thousand take what a start takes. */
function withFlatness(row: Row, rows: readonly Row[]): Row {
  const before = rows.find((one) => one.name === row.name && one.size === (row.size ?? 0) / 10);
  if (!before?.peakMb || !row.peakMb || (before.size ?? 0) < 10_000) return row;
  const kept = row.peakMb <= FLAT * before.peakMb;
  return promised(row, { text: `memory ≤ ${FLAT} × that of a tenth`, kept });
}

/** Files of an export, written once and kept like the worlds. */
export function exportFiles(size: number): readonly string[] {
  const folder = join(tmpdir(), 'dwell-bench', `export-${size}-${WORLD_VERSION}`);
  if (!existsSync(folder)) {
    const part = `${folder}.part`;
    rmSync(part, { recursive: true, force: true });
    mkdirSync(part, { recursive: true });
    console.error(`Writing an export of ${size.toLocaleString('en')} issues, once …`);
    for (let at = 0; at < size; at += PER_FILE) {
      const pages: string[] = [];
      for (let n = at; n < Math.min(size, at + PER_FILE); n += PAGE) {
        const issues = Array.from({ length: Math.min(PAGE, size - n) }, (_, i) => inventIssue(n + i));
        pages.push(jiraPage(issues, n, size));
      }
      writeFileSync(join(part, `${String(at).padStart(9, '0')}.json`), `[${pages.join(',\n')}]`);
    }
    renameSync(part, folder);
  }
  return readdirSync(folder)
    .sort()
    .map((file) => join(folder, file));
}

/** Its own process says at its end what it used; its threads, which have the same preload, say nothing. */
export async function importOnce(
  files: readonly string[],
  dataDir: string,
): Promise<z.output<typeof imported>> {
  const tell =
    'data:text/javascript,import{isMainThread as i}from"node:worker_threads";i%26%26process.on("exit",()=>{const{userCPUTime:u,systemCPUTime:s,maxRSS:m}=process.resourceUsage();console.error("USED",(u+s)/1e3,m*1024/1e6)})';
  const began = performance.now();
  const child = spawn(
    process.execPath,
    // As `npx dwell` does.
    [
      '--max-semi-space-size=16',
      '--expose-gc',
      ...['--import', tell, join(import.meta.dirname, '../../src/main.ts'), 'dwell', 'import', ...files],
    ],
    {
      cwd: dataDir,
      env: { PATH: process.env.PATH, ...serverEnvironment(dataDir) },
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  );
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    said += text;
  });
  const [code] = await once(child, 'close');
  const ms = performance.now() - began;
  if (code !== 0) throw new Error(`The import ended with ${code}: ${said.slice(0, 500)}`);
  const [, cpuMs = 'NaN', peakMb = 'NaN'] = /USED ([\d.]+) ([\d.]+)/.exec(said) ?? [];
  return { ms, cpuMs: Number(cpuMs), peakMb: Number(peakMb) };
}
