import { isDue } from '../concurrency/clock-check.ts';
import { createYieldIfDue, detached } from '../concurrency/cooperative-yield.ts';
import type { Instant } from '../model/issue.ts';
import { type IssueTable, READ_AT_ONCE } from './issue-table.ts';

/** So many pieces of `READ_AT_ONCE` are read while somebody waits; the rest behind them. */
const PIECES_WAITED_FOR = 4;

/** How long (ms) after it has failed it is tried again. */
const RETRY_MS = 10_000;

/** What mentions are confirmed with. */
interface ConfirmingParts {
  /** The table as it is now; null while there is none. */
  readonly current: () => IssueTable | null;
  /** Runs what nobody else writes to columns meanwhile. */
  readonly alone: <Result>(work: () => Promise<Result>) => Promise<Result>;
  readonly now: () => Instant;
  readonly signal: AbortSignal;
  readonly onProblem: (error: unknown) => void;
}

/** See `createConfirming`. */
interface Confirming {
  /** Begins where there is something in doubt, and waits for the first pieces. */
  begin(): Promise<void>;
  /** What is under way; null where nothing is. */
  underWay(): Promise<void> | null;
}

/**
 * Sees to it that of an access class that issues have left, as they were restricted, moved or taken away, nothing is known
 * but what the others mention. What only those that left are known to mention is looked for in the others, the one
 * created last being the first, until it is found in one; what is found in none is forgotten. What could not be done
 * is still to be done, also with a file of columns that was written meanwhile.
 */
export function createConfirming({ current, alone, now, signal, onProblem }: ConfirmingParts): Confirming {
  let underWay: Promise<void> | null = null;
  let failedAt: Instant | null = null;

  async function confirmAll(onWaitedFor: () => void): Promise<void> {
    const rest = createYieldIfDue();
    for (let table = null; table !== current(); ) {
      table = current();
      if (table === null) return;
      const { columns, load } = table;
      const sought = columns.doubts.seek();
      const rows = sought.size === 0 ? [] : columns.rowsByCreation();
      let end = rows.length;
      // In columns that were made of these meanwhile it is begun again.
      for (let pieces = 0; end > 0 && sought.size > 0 && table === current(); pieces += 1) {
        if (pieces === PIECES_WAITED_FOR) onWaitedFor();
        await alone(async () => {
          signal.throwIfAborted();
          const { accessClass } = columns.arrays();
          const some: number[] = [];
          for (; end > 0 && some.length < READ_AT_ONCE; end -= 1) {
            const row = rows[end - 1] ?? 0;
            if (sought.has(accessClass[row] ?? 0)) some.push(row);
          }
          columns.doubts.confirm(some, await load(some));
        });
        await rest();
      }
      await alone(async () => {
        if (table !== current()) return;
        if (sought.size === 0) columns.doubts.forget();
        else await columns.writing(() => columns.doubts.forget());
      });
    }
  }

  return {
    underWay: () => underWay,
    async begin() {
      if (current()?.columns.doubts.isAny !== true || underWay !== null) return;
      if (!isDue(now(), failedAt, RETRY_MS)) return;
      const waitedFor = Promise.withResolvers<void>();
      underWay = detached(() => confirmAll(waitedFor.resolve))
        .then(
          () => {
            failedAt = null;
          },
          (error) => {
            failedAt = now();
            onProblem(error);
          },
        )
        .finally(() => {
          underWay = null;
          waitedFor.resolve();
        });
      await waitedFor.promise;
    },
  };
}
