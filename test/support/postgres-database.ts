import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from 'pg';
import { withDatabase } from './store-engine.ts';

/** The address of a database of the server that the runner has started, whose user is an owner of everything by default. */
export function addressIn(database: string, user?: string): string {
  const address = new URL(`${process.env.POSTGRES_SERVER}/${database}`);
  if (user !== undefined) [address.username = '', address.password = ''] = user.split(':');
  return address.href;
}

/** Makes an empty database and returns its address; `how` is what else CREATE DATABASE says of it. */
export async function emptyDatabase(how = '', name = `empty_${randomUUID().replaceAll('-', '')}`) {
  await queryOnce(addressIn('postgres'), `CREATE DATABASE ${name} ${how}`);
  return addressIn(name);
}

/** Runs a query over a connection of its own, and returns its rows. */
export function queryOnce(
  url: string,
  text: string,
  values: unknown[] = [],
): Promise<Record<string, unknown>[]> {
  return withDatabase(url, async (client) => (await client.query(text, values)).rows);
}

/** Waits until a query over a connection has a row. */
export async function untilRow(client: Client, text: string): Promise<void> {
  while ((await client.query(text)).rows.length === 0) await pause(5);
}

const connectionsOfDwell = `FROM pg_stat_activity
  WHERE datname = current_database() AND application_name = 'dwell' AND pid <> pg_backend_pid()`;

/** Ends the connections that Dwells have to the database of a client, and returns their number. */
export async function endConnections(client: Client): Promise<number> {
  const { rows } = await client.query(`SELECT pg_terminate_backend(pid) ${connectionsOfDwell}`);
  await untilNoDwell(client);
  return rows.length;
}

/** Waits until no Dwell is connected to the database of a client. */
export async function untilNoDwell(client: Client): Promise<void> {
  await untilRow(client, `SELECT WHERE NOT EXISTS (SELECT ${connectionsOfDwell})`);
}
