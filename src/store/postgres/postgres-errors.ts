import type { Client } from 'pg';
import { AppError, badRequest } from '../../model/error.ts';
import type { FailureReason } from '../sql/engine.ts';

/** The connection ended before the database had answered. */
export class ConnectionLost extends Error {
  override name = 'ConnectionLost';
}

/** No connection can be opened, whatever the database says about it. */
export class CannotConnect extends Error {
  override name = 'CannotConnect';
}

/** The state of a write to a database that is read-only. */
const READ_ONLY = '25006';

/** The state of a text that no column can have: one with the character NUL. */
const UNSTORABLE = '22021';

/** The state of a question to a standby for what only a primary has. */
const IN_RECOVERY = '55000';

/** The state of a password that is not the one of its user. */
const WRONG_PASSWORD = '28P01';

/** The state of a message that breaks the protocol, which is a fault of ours. */
const PROTOCOL_VIOLATION = '08P01';

/** The state where a user may not do something. */
const MISSING_RIGHT = '42501';

/** The SQLSTATE, of a class of ours, of a write to a store that was moved; its message is a sentence for people. */
export const MOVED = 'SM001';

/**
 * Reasons by SQLSTATE, https://www.postgresql.org/docs/18/errcodes-appendix.html: those of whole classes by their first two
 * characters. A query that is canceled took too long, or waited too long for a lock; one of class 25 asked a standby
 * to write, and 55000 asked it where its log ends.
 */
const reasons: Readonly<Record<string, FailureReason>> = {
  '08': 'unavailable',
  '23505': 'not-unique',
  [READ_ONLY]: 'unavailable',
  '40001': 'busy',
  '40P01': 'busy',
  '53': 'unavailable',
  [IN_RECOVERY]: 'unavailable',
  '53100': 'full',
  '55P03': 'busy',
  '57014': 'busy',
  '57P': 'unavailable',
  '58': 'unavailable',
  F0: 'unavailable',
  [MOVED]: 'unavailable',
};

/** Returns why PostgreSQL failed, as far as the cause lies outside of the statement; null otherwise. */
export function reasonOf(error: unknown): FailureReason | null {
  if (error instanceof ConnectionLost || error instanceof CannotConnect) return 'unavailable';
  const state = sqlState(error);
  if (state === null || state === PROTOCOL_VIOLATION) return null;
  return reasons[state] ?? reasons[state.slice(0, 3)] ?? reasons[state.slice(0, 2)] ?? null;
}

/** Returns true where a connection leads to a database that takes no writes, such as a primary that has become a standby. */
export function isReadOnly(error: unknown): boolean {
  const state = sqlState(error);
  return state === READ_ONLY || state === IN_RECOVERY;
}

/** Returns true where a service does not show something: a role may not, or the service does not have it. */
export function isHidden(error: unknown): boolean {
  const state = sqlState(error);
  return state === MISSING_RIGHT || state === '0A000' || state === '42883';
}

/** Returns true where a transaction that met others comes through once it runs again. */
export function isWorthRetrying(error: unknown): boolean {
  const state = sqlState(error);
  return state === '40001' || state === '40P01';
}

/** Returns the error of a statement as callers of the store have it: in words where it is no fault of the program. */
export function asAppError(error: unknown): unknown {
  if (sqlState(error) === UNSTORABLE)
    return badRequest('A text has the character NUL, which cannot be stored. Remove it.');
  const reason = reasonOf(error);
  if (reason === null || reason === 'not-unique') return error;
  return new AppError('store-unavailable', messageOf(error, reason), [], { cause: error });
}

function messageOf(error: unknown, reason: FailureReason): string {
  if (reason === 'full')
    return 'The disk of the database is full, so nothing can be saved. Free some space there, then try again.';
  if (sqlState(error) === MOVED) return causeOf(error);
  if (reason === 'busy') return `The database is busy: ${causeOf(error)}. Try again.`;
  return `The database does not answer as it should now: ${causeOf(error)}.`;
}

/** Returns why a database at an address cannot be opened, in words without the user and the password. */
export function openingProblem(
  error: unknown,
  { host, port, database, user, password }: Pick<Client, 'host' | 'port' | 'database' | 'user' | 'password'>,
): string {
  // Without one, another is sent where the server wants it in an older way, and refused.
  if (lacksPassword(error) || (!password && sqlState(error) === WRONG_PASSWORD))
    return 'it wants a password, and the address has none. Write it as postgres://user:password@host:5432/dwell, or set PGPASSWORD';
  if (sqlState(error)?.startsWith('3D'))
    return `there is no database "${database}". As a user that can create databases: CREATE DATABASE "${database}" OWNER "${user}" ENCODING 'UTF8' TEMPLATE template0`;
  if (sqlState(error) === MISSING_RIGHT)
    return 'its user cannot create tables there. Try: the user who owns the database';
  if (isUnreachable(error))
    return `no PostgreSQL answers at ${host}:${port}. Check the address, and that the server runs`;
  return causeOf(error);
}

/** Returns true for the error by which `pg` finds that a server wants a password and there is none. */
function lacksPassword(error: unknown): boolean {
  return error instanceof Error && /client password must be a (non-empty )?string/.test(error.message);
}

/** Returns true for an error of the system, such as ECONNREFUSED. */
function isUnreachable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? String(error.code) : '';
  return sqlState(error) === null && /^E(?!RR_)[A-Z_]+$/.test(code);
}

/** Returns the message of an error without the user, whose name the database repeats when it refuses a connection. */
function causeOf(error: unknown): string {
  const cause = error instanceof CannotConnect ? error.cause : error;
  if (sqlState(cause)?.startsWith('28'))
    return 'it does not accept the user and password of its address. Check both';
  if (isUnreachable(cause)) return 'no connection to it can be opened';
  return cause instanceof Error ? cause.message : String(cause);
}

/** Returns the five characters by which PostgreSQL says what failed; null for an error of another origin. */
export function sqlState(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return null;
  return /^[0-9A-Z]{5}$/.test(error.code) ? error.code : null;
}
