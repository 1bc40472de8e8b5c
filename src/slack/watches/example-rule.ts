import type { SlackParts } from '../parts.ts';
import { principalOrNobody } from '../people/resolve-principal.ts';
import { exampleStatus } from './example-status.ts';

const USUAL = 'STATUS longer than 3 working days in PROJECT';

/** What an account could type for a new watch, of a status and a project it can see. */
export async function exampleRule(
  account: string,
  parts: Pick<SlackParts, 'reporting' | 'people' | 'accounts' | 'log'>,
): Promise<string> {
  const principal = await principalOrNobody(account, parts);
  if (principal === null) return USUAL;
  const [key] = await parts.reporting.exampleKeys(principal, 1);
  if (key === undefined) return USUAL;
  const status = exampleStatus(await parts.reporting.statuses(principal));
  return `${status} longer than 3 working days in ${key.slice(0, key.lastIndexOf('-'))}`;
}
