/** Tests run as native ES modules; swc only removes the types, as Node does when it runs the program. */
export default {
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '\\.ts$': [
      '@swc/jest',
      { jsc: { target: 'es2024', parser: { syntax: 'typescript' } }, module: { type: 'es6' } },
    ],
  },
  // Beside what else is made from the packages: the temporary folder is left as it was found.
  cacheDirectory: '<rootDir>/node_modules/.cache/jest',
  globalSetup: '<rootDir>/test/support/run-folder.ts',
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  randomize: true,
  testTimeout: 60_000,
  // One worker less than there are cores, as is jest's custom, would leave half of a small machine idle.
  maxWorkers: '100%',
  // Native modules of a suite are not let go of at its end: a worker that has run many spends its time collecting garbage.
  workerIdleMemoryLimit: '400MB',
};
