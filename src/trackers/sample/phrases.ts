import type { IssueType } from './birth.ts';

/** Columns of phrases; one of each, joined by spaces, makes a summary. An empty phrase leaves its column out. */
export type Grid = readonly (readonly [string, ...string[]])[];

type Grids = readonly [Grid, ...Grid[]];

/** A project's ways to put each type of work. */
export type Phrases = Readonly<Partial<Record<IssueType, Grids>> & { Task: Grids }>;
