import type { Instant } from '../../model/issue.ts';
import { type ColumnArrays, historyFlag, lastBegun } from '../columns/column-arrays.ts';
import { kindCode } from '../columns/flow-rows.ts';
import { type ScanPlan, SILENT } from './row-cursor.ts';
import { NumberLists, NumberSums, type Scan } from './scan-rows.ts';

/** When a sprint is counted; `isCut`: up to an instant before its end. */
interface CountedSprint {
  readonly start: Instant;
  readonly end: Instant;
  readonly isCut: boolean;
}

/** Sprints that lie in one field. A sprint is a bit, from the lowest one on: there are at most 31. */
export interface SprintPlan extends ScanPlan {
  readonly field: string;
  readonly sprints: readonly CountedSprint[];
  /** By code of the field's contents: the bits of the sprints in it. */
  readonly today: Uint32Array;
  /** The same by code of the field's history. */
  readonly past: Uint32Array;
}

/** The sums of each sprint, by sprint × `SPRINT_COUNTS`; `open` and `finished` at its end, `added` after its start. */
export const sprintCounts = { issues: 0, finished: 1, open: 2, added: 3 } as const;
export const SPRINT_COUNTS = 4;

/**
 * The totals of several sprints. An issue counts for a sprint that it has now or had as of `asOf` (one that is cut: or had
 * at its end), and had at the end. By sprint, `indexes` lists its issues, `atStart` those of them that were in it at its
 * start, and `cycleMs` the cycle times (working ms) of those that were finished within it and were
 * still at its end. By sprint + slot × sprints, `within` is the working ms within the sprint; by
 * sprint + access class × sprints, `classes` counts issues.
 */
export const sprintScan: Scan<
  SprintPlan,
  'indexes' | 'atStart' | 'cycleMs',
  'counts' | 'within' | 'classes'
> = {
  name: 'sprints',
  sink(cursor, plan) {
    const { asOf, sprints } = plan;
    const { accessClass, created, updated } = cursor.columns;
    const sprintsAt = membership(cursor.columns, plan);
    const [indexes, atStart, cycleMs] = [new NumberLists(), new NumberLists(), new NumberLists()];
    const rest = new NumberLists();
    const counts = new NumberSums(SPRINT_COUNTS * sprints.length);
    const within = new NumberSums(cursor.kinds.length * sprints.length);
    const classes = new NumberSums();
    const cut = sprints.reduce((bits, { isCut }, i) => (isCut ? bits | (1 << i) : bits), 0);
    const earliest = Math.min(asOf, ...sprints.flatMap(({ end, isCut }) => (isCut ? end : [])));

    /** The sprints that a row may count for; null where columns do not know. */
    const candidatesOf = (row: number): number | null => {
      const now = sprintsAt.now(row);
      if (updated[row] <= earliest) return now;
      if (!sprintsAt.isKnown(row)) return (now | sprintsAt.ever(row)) === 0 ? 0 : null;
      let candidates = now | sprintsAt.of(row, asOf);
      for (let own = 0; cut >>> own !== 0; own += 1) {
        if (((cut >>> own) & 1) === 1) candidates |= sprintsAt.of(row, sprints[own]?.end ?? 0) & (1 << own);
      }
      return candidates;
    };

    /** The sprints that a row counts for; null where columns do not know. */
    const membersOf = (row: number, candidates: number): number | null => {
      if (!sprintsAt.isKnown(row)) return null;
      let members = 0;
      for (let own = 0; candidates >>> own !== 0; own += 1) {
        const end = sprints[own]?.end ?? 0;
        const isIn = (candidates & sprintsAt.of(row, end) & (1 << own)) !== 0 && created[row] <= end;
        if (!isIn) continue;
        cursor.seek(row, end);
        if (!cursor.counts) continue;
        members |= 1 << own;
        const isClear = cursor.observe();
        if (!isClear || cursor.ownSlot() < 0) return null;
      }
      return members;
    };

    const addMember = (row: number, own: number, index: number) => {
      const { start, end } = sprints[own] ?? { start: 0, end: 0 };
      const first = own * SPRINT_COUNTS;
      cursor.seek(row, end);
      counts.add(first + sprintCounts.issues, 1);
      classes.add(accessClass[row] * sprints.length + own, 1);
      indexes.push(own, index);
      const wasIn = created[row] <= start && (sprintsAt.of(row, start) & (1 << own)) !== 0;
      if (wasIn) atStart.push(own, index);
      else counts.add(first + sprintCounts.added, 1);
      for (let visit = cursor.from; visit <= cursor.last; visit += 1) {
        const begun = Math.max(cursor.startAt(visit), start);
        const until = cursor.endAt(visit);
        if (until <= begun || cursor.kindAt(visit) === kindCode.done) continue;
        within.add(cursor.slotAt(visit) * sprints.length + own, cursor.between(begun, until));
      }
      cursor.readWork();
      if (cursor.work === cursor.last) return counts.add(first + sprintCounts.open, 1);
      // A finish in the millisecond in which the sprint ends is still within it.
      if (!(cursor.finish >= start && cursor.finish <= end)) return;
      counts.add(first + sprintCounts.finished, 1);
      const ms = cursor.cycleMs();
      if (!Number.isNaN(ms)) cycleMs.push(own, ms);
    };

    return {
      lists: { indexes, atStart, cycleMs, rest },
      sums: { counts, within, classes },
      add(row, index) {
        sprintsAt.isNew = false;
        const candidates = candidatesOf(row);
        if (candidates === 0 && !sprintsAt.isNew) return;
        const members = candidates === null ? null : membersOf(row, candidates);
        if (members === null || sprintsAt.isNew) return rest.push(0, index);
        for (let own = 0; members >>> own !== 0; own += 1) {
          if (((members >>> own) & 1) === 1) addMember(row, own, index);
        }
      },
    };
  },
};

/** The bits of all sprints. */
const ALL = 0x7fffffff;

/** The sprints that the issue of a row was in at an instant, as the JQL field `sprint` has it. */
function membership(columns: ColumnArrays, { field, today, past }: SprintPlan) {
  const { fields, histories, updated, flags: rowFlags } = columns;
  const contents = fields[field];
  const history = histories[field];
  const sprintsAt = {
    /** Some value came after the plan was made, so that its sprints are not known. */
    isNew: false,
    isKnown: (row: number) =>
      history !== undefined &&
      (history.flags[row] & (historyFlag.needsIssue | historyFlag.differs)) === 0 &&
      (rowFlags[row] & SILENT) === 0,
    now(row: number): number {
      return bitsIn(today, contents?.[row] ?? 0);
    },
    /** All that the issue is known to have been in; each sprint where columns have none of its visits. */
    ever(row: number): number {
      const count = history?.count[row] ?? 0;
      if (history === undefined || count === 0) return ALL;
      const first = history.at[row];
      let bits = 0;
      for (let visit = first; visit < first + count; visit += 1) bits |= bitsIn(past, history.codes[visit]);
      return bits;
    },
    of(row: number, at: Instant): number {
      if (at >= updated[row] || history === undefined) return sprintsAt.now(row);
      const first = history.at[row];
      return bitsIn(past, history.codes[lastBegun(history.starts, first, first + history.count[row], at)]);
    },
  };
  const bitsIn = (bits: Uint32Array, code: number) => {
    const known = bits[code];
    if (known === undefined) sprintsAt.isNew = true;
    return known ?? 0;
  };
  return sprintsAt;
}
