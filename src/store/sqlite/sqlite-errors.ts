import { isDiskFull } from '../../model/error.ts';
import type { FailureReason } from '../sql/engine.ts';

/** SQLite's primary result codes for a file others write to, a failing disk, a damaged file, a full disk, no database. */
const reasons: Readonly<Record<number, FailureReason>> = {
  5: 'busy',
  10: 'unavailable',
  11: 'unavailable',
  13: 'full',
  26: 'unavailable',
};

/** The extended result code of a trigger's refusal: the only ones are those of a store that was moved, with a sentence for people. */
const REFUSED = 1811;

/** Its extended result codes where the index of the write-ahead log does not fit, and for a unique key and a primary key. */
const extended: Readonly<Record<number, FailureReason>> = {
  4874: 'full',
  2067: 'not-unique',
  [REFUSED]: 'unavailable',
};

/**
 * The reason of a SQLite failure whose cause lies outside of the statement; null otherwise. A primary key is no reason.
 */
export function reasonOf(error: unknown): FailureReason | null {
  const code = errorCode(error);
  // The lowest byte of an extended code is the primary one.
  return code === null ? null : (extended[code] ?? reasons[code & 0xff] ?? null);
}

/** Returns true where a store that was moved refuses a write; the message of the error is the sentence for people. */
export function isRefused(error: unknown): boolean {
  return errorCode(error) === REFUSED;
}

/** Returns true where the disk of the store is full, as SQLite or the system says. */
export function isStoreFull(error: unknown): boolean {
  return reasonOf(error) === 'full' || isDiskFull(error);
}

function errorCode(error: unknown): number | null {
  if (error === null || typeof error !== 'object' || !('errcode' in error)) return null;
  return typeof error.errcode === 'number' ? error.errcode : null;
}
