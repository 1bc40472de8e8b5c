import { defaultTenant, type Principal, principalIn } from '../../src/model/request.ts';

/** A principal of the tenant that tests have. */
export function principalOf(account: string, rights?: Principal['rights']): Principal {
  return principalIn(defaultTenant, account, rights);
}
