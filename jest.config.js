/**
 * Suites run in bare Node, which removes the types itself: no registry of modules, no transformation, and what a suite
 * imports stays loaded for the next one of the same process. There is no time limit per test: `.ci/run` has one for all.
 */
export default {
  runner: ['jest-light-runner', { runtime: 'child_process' }],
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  transform: {},
  // Beside what else is made from the packages: the temporary folder is left as it was found.
  cacheDirectory: '<rootDir>/node_modules/.cache/jest',
  globalSetup: '<rootDir>/test/support/run-folder.ts',
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  // One worker less than there are cores, as is jest's custom, would leave half of a small machine idle.
  maxWorkers: '100%',
};
