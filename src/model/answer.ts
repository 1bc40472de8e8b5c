import type { Instant } from './issue.ts';
import type { Question } from './question.ts';
import type { AudienceScope } from './request.ts';
import type { CalendarFacts } from './table.ts';

/** An answer, and what is to be known about it before others read it. `value` is of the question's kind. */
export interface Answer<Value = unknown> {
  readonly question: Question;
  /** The instant it is as of. */
  readonly asOf: Instant;
  readonly value: Value;
  /** What issues are in it; null where that does not come with the figures. */
  readonly contents: AudienceScope | null;
  /** There is nothing to say: no issue, nothing that waits, nothing finished and no time spent. */
  readonly isEmpty: boolean;
}

/** A user of the tracker; the id is null where it is unknown which one has the name. */
export interface NamedPerson {
  readonly id: string | null;
  readonly name: string;
}

/** From the issue with this index on (0 is the first), so many issues of a list. */
export interface Part {
  readonly start: number;
  readonly size: number;
}

/** Figures of some durations (working ms); null where there are none. `deviation` is the population's. */
export interface DurationFigures {
  readonly count: number;
  readonly averageMs: number | null;
  readonly medianMs: number | null;
  /** The 85th percentile (Hyndman and Fan, type 7). */
  readonly p85Ms: number | null;
  readonly deviationMs: number | null;
}

/** A figure of the week beside that of the week before and of the eight weeks before. */
export interface Compared<Figure> {
  readonly week: Figure;
  readonly weekBefore: Figure;
  readonly eightWeeks: Figure;
}

/** The cycle time of an issue (working ms), or why it has none. */
export type CycleTime = { readonly ms: number } | { readonly reason: string };

/** The same of each of the three figures. */
export function mapCompared<One, Other>(
  { week, weekBefore, eightWeeks }: Compared<One>,
  other: (one: One) => Other,
): Compared<Other> {
  return { week: other(week), weekBefore: other(weekBefore), eightWeeks: other(eightWeeks) };
}

/** One figure of an answer that can be explained; `id` is for us only. */
export interface FigureChoice {
  readonly id: string;
  readonly title: string;
}

/** What a figure is made of: a visit of an issue, or an issue with its share. Durations are ms. */
export interface ExplainedPart {
  readonly label: string;
  readonly link: string | null;
  readonly from: Instant | null;
  readonly until: Instant | null;
  /** By the clock on the wall; null for what is no stretch of time. */
  readonly wallMs: number | null;
  /** By the calendar: what counts. */
  readonly countedMs: number | null;
  /** Such as "still running", "cut at the window's start", "history unknown before". */
  readonly note: string | null;
}

/** Why a figure is what it is. */
export interface Explanation {
  readonly title: string;
  /** The figure: ms of a duration, else a plain count; null for "never", or where it is `unknown`, and why. */
  readonly value: { readonly kind: 'duration' | 'count'; readonly value: number } | null;
  readonly unknown?: string;
  /** How it is made, in whole sentences. */
  readonly rules: readonly string[];
  readonly parts: readonly ExplainedPart[];
  /** Whether the parts add up to the figure. */
  readonly adds: boolean;
  /** Parts that were left out here, for there are too many to read. */
  readonly more: number;
  readonly calendar: CalendarFacts;
  readonly trim: { readonly from: Instant | null; readonly to: Instant | null };
  /** How many issues count, of how many; null where one issue is meant. */
  readonly denominator: { readonly counted: number; readonly of: number } | null;
  readonly excluded: readonly (LeftOut & { readonly link?: string })[];
  readonly asOf: Instant;
}

/** An issue that some figure leaves out, and why. */
export interface LeftOut {
  readonly key: string;
  readonly reason: string;
}

/** What is unknown of issues, so that no figure has to pretend. */
export interface Unknowns {
  /** They are done, but it is unknown since when. */
  readonly doneSinceUnknown: readonly LeftOut[];
  /** Unknown if open or done. */
  readonly unclear: readonly LeftOut[];
  /** Titles of statuses that issues met and whose category is unknown. */
  readonly statusesWithoutCategory: readonly string[];
}
