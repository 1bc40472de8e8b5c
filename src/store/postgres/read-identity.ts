import { isHidden } from './postgres-errors.ts';

/** The numbers that the server has given the database and a table of ours: whatever is restored gets others. */
const NUMBERS = `
  SELECT (SELECT oid FROM pg_database WHERE datname = current_database()) || ' ' || 'document'::regclass::oid AS word`;

/** The number of the server itself, which a standby shares with its primary. */
const SERVER = 'SELECT system_identifier::text AS word FROM pg_control_system()';

/**
 * Returns the identity of a database, by a function that runs a query and returns its only value: a text that a database
 * does not have in common with one that was restored from it, into it included.
 */
export async function readIdentity(read: (query: string) => Promise<unknown>): Promise<string> {
  const server = await read(SERVER).catch((error: unknown) => {
    if (isHidden(error)) return 'server';
    throw error;
  });
  return `${server} ${await read(NUMBERS)}`;
}
