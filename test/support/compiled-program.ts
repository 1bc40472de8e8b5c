import { fileURLToPath } from 'node:url';

/** Environment of a process of the program: it finds there what Node compiled for the ones before. */
export const compiledProgram = {
  NODE_COMPILE_CACHE: fileURLToPath(new URL('../../node_modules/.cache/dwell', import.meta.url)),
};
