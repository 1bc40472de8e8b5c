import { defaultTenant, type Principal, principalIn, type Rights } from '../../src/model/request.ts';

/** A principal of the tenant that tests have. */
export function principalOf(account: string, rights?: Rights): Principal {
  return principalIn(defaultTenant, account, rights);
}
