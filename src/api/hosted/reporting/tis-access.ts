import { withoutSecrets } from '../../../http-client/without-secrets.ts';
import type { Access } from '../access.ts';

/** Where the service is and as whom it is asked. */
export interface TisAccess {
  readonly baseUrl: string;
  readonly token: string;
}

/** How a time-in-status service is addressed; the token goes into the header only, never into an address. */
export function tisAccess({ baseUrl, token }: TisAccess): Access {
  const { origin, pathname } = new URL(baseUrl);
  return {
    origin,
    path: pathname.replace(/\/+$/, ''),
    authorization: `TISJWT ${token}`,
    settings: 'TIS_TOKEN',
    userSetting: 'TIS_TOKEN',
    service: 'time-in-status service',
    addressSetting: 'TIS_BASE_URL',
    unsure: 'Nobody knows whether it was done: look before trying again.',
    mostMegabytes: 100,
    hide: (text) => withoutSecrets(text, [token]),
  };
}
