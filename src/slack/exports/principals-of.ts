import type { Principal } from '../../model/principal.ts';
import { principalIn } from '../../model/principal.ts';
import type { SlackParts } from '../parts.ts';
import { resolvePrincipal } from '../people/resolve-principal.ts';

/**
 * As whom an account may have asked for its exports: as the user it is, or as the account alone. A Slack that cannot be
 * reached is `unavailable`: an export that is not found would be taken for gone.
 */
export async function askersOf(
  account: string,
  parts: Pick<SlackParts, 'people' | 'accounts' | 'log'>,
): Promise<readonly Principal[]> {
  const principal = await resolvePrincipal(account, parts);
  return principal.account === account ? [principal] : [principal, principalIn(parts.people.tenant, account)];
}
