/** Processor time of each question divided by that of the reference, by `question | size`. */
export type Ratios = Readonly<Record<string, number>>;

/** A question is slower when it takes more than this many times its kept ratio. */
export const MAX_GROWTH = 1.5;

/** `slower` and `unknown` fail a check; `faster` says that the kept ratio hides what gets slower from here on. */
export type Verdict = 'kept' | 'slower' | 'faster' | 'unknown';

/** A question beside its kept ratio: null where none is kept. */
export interface Compared {
  readonly question: string;
  readonly kept: number | null;
  readonly found: number;
  readonly verdict: Verdict;
}

/** Every question that was measured, held against what is kept of it. */
export function compareRatios(kept: Ratios, found: Ratios): readonly Compared[] {
  return Object.entries(found).map(([question, ratio]) => {
    const before = kept[question] ?? null;
    return { question, kept: before, found: ratio, verdict: verdictOf(before, ratio) };
  });
}

/** The questions that are kept and were not measured. */
export function missingFrom(kept: Ratios, found: Ratios): readonly string[] {
  return Object.keys(kept).filter((question) => found[question] === undefined);
}

/** The lower ratio of two measurements: noise only ever adds. */
export function bestOf(one: Ratios, other: Ratios): Ratios {
  const all = Object.entries({ ...other, ...one });
  return Object.fromEntries(
    all.map(([question, ratio]) => [question, leastOf(ratio, other[question] ?? ratio)]),
  );
}

/** What could not be measured the one time may have been the other. */
function leastOf(one: number, other: number): number {
  if (Number.isNaN(one)) return other;
  return Number.isNaN(other) ? one : Math.min(one, other);
}

function verdictOf(kept: number | null, found: number): Verdict {
  if (kept === null) return 'unknown';
  if (!(found <= kept * MAX_GROWTH)) return 'slower';
  return found < kept / MAX_GROWTH ? 'faster' : 'kept';
}
