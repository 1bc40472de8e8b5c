import type { Instant, StatusCategory } from './issue.ts';
import type { Question } from './question.ts';
import type { AudienceScope } from './request.ts';
import type { CalendarFacts, Provenance } from './table.ts';

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
  readonly average: number | null;
  readonly median: number | null;
  /** The 85th percentile (Hyndman and Fan, type 7). */
  readonly p85: number | null;
  readonly deviation: number | null;
}

/** A figure of the week beside that of the week before and of the eight weeks before. */
export interface Compared<Figure> {
  readonly week: Figure;
  readonly weekBefore: Figure;
  readonly eightWeeks: Figure;
}

/** A figure of the week beside that of the week before. */
interface WithWeekBefore {
  readonly week: number | null;
  readonly weekBefore: number | null;
}

/** An ISO week of a zone, Monday midnight to Monday midnight; not `whole` while it runs. */
export interface Week {
  /** Such as 2026-W46. */
  readonly id: string;
  readonly start: Instant;
  readonly end: Instant;
  readonly whole: boolean;
}

/** What a week was like in one status. */
export interface WeeklyStatus {
  readonly id: string;
  readonly title: string;
  readonly category: StatusCategory;
  /** Whole time in the status of the issues finished in the week; of the eight weeks, of all issues finished in them. */
  readonly finished: Compared<DurationFigures>;
  /** Working ms that all issues together spent in it within the week; of the eight weeks, their mean. */
  readonly within: Compared<number>;
}

/** One of the weeks a chart can show. */
export interface WeekPoint {
  readonly week: Week;
  /** Null where it is unknown, and `finishedUnknown` says why. */
  readonly finished: number | null;
  readonly finishedUnknown: string | null;
  readonly cycleTime: DurationFigures;
  /** Working ms within the week, by status id. */
  readonly within: Readonly<Record<string, number>>;
}

/** An issue finished in the week, and by how much it moved the average cycle time away from that of `against`. */
export interface Contributor {
  readonly key: string;
  readonly summary: string;
  readonly link: string | null;
  readonly cycleMs: number;
  /** (cycle time - baseline) / issues; over all issues of the week they add up to the change of the average. */
  readonly shiftMs: number;
}

/** The cycle time of an issue (working ms), or why it has none. */
export type CycleTime = { readonly ms: number } | { readonly reason: string };

/** An issue finished in a week. */
export interface WeekIssue extends Pick<Contributor, 'key' | 'summary' | 'link'> {
  readonly finishedAt: Instant;
  readonly cycle: CycleTime;
  /** The name of its assignee; null: unassigned. */
  readonly assignee: string | null;
}

/** The aggregates of one week. */
export interface WeeklyAggregates {
  readonly week: Week;
  readonly timeZone: string;
  /** Issues finished; of the eight weeks, their mean per week. Null where it is unknown. */
  readonly finished: Compared<number | null>;
  /** Why it is unknown: of the week itself, else of another one; null where all of it is known. */
  readonly finishedUnknown: string | null;
  /** The issue finished in the week, where it is exactly one; `cycleMs` null: it has no cycle time. */
  readonly only: (Omit<Contributor, 'cycleMs' | 'shiftMs'> & { readonly cycleMs: number | null }) | null;
  readonly cycleTime: Compared<DurationFigures>;
  /** Issues in a status of category In Progress at the end of a week, now while it runs; null where it is unknown. */
  readonly inProgress: WithWeekBefore;
  /**
   * The share of the time in statuses of category In Progress within a week that is no waiting (see `isWaiting`); null
   * without such time, or where no status is one in which issues wait.
   */
  readonly flowEfficiency: WithWeekBefore;
  /** In the tracker's order; only those in which anything was. */
  readonly statuses: readonly WeeklyStatus[];
  /** Oldest first, the week itself last; nine of them. */
  readonly weeks: readonly WeekPoint[];
  /** At most five, those that moved the average most first; and which average that is. */
  readonly contributors: readonly Contributor[];
  readonly against: 'weekBefore' | 'eightWeeks' | null;
  /** Issues finished in the week of which no cycle time is known, and why. */
  readonly withoutCycleTime: readonly LeftOut[];
  /** Of the issues that may have been finished in the week; statuses of all that count. */
  readonly doubts: Unknowns;
  /** Started issues furthest beyond what is usual as of the answer, at most three; none of a week further back. */
  readonly attention: readonly AgingIssue[];
  /** `issues` counts those finished in the nine weeks or open in them. */
  readonly provenance: Provenance;
}

