import type { DoorParts } from '../command.ts';
import { askerOrNobody } from '../people/asker-of.ts';
import { exampleStatus } from './example-status.ts';

const USUAL = 'STATUS longer than 3 working days in PROJECT';

/** What an account could type for a new watch, of a status and a project it can see. */
export async function exampleRule(
  account: string,
  parts: Pick<DoorParts, 'reporting' | 'people' | 'accounts' | 'log'>,
): Promise<string> {
  const asker = await askerOrNobody(account, parts);
  if (asker === null) return USUAL;
  const [key] = await parts.reporting.exampleKeys(asker, 1);
  if (key === undefined) return USUAL;
  const status = exampleStatus(await parts.reporting.statuses(asker));
  return `${status} longer than 3 working days in ${key.slice(0, key.lastIndexOf('-'))}`;
}
