import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** The house that is looked at: this one, or the checkout that `ROOT` names, which needs its packages beside it. */
const root = resolve(process.env.ROOT ?? fileURLToPath(new URL('..', import.meta.url)));

const STARTS = 5;

interface Source {
  readonly path: string;
  readonly text: string;
  readonly lines: number;
}

/** How large the house is, how its files hang together, what a start costs, and how many files a question goes through. */
export async function benchHouse(): Promise<void> {
  const sources = ['src', 'playground'].flatMap((folder) => sourcesIn(join(root, folder)));
  tellRooms(sources);
  tellThreads(sources);
  tellPackages();
  await tellStarts();
  await tellQuestions();
}

function sourcesIn(folder: string): Source[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.ts$/.test(name) && !name.includes('node_modules'))
    .map((name) => {
      const text = readFileSync(join(folder, name), 'utf8');
      return { path: join(folder, name), text, lines: text.trimEnd().split('\n').length };
    });
}

function tellRooms(sources: readonly Source[]): void {
  const rooms = Map.groupBy(sources, ({ path }) => {
    const [top = '', room = ''] = relative(root, path).split('/');
    if (top === 'playground') return top;
    return room.includes('.') ? '(top)' : room;
  });
  for (const [room, files] of [...rooms].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    tell(`room ${room}`, `${files.length} files, ${sum(files)} lines`);
  }
  tell('source', `${sources.length} files, ${sum(sources)} lines`);
  tell('median lines of a file', String(median(sources.map(({ lines }) => lines))));
}

function tellThreads(sources: readonly Source[]): void {
  const importers = new Map(sources.map(({ path }) => [path, 0]));
  const exported = new Map<string, number>();
  for (const { path, text } of sources) {
    const targets = [...text.matchAll(/(?:from|import)\s*\(?'(\.[^']+)'/g)].map(([, target = '']) =>
      resolve(dirname(path), target),
    );
    for (const target of new Set(targets)) importers.set(target, (importers.get(target) ?? 0) + 1);
    const names = text.matchAll(
      /^export (?:async )?(?:function\*?|const|let|class|interface|type|enum) (\w+)/gm,
    );
    for (const name of new Set([...names].map(([, name = '']) => name))) {
      exported.set(name, (exported.get(name) ?? 0) + 1);
    }
  }
  const ofSources = sources.map(({ path }) => importers.get(path) ?? 0);
  tell('files with exactly one importer', String(ofSources.filter((count) => count === 1).length));
  tell('exported names', String(exported.size));
  tell('exported names of more than one file', String(countOver(exported.values())));
  const byName = Map.groupBy(sources, ({ path }) => basename(path));
  tell('names of more than one file', String(countOver([...byName.values()].map((files) => files.length))));
}

function tellPackages(): void {
  const { dependencies = {}, devDependencies = {} } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  );
  const counts = [dependencies, devDependencies].map((packages) => Object.keys(packages).length);
  tell('packages', `${counts[0]} of production, ${counts[1]} of development`);
}

async function tellStarts(): Promise<void> {
  const kinds = [
    ['start', []],
    ['command line', ['dwell', 'help']],
  ] as const;
  for (const [name, args] of kinds) {
    const data = mkdtempSync(join(tmpdir(), 'dwell-house-'));
    // The first start of a folder writes what later ones find.
    const first = await startOnce(data, args);
    const times: Start[] = [];
    while (times.length < STARTS) times.push(await startOnce(data, args));
    const [cpu, wall] = [median(times.map((one) => one.cpuMs)), median(times.map((one) => one.wallMs))];
    tell(name, `${cpu} ms of processor time, ${wall} ms (first: ${first.cpuMs} ms, ${first.wallMs} ms)`);
    rmSync(data, { recursive: true });
  }
}

interface Start {
  readonly cpuMs: number;
  readonly wallMs: number;
}

/** A start until Dwell says that it is ready, or until a command has ended; times of all its threads. */
async function startOnce(data: string, args: readonly string[]): Promise<Start> {
  // What a process used is told by itself at its end, and read from the system at the instant it is ready.
  const tellUsage =
    'data:text/javascript,process.on("exit",()=>console.error("CPU",process.resourceUsage().userCPUTime/1e3,process.resourceUsage().systemCPUTime/1e3))';
  const began = performance.now();
  const child = spawn(process.execPath, ['--import', tellUsage, join(root, 'src/main.ts'), ...args], {
    cwd: data,
    env: { PATH: process.env.PATH, DATA_DIR: data, PORT: '0', LOG_LEVEL: 'silent' },
  });
  let ready: Start | null = null;
  let said = '';
  child.stdout.on('data', (text: Buffer) => {
    if (ready !== null || !text.includes('is ready')) return;
    ready = { cpuMs: usedBy(child.pid ?? 0), wallMs: Math.round(performance.now() - began) };
    child.kill();
  });
  child.stderr.on('data', (text: Buffer) => {
    said += text;
  });
  await new Promise((end) => child.once('close', end));
  const [, user = '0', system = '0'] = /CPU ([\d.]+) ([\d.]+)/.exec(said) ?? [];
  return (
    ready ?? {
      cpuMs: Math.round(Number(user) + Number(system)),
      wallMs: Math.round(performance.now() - began),
    }
  );
}

/** Clock ticks, a hundredth of a second each, in which a process was at work so far; where there is no /proc, none. */
function usedBy(pid: number): number {
  const path = `/proc/${pid}/stat`;
  if (!existsSync(path)) return 0;
  const fields = readFileSync(path, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** Counts the files of `src` in which something is executed for one question, once Dwell is warm. */
async function tellQuestions(): Promise<void> {
  const { startDwellInSlack } = await import(pathToFileURL(join(root, 'test/support/start-slack.ts')).href);
  const { dwell, asks, stop } = await startDwellInSlack({
    at: '2026-03-18T12:00:00Z',
    environment: { TRACKER: 'sample' },
  });
  await dwell.types('people', '--link', 'U0ADA', '--to', 'ada');
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  const questions = {
    '/tis WEB-1': () => asks('/tis WEB-1'),
    'GET /rest/issue': () => dwell.get('/rest/issue', { issueKey: 'WEB-1', columnsBy: 'statusDuration' }),
  };
  for (const [name, ask] of Object.entries(questions)) {
    await ask();
    await ask();
    await session.post('Profiler.takePreciseCoverage');
    await ask();
    const { result } = await session.post('Profiler.takePreciseCoverage');
    const executed = result.filter(
      ({ url, functions }) =>
        url.startsWith(pathToFileURL(join(root, 'src/')).href) &&
        !url.includes('/src/playground/') &&
        functions.some(({ ranges }) => (ranges[0]?.count ?? 0) > 0),
    );
    tell(`files executed for ${name}`, String(executed.length));
  }
  session.disconnect();
  await stop();
}

const sum = (files: readonly Source[]) => files.reduce((lines, file) => lines + file.lines, 0);

const countOver = (counts: Iterable<number>) => [...counts].filter((count) => count > 1).length;

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

const tell = (what: string, figure: string) => console.log(`${what.padEnd(40)} ${figure}`);
