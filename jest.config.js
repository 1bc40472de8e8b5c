import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Suites run in bare Node, which removes the types itself: no registry of modules, no transformation, and what a suite
 * imports stays loaded for the next one of the same process. There is no time limit per test: `.ci/run` has one for all.
 */
const project = {
  runner: '<rootDir>/test/support/light-runner.js',
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  transform: {},
  // Beside what else is made from the packages: the temporary folder is left as it was found.
  cacheDirectory: '<rootDir>/node_modules/.cache/jest',
  setupFiles: ['<rootDir>/test/support/quick-properties.ts'],
};

/** Suites of what is above the store that run on PostgreSQL with every run. */
const always = [
  ...[
    'api/digests/own-digests',
    'api/exports/queue',
    'api/exports/two-processes',
    'api/watches/own-watches',
    'api/nudges/create-nudges',
  ],
  ...['api/delegations/create-delegations', 'cli/commands/import', 'http/several-processes', 'http/tokens'],
  ...['mirror/create-synced-mirror', 'mirror/lost-changes', 'mirror/store-table*', 'mirror/sync/late-news'],
  ...[
    'mirror/sync/rejected-issues',
    'mirror/sync/what-goes',
    'slack/several-processes',
    'compose/two-tenants',
  ],
];

/** Of the suites that open a store, those that run on SQLite alone, by how their names begin. */
const onSqliteAlone = [
  // What a file has and a database does not: copies by Dwell itself, and secrets without a key.
  ...['store/sqlite/', 'cli/commands/backup', 'cli/commands/restore', 'cli/commands/secrets'],
  ...['cli/killed-backup', 'docs-commands'],
  // test/store/postgres has the same of a database.
  'cli/commands/doctor',
  'mirror/put-back',
  // Fields that a thread reads from the file while others are answered from the connection.
  'mirror/read-beside',
  // They count turns of the event loop, in which SQLite has an answer and PostgreSQL has none yet.
  'mirror/sync/create-sync.test',
  // They go on from what Slack shows in the same turn of the event loop, and PostgreSQL has stored it some turns later.
  ...['slack/ask/conversation', 'slack/builder/report-builder', 'slack/home/homes'],
];

const test = fileURLToPath(new URL('test/', import.meta.url));

/** The suites that open a store by the engine that they are started with, and fit both; any other would do the same twice. */
function suitesOfStores() {
  const engine = join(test, 'support/store-engine.ts');
  const known = new Map();
  const opensStore = (file) => {
    if (file === engine) return true;
    if (!known.has(file)) {
      known.set(file, false);
      known.set(file, importsOf(file).some(opensStore));
    }
    return known.get(file);
  };
  const files = readdirSync(test, { recursive: true, encoding: 'utf8' });
  const suites = files.filter((file) => file.endsWith('.test.ts') && opensStore(join(test, file)));
  return suites.filter((file) => !onSqliteAlone.some((suite) => file.startsWith(suite)));
}

/** The files of tests that a file imports, or starts as a program. */
function importsOf(file) {
  const text = readFileSync(file, 'utf8');
  const found = [...text.matchAll(/(?:from |import\(|new URL\()'(\.[^']+\.[jt]s)'/g)];
  return found.map(([, to]) => join(dirname(file), to)).filter((to) => to.startsWith(test) && existsSync(to));
}

export default {
  globalSetup: '<rootDir>/test/support/run-folder.ts',
  testSequencer: `<rootDir>/test/support/${process.env.SOAK === undefined ? 'longest-first' : 'shuffled-order'}.js`,
  projects: [
    {
      ...project,
      displayName: 'dwell',
      testMatch: ['<rootDir>/test/**/*.test.ts'],
      testPathIgnorePatterns: ['<rootDir>/test/store/postgres/'],
    },
    {
      ...project,
      // The runner starts a PostgreSQL for the project of this name.
      displayName: 'postgres',
      ...(process.env.SOAK === undefined
        ? {
            testMatch: ['store/*', 'store/postgres/*', ...always].map(
              (suite) => `<rootDir>/test/${suite}.test.ts`,
            ),
          }
        : { testMatch: suitesOfStores().map((file) => `<rootDir>/test/${file}`) }),
    },
  ],
  // More than there are cores: suites that wait for processes, retries and timers leave theirs to others.
  maxWorkers: Math.ceil(availableParallelism() * 1.5),
};
