import { isDue } from '../concurrency/clock-check.ts';
import { createYieldIfDue, detached } from '../concurrency/cooperative-yield.ts';
import type { Instant } from '../model/issue.ts';
import { type IssueTable, READ_AT_ONCE } from './issue-table.ts';

/** The number of pieces of `READ_AT_ONCE` that a question waits for; the others are read behind it. */
const PIECES_WAITED_FOR = 4;

/** The pause (ms) after a failure. */
const RETRY_MS = 10_000;

/** The parts that confirm mentions. */
interface ConfirmingParts {
  /** Returns the current table; null while there is none. */
  readonly current: () => IssueTable | null;
  /** Runs work while nothing else writes to columns. */
  readonly alone: <Result>(work: () => Promise<Result>) => Promise<Result>;
  readonly now: () => Instant;
  readonly signal: AbortSignal;
  readonly onProblem: (error: unknown) => void;
}

/**
 * Keeps the mentions of an access class, which issues leave when they are restricted, moved or removed, down to those of
 * its issues. A value that only issues that left are known to mention is looked for in the others, the one created last
 * first, until it is found; a value that is not found is forgotten. After a failure this is still to be done, also with a
 * file of columns that was written meanwhile.
 */
export function createConfirming({ current, alone, now, signal, onProblem }: ConfirmingParts) {
  let underWay: Promise<void> | null = null;
  let failedAt: Instant | null = null;

  async function confirmAll(onWaitedFor: () => void): Promise<void> {
    const pace = createYieldIfDue();
    for (let table = null; table !== current(); ) {
      table = current();
      if (table === null) return;
      const { columns, load } = table;
      const sought = columns.doubts.seek();
      const rows = sought.size === 0 ? [] : columns.rowsByCreation();
      let end = rows.length;
      // Columns that were made of these meanwhile are begun again.
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
        await pace();
      }
      await alone(async () => {
        if (table !== current()) return;
        if (sought.size === 0) columns.doubts.forget();
        else await columns.writing(() => columns.doubts.forget());
      });
    }
  }

  return {
    /** Returns the work under way; null where there is none. */
    underWay: () => underWay,
    /** Begins where any mention is in doubt, and waits for the first pieces. */
    async begin(): Promise<void> {
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
