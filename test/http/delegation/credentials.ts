import type { TestDwell } from '../../support/start-dwell.ts';

/** The base of the contract, and the alias of newer versions of the compatible product. */
export const bases = ['/rest/delegation/api/1.0', '/rest/delegation/1.0/api'] as const;

/** The text of a token of somebody. */
export async function tokenOf(dwell: TestDwell, user: string, rights?: { readonly admin?: boolean }) {
  const { Authorization } = await dwell.headerOf(user, rights);
  return Authorization.slice('TISJWT '.length);
}

/** A user and a password as HTTP spells them. */
export function basic(user: string, password: string) {
  return { Authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` };
}
