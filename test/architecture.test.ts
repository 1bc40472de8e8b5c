import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '#jest';

const src = fileURLToPath(new URL('../src', import.meta.url));

/** Which rooms a room may know; type-only imports count. docs/architecture.md shows the same table. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  model: [],
  issues: ['model'],
  'block-kit': ['output', 'time', 'model'],
  concurrency: ['model'],
  cache: ['concurrency', 'model'],
  time: ['cache', 'model'],
  delegation: ['issues', 'model'],
  columns: ['issues', 'model'],
  engine: ['columns', 'issues', 'time', 'concurrency', 'model'],
  kernels: ['engine', 'columns', 'issues', 'time', 'concurrency', 'model'],
  reports: ['engine', 'columns', 'time', 'model'],
  jql: ['columns', 'issues', 'time', 'model'],
  store: ['parameters', 'concurrency', 'issues', 'model'],
  'http-client': ['model'],
  trackers: ['http-client', 'cache', 'issues', 'time', 'model'],
  mirror: [
    'trackers',
    'store',
    'engine',
    'columns',
    'cache',
    'concurrency',
    'issues',
    'output',
    'time',
    'model',
  ],
  selection: ['mirror', 'kernels', 'engine', 'columns', 'jql', 'issues', 'time', 'concurrency', 'model'],
  api: [
    'selection',
    'mirror',
    'trackers',
    'store',
    'cache',
    'reports',
    'kernels',
    'engine',
    'columns',
    'jql',
    'issues',
    'time',
    'delegation',
    'concurrency',
    'output',
    'parameters',
    'model',
  ],
  hosted: [
    'selection',
    'api',
    'reports',
    'engine',
    'issues',
    'parameters',
    'http-client',
    'cache',
    'time',
    'output',
    'model',
  ],
  output: ['time', 'model'],
  parameters: ['output', 'time', 'model'],
  questions: [
    'api',
    'kernels',
    'engine',
    'columns',
    'issues',
    'time',
    'concurrency',
    'cache',
    'output',
    'parameters',
    'block-kit',
    'model',
  ],
  slack: [
    'questions',
    'api',
    'parameters',
    'issues',
    'output',
    'concurrency',
    'block-kit',
    'cache',
    'time',
    'model',
  ],
  http: ['questions', 'api', 'parameters', 'output', 'concurrency', 'cache', 'time', 'model'],
  mcp: ['questions', 'api', 'parameters', 'issues', 'output', 'concurrency', 'time', 'model'],
  cli: ['api', 'issues', 'output', 'model'],
};

/** Files of these folders are entries of one list: they share what lies below them and do not know each other. */
const listFolders = ['reports', 'http/resources', 'cli/commands', 'mcp/tools'];

/** Of these rooms others may know the port only, not what stands behind it. */
const ports: Readonly<Record<string, { readonly seenBy: string; readonly files: readonly string[] }>> = {
  store: {
    seenBy: 'mirror',
    files: [
      'store/blobs.ts',
      'store/documents.ts',
      'store/signals.ts',
      'store/stamps.ts',
      'store/store.ts',
      'store/sync-store.ts',
      'store/tracker-documents.ts',
    ],
  },
  mirror: { seenBy: 'selection', files: ['mirror/mirror.ts', 'mirror/issue-table.ts'] },
  trackers: { seenBy: 'mirror', files: ['trackers/tracker.ts', 'trackers/live-tracker.ts'] },
};

const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
const imports = files.flatMap(importsOf);

function importsOf(file: string): { from: string; to: string }[] {
  const text = readFileSync(join(src, file), 'utf8');
  const found = text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g);
  return [...found].map(([, to = '']) => ({ from: file, to: relative(src, join(src, dirname(file), to)) }));
}
const roomOf = (file: string) => (file.includes('/') ? (file.split('/')[0] ?? '') : '');

