import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '#jest';

const src = fileURLToPath(new URL('../src', import.meta.url));

/** Which rooms a room may know; type-only imports count. README tells the same table in words. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  model: [],
  'block-kit': [],
  cache: ['model'],
  time: ['cache', 'model'],
  delegation: ['model'],
  engine: ['time', 'model'],
  reports: ['engine', 'time', 'model'],
  jql: ['time', 'model'],
  store: ['model'],
  'http-client': ['model'],
  trackers: ['http-client', 'time', 'model'],
  mirror: ['trackers', 'store', 'time', 'model'],
  api: [
    'mirror',
    'trackers',
    'store',
    'reports',
    'engine',
    'jql',
    'time',
    'delegation',
    'output',
    'http-client',
    'model',
  ],
  output: ['time', 'model'],
  slack: ['api', 'output', 'block-kit', 'time', 'model'],
  http: ['api', 'output', 'time', 'model'],
  cli: ['api', 'model'],
  playground: ['block-kit', 'model'],
};

/** Files of these folders are entries of one list: they share what lies below them and do not know each other. */
const listFolders = [
  'reports',
  'slack/commands',
  'slack/actions',
  'slack/modals',
  'http/routes',
  'cli/commands',
  'playground/methods',
];

/** Of these rooms others may know the port only, not what stands behind it. */
const ports: Readonly<Record<string, { readonly seenBy: string; readonly files: readonly string[] }>> = {
  store: { seenBy: 'mirror', files: ['store/store.ts', 'store/sync-store.ts'] },
  trackers: { seenBy: 'mirror', files: ['trackers/tracker.ts', 'trackers/live-tracker.ts'] },
};

const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
const imports = files.flatMap((file) => {
  const text = readFileSync(join(src, file), 'utf8');
  const found = text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g);
  return [...found].map(([, to = '']) => ({ from: file, to: normalize(join(dirname(file), to)) }));
});
const roomOf = (file: string) => (file.includes('/') ? (file.split('/')[0] ?? '') : '');

test('every folder of src is a room with known neighbours', () => {
  const rooms = readdirSync(src, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  expect(rooms.map((entry) => entry.name).sort()).toEqual(Object.keys(mayImport).sort());
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

test('files do not import each other in circles', () => {
  const graph = Map.groupBy(imports, ({ from }) => from);
  const done = new Set<string>();
  const circles: string[][] = [];
  const visit = (file: string, path: readonly string[]): void => {
    if (path.includes(file)) circles.push([...path.slice(path.indexOf(file)), file]);
    else if (!done.has(file)) {
      for (const { to } of graph.get(file) ?? []) visit(to, [...path, file]);
      done.add(file);
    }
  };
  for (const file of files) visit(file, []);
  expect(circles).toEqual([]);
});

test('only config.ts and main.ts read the environment, only what starts the program reads the clock', () => {
  const reading = (pattern: RegExp) =>
    files.filter((file) => pattern.test(readFileSync(join(src, file), 'utf8'))).sort();
  expect(reading(/process\.env/)).toEqual(['main.ts']);
  expect(reading(/Math\.random/)).toEqual([]);
  expect(reading(/Date\.now|new Date\(\)/)).toEqual(['main.ts', 'slack/create-slack-app.ts']);
});

test('no folder or file has a name that says nothing', () => {
  const empty = /(^|\/)(utils?|helpers?|common|misc|shared|manager|service)(\/|\.ts$)/;
  expect(files.filter((file) => empty.test(file))).toEqual([]);
});

test('no code reads the zone of the machine, and only the room of time computes with the date library', () => {
  const allowed = new Set([
    // The files of a ZIP bear local times, which their writer asks for.
    'output/zip/write-zip.ts',
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
      const isOwn = ['time', 'trackers/sample'].some((room) => file.startsWith(`${room}/`));
      return localDate.test(text) || (library.test(text) && !isOwn);
    });
  expect(wrong).toEqual([]);
});
