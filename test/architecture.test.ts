import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '#jest';
import { liveTrackers } from '../src/trackers/index.ts';

const src = fileURLToPath(new URL('../src', import.meta.url));

/**
 * Which rooms a room may import; type-only imports count. A room imports only rooms above it here, so that no import climbs
 * back up. docs/architecture.md shows the same table.
 */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  model: [],
  telemetry: [],
  concurrency: ['model'],
  cache: ['concurrency', 'model'],
  time: ['cache', 'model'],
  'http-client': ['model'],
  output: ['time', 'model'],
  delegation: ['model'],
  'engine/columns': ['model'],
  'engine/visits': ['engine/columns', 'time', 'model'],
  'engine/reports': ['engine/visits', 'engine/columns', 'time', 'model'],
  'engine/measure': [
    'engine/reports',
    'engine/visits',
    'engine/columns',
    'time',
    'concurrency',
    'telemetry',
    'model',
  ],
  'selection/jql': ['engine/columns', 'time', 'model'],
  'api/parameters': ['output', 'time', 'model'],
  store: ['api/parameters', 'concurrency', 'model'],
  trackers: ['http-client', 'time', 'cache', 'model'],
  mirror: [
    ...['trackers', 'store', 'engine/measure', 'engine/columns'],
    ...['output', 'cache', 'concurrency', 'model'],
  ],
  'selection/access': [
    ...['mirror', 'selection/jql', 'engine/measure', 'engine/reports', 'engine/visits', 'engine/columns'],
    ...['time', 'concurrency', 'model'],
  ],
  api: [
    ...[
      'selection/access',
      'mirror',
      'trackers',
      'store',
      'api/parameters',
      'selection/jql',
      'engine/reports',
    ],
    ...['engine/measure', 'engine/visits', 'engine/columns', 'delegation'],
    ...['output', 'time', 'cache', 'concurrency', 'model'],
  ],
  hosted: [
    ...['api', 'selection/access', 'api/parameters', 'engine/reports', 'engine/measure'],
    ...['output', 'http-client', 'time', 'cache', 'model'],
  ],
  slack: ['api', 'api/parameters', 'output', 'time', 'cache', 'concurrency', 'model'],
  http: ['api', 'api/parameters', 'output', 'time', 'cache', 'concurrency', 'model'],
  mcp: ['api', 'api/parameters', 'output', 'time', 'concurrency', 'model'],
  cli: ['api', 'output', 'model'],
  compose: [
    ...[
      'cli',
      'mcp',
      'http',
      'slack',
      'hosted',
      'api',
      'mirror',
      'trackers',
      'store',
      'output',
      'http-client',
    ],
    ...['time', 'cache', 'concurrency', 'telemetry', 'model'],
  ],
};

/** Limits of the house. A new room or arrow within them is a decision; one beyond them is too much. */
const MAX_ROOMS = 26;
const MAX_ARROWS = 125;

/** Files of these folders are entries of one list: they share what lies below them and do not know each other. */
const listFolders = [
  'engine/reports',
  'http/resources',
  'cli/commands',
  'mcp/tools',
  'compose/doctor/checks',
];

/** Of these rooms others may know the port only, not what stands behind it. */
const ports: Readonly<Record<string, { readonly seenBy: string; readonly files: readonly string[] }>> = {
  store: {
    seenBy: 'mirror',
    files: [
      'store/blobs.ts',
      'store/documents.ts',
      'store/stamps.ts',
      'store/store.ts',
      'store/tracker-documents.ts',
    ],
  },
  mirror: { seenBy: 'selection/access', files: ['mirror/mirror.ts', 'mirror/issue-table.ts'] },
  trackers: { seenBy: 'mirror', files: ['trackers/tracker.ts', 'trackers/live-tracker.ts'] },
};

const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
const imports = files.flatMap(importsOf);

function importsOf(file: string): { from: string; to: string }[] {
  const text = readFileSync(join(src, file), 'utf8');
  const found = text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g);
  return [...found].map(([, to = '']) => ({ from: file, to: relative(src, join(src, dirname(file), to)) }));
}

/** The room of a file: the longest of the rooms' paths that its path begins with; `main.ts` has none. */
function roomOf(file: string): string {
  const [first = '', second = ''] = dirname(file).split('/');
  const inner = `${first}/${second}`;
  return Object.hasOwn(mayImport, inner) ? inner : first.replace('.', '');
}

