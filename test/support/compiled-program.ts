import { fileURLToPath } from 'node:url';

const { STORE_ENGINE, POSTGRES_SERVER } = process.env;

/** The engine that suites run over, as the environment of a process has it. */
export const engineEnvironment = {
  ...(STORE_ENGINE === undefined ? {} : { STORE_ENGINE }),
  ...(POSTGRES_SERVER === undefined ? {} : { POSTGRES_SERVER }),
};

/** Environment of a process of the program: what Node compiled for the ones before, and the engine. */
export const compiledProgram = {
  ...engineEnvironment,
  NODE_COMPILE_CACHE: fileURLToPath(new URL('../../node_modules/.cache/dwell', import.meta.url)),
};
