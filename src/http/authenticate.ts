import { NotAuthenticated, type Tokens } from '../api/tokens.ts';
import type { Asker } from '../model/request.ts';
import type { Pair } from './request/read-pairs.ts';

/** The token of an `Authorization: TISJWT …` header; null without one: a proxy in between may use the header for itself. */
export function tokenOfHeader(header: string | undefined): string | null {
  const [scheme, token, ...rest] = (header ?? '').trim().split(/\s+/);
  if (scheme?.toLowerCase() !== 'tisjwt' || !token) return null;
  if (rest.length > 0)
    throw new NotAuthenticated('tisjwt is invalid: the header must read "TISJWT <token>".');
  return token;
}

/** The token of a query string or a form. */
export function tokenOfPairs(pairs: readonly Pair[]): string | null {
  const found = pairs.find(([name, value]) => name.toLowerCase() === 'tisjwt' && value.trim() !== '');
  return found?.[1].trim() ?? null;
}

/**
 * Who the header `Authorization` speaks for where the contract of delegations is spoken: a token after `Bearer` or
 * `TISJWT`, or as the password of its user in `Basic` (RFC 7617).
 */
export async function askerOfHeader(header: string | undefined, tokens: Tokens): Promise<Asker> {
  const [scheme = '', credentials = '', ...rest] = (header ?? '').trim().split(/\s+/);
  if (rest.length > 0) throw new NotAuthenticated('The header Authorization holds too much.');
  switch (scheme.toLowerCase()) {
    case 'bearer':
    case 'tisjwt':
      return tokens.verify(credentials);
    case 'basic': {
      const { user, password } = readBasic(credentials);
      const asker = await tokens.verify(password).catch((error: unknown) => {
        throw isOfAnother(error, user) ? notTheirs() : error;
      });
      if (asker.user !== user) throw notTheirs();
      return asker;
    }
    default:
      throw new NotAuthenticated('The header Authorization is required.');
  }
}

/** Whoever names somebody else does not learn whether a token holds. */
function isOfAnother(error: unknown, user: string): boolean {
  return error instanceof NotAuthenticated && error.lapsedOf !== null && error.lapsedOf !== user;
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
