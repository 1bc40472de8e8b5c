import type { Request } from 'express';
import { type Tokens, unauthenticated } from '../api/tokens.ts';
import type { Asker } from '../model/request.ts';

/** Who asks, by the `Authorization: TISJWT …` header or the `tisjwt` query parameter; the header goes first. */
export async function authenticate(request: Request, tokens: Tokens): Promise<Asker> {
  const token = fromHeader(request.get('authorization')) ?? fromQuery(request.query);
  if (token === null) throw unauthenticated('tisjwt is required for authentication.');
  return tokens.verify(token);
}

/** Null without a header of our scheme: a proxy in between may use the header for itself. */
function fromHeader(header: string | undefined): string | null {
  const [scheme, token, ...rest] = (header ?? '').trim().split(/\s+/);
  if (scheme?.toLowerCase() !== 'tisjwt' || !token) return null;
  if (rest.length > 0) throw unauthenticated('tisjwt is invalid: the header must read "TISJWT <token>".');
  return token;
}

function fromQuery(query: object): string | null {
  const given = Object.entries(query)
    .filter(([name]) => name.toLowerCase() === 'tisjwt')
    .flatMap(([, value]: [string, unknown]) => value);
  const token = given.find((text): text is string => typeof text === 'string' && text.trim() !== '');
  return token?.trim() ?? null;
}
