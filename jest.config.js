import { availableParallelism } from 'node:os';

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

/** Suites of what lies above the store that run on PostgreSQL as well, with every run and when much is tried. */
const always = [
  ...['api/digests/own-digests', 'api/exports/queue', 'api/exports/two-processes', 'api/watches/own-watches'],
  ...[
    'api/delegations/create-delegations',
    'cli/commands/import',
    'http/several-processes',
    'http/tokens',
    'two-tenants',
  ],
  ...['mirror/create-synced-mirror', 'mirror/lost-changes', 'mirror/store-table', 'mirror/sync/late-news'],
  ...['mirror/sync/rejected-issues', 'mirror/sync/what-goes', 'slack/several-processes'],
];
const soaking = [
  ...['api/delegations/*', 'api/exports/*', 'api/watches/*', 'http/imported-issues', 'http/jira-events'],
  ...['mirror/sync/create-sync.property', 'mirror/sync/jira', 'mirror/sync/learnt-values'],
  ...['mirror/sync/take-lists', 'slack/digests/*', 'slack/watches/*'],
];
const aboveTheStore = process.env.SOAK === undefined ? always : [...always, ...soaking];

export default {
  globalSetup: '<rootDir>/test/support/run-folder.ts',
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
      testPathIgnorePatterns:
        process.env.SOAK === undefined ? ['<rootDir>/test/store/killed-(digest|export|import)'] : [],
      testMatch: ['store/*', 'store/postgres/*', ...aboveTheStore].map(
        (suite) => `<rootDir>/test/${suite}.test.ts`,
      ),
    },
  ],
  // More than there are cores: suites that wait for processes, retries and timers leave theirs to others.
  maxWorkers: Math.ceil(availableParallelism() * 1.5),
};
