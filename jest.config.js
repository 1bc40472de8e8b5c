import { availableParallelism } from 'node:os';

/**
 * Suites run in bare Node, which removes the types itself: no registry of modules, no transformation, and what a suite
 * imports stays loaded for the next one of the same process. There is no time limit per test: `.ci/run` has one for all.
 */
export default {
  runner: '<rootDir>/test/support/light-runner.js',
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  transform: {},
  // Beside what else is made from the packages: the temporary folder is left as it was found.
  cacheDirectory: '<rootDir>/node_modules/.cache/jest',
  setupFiles: ['<rootDir>/test/support/quick-properties.ts'],
  globalSetup: '<rootDir>/test/support/run-folder.ts',
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  // More than there are cores: suites that wait for processes, retries and timers leave theirs to others.
  maxWorkers: Math.ceil(availableParallelism() * 1.5),
};
