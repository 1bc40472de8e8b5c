import { unauthenticated } from '../api/tokens.ts';
import type { Pair } from './request/read-pairs.ts';

/** The token of an `Authorization: TISJWT …` header; null without one: a proxy in between may use the header for itself. */
export function tokenOfHeader(header: string | undefined): string | null {
  const [scheme, token, ...rest] = (header ?? '').trim().split(/\s+/);
  if (scheme?.toLowerCase() !== 'tisjwt' || !token) return null;
  if (rest.length > 0) throw unauthenticated('tisjwt is invalid: the header must read "TISJWT <token>".');
  return token;
}

/** The token of a query string or a form. */
export function tokenOfPairs(pairs: readonly Pair[]): string | null {
  const found = pairs.find(([name, value]) => name.toLowerCase() === 'tisjwt' && value.trim() !== '');
  return found?.[1].trim() ?? null;
}
