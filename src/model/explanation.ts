import type { Instant } from './issue.ts';
import type { CalendarFacts } from './table.ts';

/** One figure of an answer that can be explained; `id` is told to nobody but us. */
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
  /** Parts that were left out here, for there are too many to read. */
  readonly more: number;
  readonly calendar: CalendarFacts;
  readonly trim: { readonly from: Instant | null; readonly to: Instant | null };
  /** How many issues count, of how many; null where one issue is meant. */
  readonly denominator: { readonly counted: number; readonly of: number } | null;
  readonly excluded: readonly { readonly key: string; readonly reason: string }[];
  readonly asOf: Instant;
}
