/** A change of throughput is looked for in so many of the last weeks, against those before them. */
export const RECENT_WEEKS = 6;
/** With fewer weeks before these, chance alone makes differences as large. */
const MIN_BEFORE = 4;
/** A difference counts that chance makes at most this often. */
const MAX_CHANCE = 0.1;
/** A smaller change of the mean moves no date by much. */
const MIN_CHANGE = 0.2;

/** Issues finished per week in the last weeks and in those before them (means), and how often chance makes such a difference. */
export interface ThroughputChange {
  readonly before: number;
  readonly recent: number;
  /** From 0 to 1. */
  readonly chance: number;
}

/**
 * A change of throughput in the last six weeks against those before, of issues finished by week, the oldest first; null where
 * there is none, or too few weeks to say. It is an exact permutation test of the difference of the means, on both sides: of
 * all ways to choose six of the weeks, at most 10% may differ as much. The mean has to change by a fifth at least.
 */
export function throughputChange(weeks: readonly number[]): ThroughputChange | null {
  const count = weeks.length;
  if (count < RECENT_WEEKS + MIN_BEFORE) return null;
  const sumOf = (some: readonly number[]) => some.reduce((sum, one) => sum + one, 0);
  const all = sumOf(weeks);
  const ofRecent = sumOf(weeks.slice(-RECENT_WEEKS));
  const recent = ofRecent / RECENT_WEEKS;
  const before = (all - ofRecent) / (count - RECENT_WEEKS);
  if (Math.abs(recent - before) < MIN_CHANGE * before) return null;
  // With the whole sum given, the difference of the means follows from the sum of the six.
  const expected = (all * RECENT_WEEKS) / count;
  const distance = Math.abs(ofRecent - expected);
  let [choices, asFar] = [0, 0];
  const choose = (from: number, left: number, sum: number): void => {
    if (left === 0) {
      choices += 1;
      if (Math.abs(sum - expected) >= distance - 1e-9) asFar += 1;
      return;
    }
    for (let week = from; week <= count - left; week += 1)
      choose(week + 1, left - 1, sum + (weeks[week] ?? 0));
  };
  choose(0, RECENT_WEEKS, 0);
  const chance = asFar / choices;
  return chance > MAX_CHANCE ? null : { before, recent, chance };
}

/** More issues arrive than this, as a multiple of those finished, before it is called growth. */
const MIN_GROWTH = 1.2;

/**
 * True if the scope grows: in the same weeks at least a fifth more issues arrived than were finished, and more than two standard
 * deviations of a difference of two counts, so that a few issues do not decide.
 */
export function growsIn({
  arrived,
  finished,
}: {
  readonly arrived: number;
  readonly finished: number;
}): boolean {
  return arrived >= MIN_GROWTH * finished && arrived - finished > 2 * Math.sqrt(arrived + finished);
}
