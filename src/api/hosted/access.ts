import { withoutSecrets } from '../../http-client/without-secrets.ts';

/** As whom the service is asked: a user with their password, or a token. */
export type KeychainCredentials =
  | { readonly kind: 'basic'; readonly user: string; readonly password: string }
  | { readonly kind: 'bearer'; readonly token: string };

/** How the service is addressed, and how it is spoken of without telling a secret. */
export interface Access {
  readonly origin: string;
  /** Path of the tracker below the origin, without a slash at the end. */
  readonly path: string;
  /** Value of the header. */
  readonly authorization: string;
  /** The settings that hold the credentials. */
  readonly settings: string;
  /** The setting that says who is asking. */
  readonly userSetting: string;
  /** What it is called in sentences. */
  readonly service: string;
  /** The setting that tells where it is. */
  readonly addressSetting: string;
  /** A whole sentence for a change of which nobody knows whether it was made. */
  readonly unsure: string;
  /** How large an answer may be. */
  readonly mostMegabytes: number;
  /** Takes the secrets out of a text that came from outside. */
  hide(text: string): string;
}

/** The access that an address and credentials give. */
export function createAccess(baseUrl: string, credentials: KeychainCredentials): Access {
  const { origin, pathname } = new URL(baseUrl);
  const place = {
    origin,
    path: pathname.replace(/\/+$/, ''),
    service: 'delegation service',
    addressSetting: 'DELEGATION_BASE_URL',
    unsure: 'Nobody knows whether the delegation was saved: look at the list before trying again.',
    mostMegabytes: 10,
  };
  if (credentials.kind === 'bearer') {
    const { token } = credentials;
    return {
      ...place,
      authorization: `Bearer ${token}`,
      settings: 'DELEGATION_TOKEN',
      userSetting: 'DELEGATION_TOKEN',
      hide: (text) => withoutSecrets(text, [token]),
    };
  }
  const { user, password } = credentials;
  const pair = Buffer.from(`${user}:${password}`).toString('base64');
  return {
    ...place,
    authorization: `Basic ${pair}`,
    settings: 'DELEGATION_USER and DELEGATION_PASSWORD',
    userSetting: 'DELEGATION_USER',
    hide: (text) => withoutSecrets(text, [pair, password]),
  };
}
