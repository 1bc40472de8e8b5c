import fc from 'fast-check';
import { runs } from './soak.ts';

/** Before the suites of a process: properties that name no number of runs try a few, and many where SOAK is set. */
fc.configureGlobal({ ...fc.readConfigureGlobal(), numRuns: runs(100) });
