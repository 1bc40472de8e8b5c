import type { StatusCategory } from '../../model/issue.ts';
import { FIRST_VISIT, rowFlag, STATUS_CODE } from '../columns/column-arrays.ts';
import type { RowCursor, ScanPlan } from './row-cursor.ts';
import { NumberLists, NumberSums, numbersAt, type Scan, type ScanFound } from './scan-rows.ts';

/** The categories of statuses as numbers; `undefined`: the category is unknown, or there is no status. */
const categoryCode = { undefined: 0, todo: 1, progress: 2, done: 3 } as const;

/** The number of each category. */
export const codeOfCategory: Readonly<Record<StatusCategory, number>> = {
  Undefined: categoryCode.undefined,
  'To Do': categoryCode.todo,
  'In Progress': categoryCode.progress,
  Done: categoryCode.done,
};

interface StatusFactsPlan extends ScanPlan {
  /** By code, the category as a number of `codeOfCategory`. */
  readonly categories: Uint8Array;
}

/** The result of `statusFactsScan`. */
export type StatusFacts =
  typeof statusFactsScan extends Scan<StatusFactsPlan, infer List, infer Sum> ? ScanFound<List, Sum> : never;

/** Per code in the sum `votes`: the number of visits, and one element per category, by `categoryCode`. */
const VOTES = 4;

/** A resolution date and the change of status that goes with it may be written some moments apart (ms). */
const SAME_STEP_MS = 60_000;

/** In the place of a category: there is no status before the first one, and none after the last. */
const NONE = -1;

/**
 * Facts about statuses from all issues that are or were in them, up to the plan's instant; slots are the codes of
 * `values('status')`. By code, `now` has the lowest row of each part whose issue is in the status; `elsewhere` is not 0 where an issue
 * was in it whose site is not that of the tracker's lists (`isListed`); `issues` counts the issues with a whole history that
 * were in it; `positions` is the sum of its positions among the statuses they entered, counted from 0; `votes`
 * counts the visits of a status without a category in whole histories, and then those that speak for each category.
 */
export const statusFactsScan: Scan<StatusFactsPlan, 'now', 'elsewhere' | 'issues' | 'positions' | 'votes'> = {
  name: 'statusFacts',
  sink(cursor, { categories, listed }) {
    const codes = categories.length;
    const now = new Float64Array(codes).fill(Number.POSITIVE_INFINITY);
    const sums = {
      elsewhere: new NumberSums(codes),
      issues: new NumberSums(codes),
      positions: new NumberSums(codes),
      votes: new NumberSums(codes * VOTES),
    };
    const [elsewhere, issues, positions] = [sums.elsewhere.values, sums.issues.values, sums.positions.values];
    const { flags, fields, visitStatus } = cursor.columns;
    return {
      lists: {
        now: { done: () => new Map([...now].map((row, code) => [code, [Float64Array.of(row)]])) },
        rest: new NumberLists(),
      },
      sums,
      add(row) {
        const flag = flags[row];
        if ((flag & rowFlag.dead) !== 0) return;
        const own = fields.status?.[row] ?? 0;
        now[own] = Math.min(now[own], row);
        if ((flag & rowFlag.odd) !== 0) return;
        cursor.seek(row);
        const { from, last } = cursor;
        const isElsewhere = listed[own] !== 1;
        const isWhole = (flag & rowFlag.cut) === 0;
        let hasUnknown = false;
        for (let visit = from, position = 0; visit <= last; visit += 1) {
          const value = visitStatus[visit];
          const code = value & STATUS_CODE;
          if (isElsewhere) elsewhere[code] = 1;
          if (categories[code] === categoryCode.undefined) hasUnknown = true;
          if (!isWhole || (value & FIRST_VISIT) === 0) continue;
          issues[code] = (issues[code] ?? 0) + 1;
          positions[code] = (positions[code] ?? 0) + position;
          position += 1;
        }
        if (isWhole && hasUnknown) voteFor(sums.votes, cursor, categories);
      },
    };
  },
};

/**
 * Counts what the visits of a row's statuses without a category speak for. Several such visits in a row have the same
 * neighbors: the nearest statuses whose category is known.
 */
function voteFor(votes: NumberSums, { columns, row, from, last }: RowCursor, categories: Uint8Array): void {
  const { visitStart, visitStatus, resolved } = columns;
  const end = last + 1;
  const codeAt = (visit: number) => visitStatus[visit] & STATUS_CODE;
  const resolvedAt = (resolved[row] ?? Number.NaN) + SAME_STEP_MS;
  let before: number = NONE;
  for (let visit = from; visit < end; visit += 1) {
    const category = categories[codeAt(visit)] ?? categoryCode.undefined;
    if (category !== categoryCode.undefined) {
      before = category;
      continue;
    }
    let next = visit + 1;
    while (next < end && categories[codeAt(next)] === categoryCode.undefined) next += 1;
    const after = next < end ? (categories[codeAt(next)] ?? NONE) : NONE;
    for (; visit < next; visit += 1) {
      const start = visitStart[visit];
      const until = visit + 1 < end ? visitStart[visit + 1] : Number.POSITIVE_INFINITY;
      // Most workflows resolve an issue as it becomes Done, also where Closed comes after Resolved.
      const isResolvedHere = start <= resolvedAt && resolvedAt < until;
      const at = codeAt(visit) * VOTES;
      const vote = isResolvedHere
        ? categoryCode.done
        : visit === from && visit + 1 < end
          ? categoryCode.todo
          : impliedBetween(before, after);
      votes.add(at, 1);
      if (vote !== NONE) votes.add(at + vote, 1);
    }
    visit -= 1;
  }
}

/** The likely category of a status between two others; `NONE` where it may be one or another. */
function impliedBetween(before: number, after: number): number {
  const { todo, progress, done } = categoryCode;
  if (before === NONE) return NONE;
  if (after === done) return before === done ? NONE : progress;
  if (after === progress) return before === progress ? progress : NONE;
  if (after === todo) return before === todo || before === done ? todo : NONE;
  return NONE;
}

/** The lowest row whose issue is in the status of a code; null where there is none. */
export function rowIn({ lists }: StatusFacts, code: number): number | null {
  const row = Math.min(...numbersAt(lists.now, code));
  return Number.isFinite(row) ? row : null;
}

/** The category that the visits of some codes, which are one status, speak for: more than half must agree, else it is unknown. */
export function impliedCategory({ sums: { votes } }: StatusFacts, codes: readonly number[]): StatusCategory {
  const sum = (vote: number) => codes.reduce((total, code) => total + (votes[code * VOTES + vote] ?? 0), 0);
  const half = sum(0) / 2;
  if (sum(categoryCode.done) > half) return 'Done';
  if (sum(categoryCode.progress) > half) return 'In Progress';
  return sum(categoryCode.todo) > half ? 'To Do' : 'Undefined';
}
