import type { Principal } from '../../model/request.ts';
import { knownLogins } from './logins.ts';
import type { PeopleApi } from './people-api.ts';
import { NotAuthenticated, type Tokens } from './tokens.ts';

/** The parts by which a principal is known: tokens, and people by login or id. */
export interface Credentials {
  readonly tokens: Tokens;
  readonly people: Pick<PeopleApi, 'users'>;
}

/**
 * The principal of the header `Authorization`: a token after `Bearer` or `TISJWT`, or as the password of its user in
 * `Basic` (RFC 7617), by login or id.
 */
export async function principalOfHeader(
  header: string | undefined,
  { tokens, people }: Credentials,
): Promise<Principal> {
  const [scheme = '', credentials = '', ...rest] = (header ?? '').trim().split(/\s+/);
  if (rest.length > 0) throw new NotAuthenticated('The header Authorization holds too much.');
  switch (scheme.toLowerCase()) {
    case 'bearer':
    case 'tisjwt':
      if (credentials === '') throw missingToken();
      return tokens.verify(credentials);
    case 'basic': {
      const { user, password } = readBasic(credentials);
      const principal = await tokens.verify(password).catch(async (error: unknown) => {
        throw (await isOfAnother(error, user, people)) ? notTheirs() : error;
      });
      if (!(await isHolder(user, principal.account, people))) throw notTheirs();
      return principal;
    }
    default:
      throw missingToken();
  }
}

/** The first sentence is that of the compatible product. */
function missingToken(): NotAuthenticated {
  return new NotAuthenticated('tisjwt is required for authentication.', {
    reason: 'missing-token',
    advice:
      'Missing token. Send `Authorization: TISJWT <token>`; create one with `npx dwell token --user NAME`.',
  });
}

/** True if a token that lapsed is another user's: a client that names the wrong user does not learn that it lapsed. */
async function isOfAnother(error: unknown, user: string, people: Credentials['people']): Promise<boolean> {
  if (!(error instanceof NotAuthenticated) || error.lapsedOf === null) return false;
  return !(await isHolder(user, error.lapsedOf, people));
}

/** True if a name means the user of a token. */
async function isHolder(user: string, holder: string, people: Credentials['people']): Promise<boolean> {
  if (user === holder) return true;
  const { idNamed, idOfHolder } = knownLogins(await people.users());
  return idNamed(user) === idOfHolder(holder);
}

function notTheirs(): NotAuthenticated {
  return new NotAuthenticated('The token is not one of the user that is named.');
}

function readBasic(credentials: string): { readonly user: string; readonly password: string } {
  const decoded = /^[A-Za-z0-9+/]+={0,2}$/.test(credentials)
    ? Buffer.from(credentials, 'base64').toString('utf8')
    : '';
  const colon = decoded.indexOf(':');
  if (colon === -1) throw new NotAuthenticated('The header Authorization cannot be read.');
  return { user: decoded.slice(0, colon), password: decoded.slice(colon + 1) };
}
