import type { Instant } from '../model/issue.ts';

/** Working time, in ms, from the beginning of a compiled stretch up to an instant within it. */
export type LookUp = (instant: Instant) => number;
