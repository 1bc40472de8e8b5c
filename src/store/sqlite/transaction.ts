import type { DatabaseSync } from 'node:sqlite';
import { AppError } from '../../model/error.ts';

/** SQLite's result codes for a file that others write to, a failing disk and a full one. */
const outsideCauses: readonly unknown[] = [5, 10, 13];
const BUSY = 5;

/** Runs `work` in one write transaction: all of it or nothing. */
export function inTransaction<Result>(database: DatabaseSync, work: () => Result): Result {
  try {
    database.exec('BEGIN IMMEDIATE');
    const result = work();
    database.exec('COMMIT');
    return result;
  } catch (error) {
    // SQLite has already rolled back when the disk is full or fails.
    if (database.isTransaction) database.exec('ROLLBACK');
    if (!isOutsideCause(error)) throw error;
    throw new AppError('unavailable', `The store cannot be written to now: ${error.message}.`, [], {
      cause: error,
    });
  }
}

/** Whether SQLite gave up because another process holds the file. */
export function isBusy(error: unknown): boolean {
  return error !== null && typeof error === 'object' && 'errcode' in error && error.errcode === BUSY;
}

function isOutsideCause(error: unknown): error is { readonly message: string } {
  return (
    error !== null && typeof error === 'object' && 'errcode' in error && outsideCauses.includes(error.errcode)
  );
}
