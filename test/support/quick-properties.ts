import fc from 'fast-check';
import { runs, soaking } from './soak.ts';

/**
 * Before the suites of a process: properties that name no number of runs try a few cases, always the same ones, and many
 * others each time where SOAK is set.
 */
fc.configureGlobal({ ...fc.readConfigureGlobal(), numRuns: runs(100), ...(soaking ? {} : { seed: 42 }) });
