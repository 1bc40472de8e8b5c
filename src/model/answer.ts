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
  /** The issues in it; null where that does not come with the figures. */
  readonly contents: AudienceScope | null;
  /** There is nothing to say: no issue, nothing that waits, nothing finished and no time spent. */
  readonly isEmpty: boolean;
}

/** A user of the tracker; the id is null where it is unknown which one has the name. */
export interface NamedPerson {
  readonly id: string | null;
  readonly name: string;
}

/** Part of a list of issues: `size` of them from the index `start` on (0 is the first). */
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

/** Maps each of the three figures. */
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

/** A part of a figure: a visit of an issue, or an issue with its share. Durations are ms. */
export interface ExplainedPart {
  readonly label: string;
  readonly link: string | null;
  readonly from: Instant | null;
  readonly until: Instant | null;
  /** By the clock on the wall; null for what is no stretch of time. */
  readonly wallMs: number | null;
  /** By the calendar: what counts. */
  readonly countedMs: number | null;
  /** A remark such as "still running", "cut at the window's start", "history unknown before". */
  readonly note: string | null;
}

/** The explanation of a figure. */
export interface Explanation {
  readonly title: string;
  /** The figure: ms of a duration, else a plain count; null for "never", or where it is `unknown`, and why. */
  readonly value: { readonly kind: 'duration' | 'count'; readonly value: number } | null;
  readonly unknown?: string;
  /** The rules of its computation, in whole sentences. */
  readonly rules: readonly string[];
  readonly parts: readonly ExplainedPart[];
  /** The parts add up to the figure. */
  readonly adds: boolean;
  /** Parts that were left out here, for there are too many to read. */
  readonly more: number;
  readonly calendar: CalendarFacts;
  readonly trim: { readonly from: Instant | null; readonly to: Instant | null };
  /** The number of issues that count, and of those it is a part of; null where one issue is meant. */
  readonly denominator: { readonly counted: number; readonly of: number } | null;
  readonly excluded: readonly (LeftOut & { readonly link?: string })[];
  readonly asOf: Instant;
}

/** An issue that some figure leaves out, and why. */
export interface LeftOut {
  readonly key: string;
  readonly reason: string;
}

/** Facts that are unknown of issues, so that no figure pretends otherwise. */
export interface Unknowns {
  /** They are done, but it is unknown since when. */
  readonly doneSinceUnknown: readonly LeftOut[];
  /** Unknown if open or done. */
  readonly unclear: readonly LeftOut[];
  /** Titles of statuses that issues met and whose category is unknown. */
  readonly statusesWithoutCategory: readonly string[];
}
