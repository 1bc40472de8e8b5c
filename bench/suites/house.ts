import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { atMost, figureRow, type Row } from '../rows.ts';
import type { Suite } from '../suite.ts';

/** The house that is looked at: this one, or the checkout that `ROOT` names, which needs its packages beside it. */
const root = resolve(process.env.ROOT ?? fileURLToPath(new URL('../..', import.meta.url)));

const name = 'house';

interface Source {
  readonly path: string;
  readonly text: string;
  readonly lines: number;
}

/** How many files at most execute something for one question, by what is asked. */
const maxExecuted: Readonly<Record<string, number>> = {
  '/tis WEB-1': 50,
  '/tis weekly WEB': 70,
  'GET /rest/issues/aggregation': 60,
};

/** How large the house is, how its files hang together, and how many files a question goes through. */
export const house: Suite = {
  name,
  about: 'files, lines and imports of each room; how many files one question executes',
  quick: null,
  usual: [],
  full: [],
  async run() {
    const sources = ['src', 'playground'].flatMap((folder) => sourcesIn(join(root, folder)));
    return [...rooms(sources), ...imports(sources), ...packages(), ...(await executed())];
  },
};

const figure = (title: string, unit: string, value: number): Row =>
  figureRow({ suite: name, name: title, size: null, unit }, value);

function sourcesIn(folder: string): Source[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.ts$/.test(name) && !name.includes('node_modules'))
    .map((name) => {
      const text = readFileSync(join(folder, name), 'utf8');
      return { path: join(folder, name), text, lines: text.trimEnd().split('\n').length };
    });
}

function rooms(sources: readonly Source[]): readonly Row[] {
  const byRoom = Map.groupBy(sources, ({ path }) => {
    const [top = '', room = '', inner = ''] = relative(root, path).split('/');
    if (top === 'playground') return top;
    return ['engine', 'selection'].includes(room) ? `${room}/${inner}` : room;
  });
  const each = [...byRoom]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([room, files]) => [
      figure(room, 'files', files.length),
      { ...figure(room, 'lines', sum(files)), name: `${room} (lines)` },
    ]);
  return [
    ...each,
    figure('all', 'files', sources.length),
    figure('all (lines)', 'lines', sum(sources)),
    figure('median of a file', 'lines', median(sources.map(({ lines }) => lines))),
  ];
}

function imports(sources: readonly Source[]): readonly Row[] {
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
  const byName = Map.groupBy(sources, ({ path }) => basename(path));
  return [
    figure('with exactly one importer', 'files', ofSources.filter((count) => count === 1).length),
    figure('exported', 'names', exported.size),
    figure('exported by more than one file', 'names', countOver(exported.values())),
    figure(
      'of more than one file',
      'file names',
      countOver([...byName.values()].map((files) => files.length)),
    ),
  ];
}

function packages(): readonly Row[] {
  const { dependencies = {}, devDependencies = {} } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  );
  return [
    figure('of production', 'packages', Object.keys(dependencies).length),
    figure('of development', 'packages', Object.keys(devDependencies).length),
  ];
}

/** Counts the files of `src` in which something is executed for one question, once Dwell is warm. */
async function executed(): Promise<readonly Row[]> {
  const rows: Row[] = [];
  const { startDwellInSlack } = await import(pathToFileURL(join(root, 'test/support/start-slack.ts')).href);
  const { dwell, slack, stop } = await startDwellInSlack({
    at: '2026-03-18T12:00:00Z',
    environment: { TRACKER: 'sample' },
  });
  await dwell.types('people', '--link', 'U0ADA', '--to', 'ada');
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  const averages = {
    ...{ filterType: 'project', projectKey: 'WEB', columnsBy: 'statusDuration' },
    aggregationType: 'average',
  };
  const questions = {
    '/tis WEB-1': () => slack.answerTo('/tis WEB-1'),
    '/tis weekly WEB': () => slack.answerTo('/tis weekly WEB'),
    'GET /rest/issue': () => dwell.get('/rest/issue', { issueKey: 'WEB-1', columnsBy: 'statusDuration' }),
    'GET /rest/issues/aggregation': () => dwell.get('/rest/issues/aggregation', averages),
  };
  for (const [title, ask] of Object.entries(questions)) {
    await ask();
    await ask();
    await session.post('Profiler.takePreciseCoverage');
    await ask();
    const { result } = await session.post('Profiler.takePreciseCoverage');
    const touched = result.filter(
      ({ url, functions }) =>
        url.startsWith(pathToFileURL(join(root, 'src/')).href) &&
        !url.includes('/src/playground/') &&
        functions.some(({ ranges }) => (ranges[0]?.count ?? 0) > 0),
    );
    const counted = figure(`executed for ${title}`, 'files', touched.length);
    const most = maxExecuted[title];
    rows.push(most === undefined ? counted : atMost(counted, most));
  }
  session.disconnect();
  await stop();
  return rows;
}

const sum = (files: readonly Source[]) => files.reduce((lines, file) => lines + file.lines, 0);

const countOver = (counts: Iterable<number>) => [...counts].filter((count) => count > 1).length;

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