test('every folder of src is a room with known neighbours, and main.ts is the only file beside them', () => {
  expect(new Set(files.map(roomOf))).toEqual(new Set(['', ...Object.keys(mayImport)]));
  expect(files.filter((file) => roomOf(file) === '')).toEqual(['main.ts']);
});

test('rooms are few, arrows between them are few and used, and none leads back up', () => {
  const rooms = Object.keys(mayImport);
  const arrows = Object.entries(mayImport).flatMap(([from, others]) => others.map((to) => ({ from, to })));
  expect(rooms.length).toBeLessThanOrEqual(MAX_ROOMS);
  expect(arrows.length).toBeLessThanOrEqual(MAX_ARROWS);
  expect(arrows.filter(({ from, to }) => rooms.indexOf(to) >= rooms.indexOf(from))).toEqual([]);
  const used = new Set(imports.map(({ from, to }) => `${roomOf(from)} ${roomOf(to)}`));
  expect(arrows.filter(({ from, to }) => !used.has(`${from} ${to}`))).toEqual([]);
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
    return (
      here !== '' && here !== there && !to.startsWith('../playground/') && !mayImport[here]?.includes(there)
    );
  });
  expect(wrong).toEqual([]);
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
  expect(ours.filter(({ to }) => !to.startsWith('slack/blocks/'))).toEqual([]);
  const users = imports.filter(({ to }) => to.startsWith('../playground/')).map(({ from }) => from);
  expect(new Set(users)).toEqual(new Set(['compose/create-doors.ts', 'compose/furnish-playground.ts']));
  expect(imports.filter(({ to }) => to === 'compose/furnish-playground.ts')).toEqual([
    { from: 'compose/create-doors.ts', to: 'compose/furnish-playground.ts' },
  ]);
  const doors = readFileSync(join(src, 'compose/create-doors.ts'), 'utf8');
  expect(doors.match(/^import (?!type ).*playground.*$/gm)).toBeNull();
  expect(doors).toContain("import('../../playground/");
  expect(doors).toContain("import('./furnish-playground.ts')");
});

/** Exports that tests alone import: arithmetic, forms and lists that no door shows whole. A change may only make them fewer. */
const MAX_EXPORTED_FOR_TESTS = 68;

test('what a file exports is imported by another file of the program, but for few things', () => {
  const used = new Set<string>();
  const loaded = new Set<string>();
  for (const file of [...files, ...playground]) {
    const text = readFileSync(join(src, file), 'utf8');
    const pathOf = (target: string) => relative(src, join(src, dirname(file), target));
    for (const [, names = '', target = ''] of text.matchAll(
      /^(?:import|export)(?: type)? \{([^}]*)\} from '(\.[^']+)'/gm,
    )) {
      for (const [name] of names.replaceAll(/\btype /g, '').matchAll(/\w+/g)) {
        used.add(`${pathOf(target)} ${name}`);
      }
    }
    for (const [, target = ''] of text.matchAll(/import\('(\.[^']+)'\)|import \* as \w+ from '(\.[^']+)'/g)) {
      loaded.add(pathOf(target));
    }
  }
  const unused = files
    .filter((file) => !loaded.has(file))
    .flatMap((file) =>
      readFileSync(join(src, file), 'utf8')
        .matchAll(/^export (?:async )?(?:function\*?|const|class|interface|type) (\w+)/gm)
        .map(([, name]) => `${file} ${name}`)
        .filter((one) => !used.has(one))
        .toArray(),
    );
  expect(unused.length > MAX_EXPORTED_FOR_TESTS ? unused : []).toEqual([]);
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

test('a live tracker is named by its own folder and the list of trackers alone', () => {
  for (const { name } of liveTrackers) {
    const naming = files
      .filter((file) => !file.startsWith(`trackers/${name}`))
      .filter((file) => new RegExp(`(['"\`])${name}\\1`).test(readFileSync(join(src, file), 'utf8')));
    expect([name, naming]).toEqual([name, []]);
  }
});

test('no object is spread into another one in place', () => {
  const spread = /[{,]\s*\.\.\.\{(?!\s*\})/;
  expect(files.filter((file) => spread.test(readFileSync(join(src, file), 'utf8')))).toEqual([]);
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
