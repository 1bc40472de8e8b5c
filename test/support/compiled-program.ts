import { fileURLToPath } from 'node:url';

const { STORE_ENGINE, POSTGRES_SERVER } = process.env;

/** The engine that suites run over, as the environment of a process has it. */
const engineEnvironment = {
  ...(STORE_ENGINE === undefined ? {} : { STORE_ENGINE }),
  ...(POSTGRES_SERVER === undefined ? {} : { POSTGRES_SERVER }),
};

const quickImports = JSON.stringify(new URL('../../src/compose/quick-imports.ts', import.meta.url));
const resolving = `import { resolveQuickly } from ${quickImports}; resolveQuickly();`;

/** Options of Node with which a program of `test/support` finds what it imports as quickly as Dwell itself does. */
export const quickProgram = [
  // What is loaded stays: to look through it again and again takes a tenth of the start.
  '--min-semi-space-size=16',
  '--disable-warning=ExperimentalWarning',
  `--import=data:text/javascript,${encodeURIComponent(resolving)}`,
];

/** Environment of a process of the program: what Node compiled for the ones before, and the engine. */
export const compiledProgram = {
  ...engineEnvironment,
  NODE_COMPILE_CACHE: fileURLToPath(new URL('../../node_modules/.cache/dwell', import.meta.url)),
};
