import type { StatusCategory } from '../../model/issue.ts';
import { type ColumnArrays, FIRST_VISIT, rowFlag, STATUS_CODE } from '../columns/column-arrays.ts';
import { categoryCode, type Scan, type ScanFound, type ScanPlan } from './scan-rows.ts';

/** What all issues say about the statuses they are or were in, by code of `values('status')`. */
export interface StatusFacts extends ScanFound {
  /** The first row whose issue is in the status now; `NO_ROW` where there is none. */
  readonly now: Uint32Array;
  /** 1 where an issue was in it of whose site the tracker's lists need not speak (`isVouched`). */
  readonly elsewhere: Uint8Array;
  /** How many issues with a whole history were in the status. */
  readonly issues: Float64Array;
  /** The sum of its positions: of the statuses an issue was in, the one it entered first is at 0. */
  readonly positions: Float64Array;
  /** The visits of a status without a category in whole histories: all of them, then those that speak for each category. */
  readonly votes: Float64Array;
}

/** No issue is in the status. */
export const NO_ROW = 0xffffffff;

/** Per code in `StatusFacts.votes`: the number of visits, and one element per category, by `categoryCode`. */
const VOTES = 4;

/** A resolution date and the change of status that goes with it may be written some moments apart (ms). */
const SAME_STEP_MS = 60_000;

/** In the place of a category: there is no status before the first one, and none after the last. */
const NONE = -1;

/** One pass over all issues, up to their last change whatever the plan's instant; slots are the codes themselves. */
export const statusFactsScan: Scan<ScanPlan, StatusFacts> = {
  name: 'statusFacts',
  scan(arrays, { rows }, { categories, vouched }) {
    const codes = categories.length;
    const now = new Uint32Array(codes).fill(NO_ROW);
    const elsewhere = new Uint8Array(codes);
    const issues = new Float64Array(codes);
    const positions = new Float64Array(codes);
    const votes = new Float64Array(codes * VOTES);
    const { flags, fields, statusAt, statusCount, visitStatus } = arrays;
    for (let i = 0; i < rows.length; i += 1) {
      const row = rows[i] ?? 0;
      const flag = flags[row] ?? 0;
      if ((flag & rowFlag.dead) !== 0) continue;
      const own = fields.status?.[row] ?? 0;
      now[own] = Math.min(now[own] ?? NO_ROW, row);
      if ((flag & rowFlag.odd) !== 0) continue;
      const from = statusAt[row] ?? 0;
      const end = from + (statusCount[row] ?? 0);
      const isElsewhere = vouched[own] !== 1;
      const isWhole = (flag & rowFlag.cut) === 0;
      let hasUnknown = false;
      for (let visit = from, position = 0; visit < end; visit += 1) {
        const value = visitStatus[visit] ?? 0;
        const code = value & STATUS_CODE;
        if (isElsewhere) elsewhere[code] = 1;
        if (categories[code] === categoryCode.undefined) hasUnknown = true;
        if (!isWhole || (value & FIRST_VISIT) === 0) continue;
        issues[code] = (issues[code] ?? 0) + 1;
        positions[code] = (positions[code] ?? 0) + position;
        position += 1;
      }
      if (isWhole && hasUnknown) voteFor(votes, arrays, row, categories);
    }
    return { now, elsewhere, issues, positions, votes, observed: null, rest: new Float64Array() };
  },
  join(parts) {
    const sumOf = (lists: readonly Float64Array[]) =>
      new Float64Array(lists[0]?.length ?? 0).map((_, i) =>
        lists.reduce((sum, list) => sum + (list[i] ?? 0), 0),
      );
    const { now, elsewhere } = parts[0] ?? { now: new Uint32Array(), elsewhere: new Uint8Array() };
    return {
      now: now.map((_, i) => Math.min(...parts.map((part) => part.now[i] ?? NO_ROW))),
      elsewhere: elsewhere.map((_, i) => Math.max(...parts.map((part) => part.elsewhere[i] ?? 0))),
      issues: sumOf(parts.map(({ issues }) => issues)),
      positions: sumOf(parts.map(({ positions }) => positions)),
      votes: sumOf(parts.map(({ votes }) => votes)),
      observed: null,
      rest: new Float64Array(),
    };
  },
};

/**
 * Counts what the visits of a row's statuses without a category speak for. Several such visits in a row have the same
 * neighbors: the nearest statuses whose category is known.
 */
function voteFor(
  votes: Float64Array,
  { statusAt, statusCount, visitStart, visitStatus, resolved }: ColumnArrays,
  row: number,
  categories: Uint8Array,
): void {
  const from = statusAt[row] ?? 0;
  const end = from + (statusCount[row] ?? 0);
  const codeAt = (visit: number) => (visitStatus[visit] ?? 0) & STATUS_CODE;
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
      const start = visitStart[visit] ?? 0;
      const until = visit + 1 < end ? (visitStart[visit + 1] ?? 0) : Number.POSITIVE_INFINITY;
      // Most workflows resolve an issue as it becomes Done, also where Closed comes after Resolved.
      const isResolvedHere = start <= resolvedAt && resolvedAt < until;
      const at = codeAt(visit) * VOTES;
      const vote = isResolvedHere
        ? categoryCode.done
        : visit === from && visit + 1 < end
          ? categoryCode.todo
          : impliedBetween(before, after);
      votes[at] = (votes[at] ?? 0) + 1;
      if (vote !== NONE) votes[at + vote] = (votes[at + vote] ?? 0) + 1;
    }
    visit -= 1;
  }
}

/** What a status between two others is likely to be; `NONE` where it may well be one thing or another. */
function impliedBetween(before: number, after: number): number {
  const { todo, progress, done } = categoryCode;
  if (before === NONE) return NONE;
  if (after === done) return before === done ? NONE : progress;
  if (after === progress) return before === progress ? progress : NONE;
  if (after === todo) return before === todo || before === done ? todo : NONE;
  return NONE;
}

/** What the visits of some codes, which are one status, speak for: more than half of them must agree, else it is unknown. */
export function impliedCategory({ votes }: StatusFacts, codes: readonly number[]): StatusCategory {
  const sum = (place: number) => codes.reduce((total, code) => total + (votes[code * VOTES + place] ?? 0), 0);
  const half = sum(0) / 2;
  if (sum(categoryCode.done) > half) return 'Done';
  if (sum(categoryCode.progress) > half) return 'In Progress';
  return sum(categoryCode.todo) > half ? 'To Do' : 'Undefined';
}
