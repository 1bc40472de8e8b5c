/**
 * What a suite is written with. The runner (jest-light-runner: bare Node, no registry of modules of its own) puts these
 * on the global object before a suite is imported; here they have names to import and jest's own types.
 */
const globals = globalThis as unknown as typeof import('@jest/globals');

export const { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } = globals;
