import { setTimeout } from 'node:timers/promises';
import type { RestAnswer, TestDwell } from '../../support/start-dwell.ts';

const TRIES = 20_000;

/** Asks after an export until it has come to its end, as clients do, and returns what it is then. */
export async function ended({ get }: Pick<TestDwell, 'get'>, exportId: string): Promise<RestAnswer['json']> {
  for (let i = 0; i < TRIES; i += 1) {
    const { json } = await get(`/rest/export/${exportId}`);
    if (json.status !== 'Queued' && json.status !== 'Running') return json;
    await setTimeout(1);
  }
  throw new Error(`The export ${exportId} does not come to its end`);
}