/** What is usual in a status: of `visits` that ended there in the last `days` days, 85% were not longer than `p85` (working ms). */
export interface DwellPercentile {
  readonly p85: number;
  readonly visits: number;
  readonly days: number;
}

/** An open issue and how long it has been where it is (working ms). */
export interface AgingIssue {
  readonly key: string;
  readonly summary: string;
  readonly link: string | null;
  readonly project: string;
  readonly status: { readonly id: string; readonly title: string; readonly category: StatusCategory };
  /** Null: unassigned. The id is null where it is unknown which user has the name. */
  readonly assignee: { readonly id: string | null; readonly name: string } | null;
  readonly since: Instant;
  readonly ageMs: number;
  /** Null where too few visits ended there to know. */
  readonly baseline: DwellPercentile | null;
  /** Share of `p85` the issue has used up; null without one. */
  readonly pace: number | null;
  readonly historyComplete: boolean;
}

/** Open issues, those furthest beyond what is usual first, then by age. */
export interface Aging {
  /** The first of them, as many as were asked for at least. */
  readonly issues: readonly AgingIssue[];
  /** How many there are. */
  readonly count: number;
  /** How many of all have a baseline. */
  readonly withBaseline: number;
  /** The oldest of all; null where there is none. */
  readonly oldest: AgingIssue | null;
  /** How many of all are beyond the 85th percentile. */
  readonly beyond: number;
  /** Open issues that are not started, whether or not they are among these; the longest time in a status (working ms). */
  readonly notStarted: { readonly count: number; readonly oldestMs: number | null };
  /** Open issues left out because a cut history does not show since when. */
  readonly unknown: readonly string[];
  /** Issues that stand in a status whose category is unknown are neither open nor done. */
  readonly doubts: Pick<Unknowns, 'unclear' | 'withoutCategory'>;
  readonly provenance: Provenance;
}

/** What is assigned to someone: their own open issues, and those of the people they cover for now. */
export interface Mine {
  readonly own: Aging;
  readonly covered: readonly {
    readonly person: { readonly id: string; readonly name: string };
    readonly category: string;
    readonly aging: Aging;
  }[];
}

/** Time in one status on both sides, over the issues of each that were in it; visits that last count as far as they came. */
export interface ComparedStatus {
  readonly id: string;
  /** The id on each side, where projects have a status each of one name. */
  readonly ids?: readonly [string, string];
  readonly title: string;
  readonly category: StatusCategory;
  readonly sides: readonly [DurationFigures, DurationFigures];
}

/** Two selections side by side. */
export interface Comparison {
  readonly titles: readonly [string, string];
  readonly issues: readonly [number, number];
  /** Those in a status of category Done, whether or not it is known since when. */
  readonly finished: readonly [number, number];
  readonly cycleTime: readonly [DurationFigures, DurationFigures];
  /** The whole time in the statuses of the name that is compared first; null where it is the cycle time. */
  readonly inStatus: readonly [DurationFigures, DurationFigures] | null;
  readonly statuses: readonly ComparedStatus[];
  readonly doubts: readonly [Unknowns, Unknowns];
  readonly provenance: readonly [Provenance, Provenance];
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
  readonly sinceUnknown: readonly LeftOut[];
  /** Unknown if open or done. */
  readonly unclear: readonly LeftOut[];
  /** Titles of statuses that issues met and whose category is unknown. */
  readonly withoutCategory: readonly string[];
}