test('every folder of src is a room with known neighbours', () => {
  const rooms = readdirSync(src, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  expect(rooms.map((entry) => entry.name).sort()).toEqual(Object.keys(mayImport).sort());
});

test('folders of the Slack door import one way, and none knows the files that put them together', () => {
  const folderOf = (file: string) => file.split('/').slice(0, -1).join('/');
  const pairs = new Set(
    imports
      .filter(({ from, to }) => from.startsWith('slack/') && to.startsWith('slack/'))
      .map(({ from, to }) => `${folderOf(from)} ${folderOf(to)}`)
      .filter((pair) => new Set(pair.split(' ')).size === 2),
  );
  expect(pairs.size).toBeGreaterThan(10);
  expect([...pairs].filter((pair) => pairs.has(pair.split(' ').toReversed().join(' ')))).toEqual([]);
});

test('imports run one way between rooms', () => {
  expect(imports.length).toBeGreaterThan(200);
  const wrong = imports.filter(({ from, to }) => {
    const [here, there] = [roomOf(from), roomOf(to)];
    return here !== '' && here !== there && !mayImport[here]?.includes(there);
  });
  expect(wrong).toEqual([]);
});

test('no room knows the files that put everything together', () => {
  expect(imports.filter(({ from, to }) => roomOf(from) !== '' && roomOf(to) === '')).toEqual([]);
});

test('nobody imports main.ts', () => {
  expect(imports.filter(({ to }) => to === 'main.ts')).toEqual([]);
});

test.each(Object.entries(ports))(
  'the port of %s is all that is known of it',
  (room, { seenBy, files: allowed }) => {
    const known = imports.filter(({ from, to }) => roomOf(from) === seenBy && roomOf(to) === room);
    expect(new Set(known.map(({ to }) => to))).toEqual(new Set(allowed));
  },
);

describe.each(listFolders)('%s', (folder) => {
  test('has entries that do not know each other', () => {
    const between = imports.filter(
      ({ from, to }) => dirname(from) === folder && dirname(to) === folder && !from.endsWith('/index.ts'),
    );
    expect(between).toEqual([]);
  });
});

/** Its files, by their paths from `src`. */
const playground = readdirSync(join(src, '../playground'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => join('../playground', file));
const playgroundImports = playground.flatMap(importsOf);

test('the playground knows of the product what Slack publishes, and is loaded only where it is served', () => {
  const ours = playgroundImports.filter(({ to }) => !to.startsWith('../playground/'));
  expect(ours.length).toBeGreaterThan(0);
  expect(ours.filter(({ to }) => roomOf(to) !== 'block-kit')).toEqual([]);
  const users = imports.filter(({ to }) => to.startsWith('../playground/')).map(({ from }) => from);
  expect(new Set(users)).toEqual(new Set(['create-doors.ts', 'furnish-playground.ts']));
  expect(imports.filter(({ to }) => to === 'furnish-playground.ts')).toEqual([
    { from: 'create-doors.ts', to: 'furnish-playground.ts' },
  ]);
  const doors = readFileSync(join(src, 'create-doors.ts'), 'utf8');
  expect(doors.match(/^import (?!type ).*playground.*$/gm)).toBeNull();
  expect(doors).toContain("import('../playground/");
  expect(doors).toContain("import('./furnish-playground.ts')");
});

test('files do not import each other in circles', () => {
  const graph = Map.groupBy([...imports, ...playgroundImports], ({ from }) => from);
  const done = new Set<string>();
  const circles: string[][] = [];
  const visit = (file: string, path: readonly string[]): void => {
    if (path.includes(file)) circles.push([...path.slice(path.indexOf(file)), file]);
    else if (!done.has(file)) {
      for (const { to } of graph.get(file) ?? []) visit(to, [...path, file]);
      done.add(file);
    }
  };
  for (const file of [...files, ...playground]) visit(file, []);
  expect(circles).toEqual([]);
});

test('each step of the Slack door names the parts it is handed; only what puts them together takes all', () => {
  const takesAll = files
    .filter((file) => file.startsWith('slack/') && file !== 'slack/entries.ts')
    .filter((file) =>
      /(?<!Pick<\s*)\bSlackParts\b(?!\[)/.test(
        readFileSync(join(src, file), 'utf8').replace(/^import [^;]*;/gm, ''),
      ),
    );
  expect(takesAll.sort()).toEqual(['slack/app/parts.ts', 'slack/create-slack-app.ts']);
});

test('only main.ts reads the environment, only what starts the program reads the clock', () => {
  const reading = (pattern: RegExp) =>
    files.filter((file) => pattern.test(readFileSync(join(src, file), 'utf8'))).sort();
  expect(reading(/process\.env/)).toEqual(['main.ts']);
  expect(reading(/Math\.random/)).toEqual([]);
  expect(reading(/Date\.now|new Date\(\)/)).toEqual(['main.ts', 'slack/create-slack-app.ts']);
});

test('no folder or file has a name that says nothing', () => {
  const empty = /(^|\/)(utils?|helpers?|common|misc|shared|manager|service)(\/|\.ts$)/;
  expect([...files, ...playground].filter((file) => empty.test(file))).toEqual([]);
});

test('docs/architecture.md shows every room, and who may import whom (UPDATE=1 writes that table)', () => {
  const page = fileURLToPath(new URL('../docs/architecture.md', import.meta.url));
  const [start, end] = ['<!-- imports: begin -->', '<!-- imports: end -->'];
  const named = (rooms: readonly string[]) => rooms.map((room) => `\`${room}\``).join(', ') || 'nothing';
  const rows = Object.entries(mayImport).map(([room, others]) => `| \`${room}\` | ${named(others)} |`);
  const table = ['| Room | May import |', '|---|---|', ...rows].join('\n');
  const [before = '', rest = ''] = readFileSync(page, 'utf8').split(start);
  const [, after = ''] = rest.split(end);
  const wanted = `${before}${start}\n\n${table}\n\n${end}${after}`;
  if (process.env.UPDATE === '1') writeFileSync(page, wanted);
  expect(readFileSync(page, 'utf8')).toBe(wanted);
  for (const room of Object.keys(mayImport)) expect(before).toContain(`| \`${room}\` |`);
});

test('no code reads the zone of the machine, and only the room of time computes with the date library', () => {
  const allowed = new Set([
    // The files of a ZIP bear local times, which their writer asks for.
    'output/file-bytes.ts',
    // The only place that asks for the machine's zone, as the default of a setting.
    'time/zones.ts',
  ]);
  const localDate =
    /\.[gs]et(Date|Day|FullYear|Hours|Milliseconds|Minutes|Month|Seconds|TimezoneOffset|Year)\(|toLocale(Date|Time)String\(|to(Date|Time)String\(|new Date\([^()]*,|DateTimeFormat\(\)/;
  const library = /from '(@date-fns|date-fns(?!\/constants'))/;
  const wrong = files
    .filter((file) => !allowed.has(file))
    .filter((file) => {
      const text = readFileSync(join(src, file), 'utf8');
      const isOwn = file.startsWith('time/');
      return localDate.test(text) || (library.test(text) && !isOwn);
    });
  expect(wrong).toEqual([]);
});
