import type { Request, Response } from 'express';
import { type Tokens, unauthenticated } from '../../api/tokens.ts';
import type { Asker } from '../../model/request.ts';
import { tokenOfHeader, tokenOfPairs } from '../authenticate.ts';
import type { RouteFacts } from '../route.ts';
import { parseJson } from './parse-json.ts';
import { formType, isForm, jsonType, readBody } from './read-body.ts';
import { type Pair, queryOf, readPairs } from './read-pairs.ts';

const nobody: Asker = { user: '', admin: false };

/** What came with a request: who asks, the pairs of its query string and its form, and its JSON body. */
export interface Received {
  readonly asker: Asker;
  readonly pairs: readonly Pair[];
  readonly body: unknown;
}

/**
 * Reads a request as far as its route wants. The token is looked for in the header, then the query string, then the
 * form; a body that cannot hold one is not read for somebody without.
 */
export async function receive(
  { guarded, body: takesJson }: Pick<RouteFacts, 'guarded' | 'body'>,
  request: Request,
  response: Response,
  tokens: Tokens,
): Promise<Received> {
  const query = readPairs(queryOf(request.originalUrl), 'query string');
  const token = tokenOfHeader(request.get('authorization')) ?? tokenOfPairs(query);
  const who = (text: string | null) => (guarded ? known(text, tokens) : nobody);
  if (request.method !== 'POST' && request.method !== 'PUT')
    return { asker: await who(token), pairs: query, body: undefined };
  if (takesJson !== undefined) {
    const asker = await who(token);
    const text = await readBody(request, response, jsonType);
    return { asker, pairs: query, body: text === null ? undefined : parseJson(text) };
  }
  const early = token !== null || !isForm(request) ? await who(token) : null;
  const form = readPairs((await readBody(request, response, formType)) ?? '', 'form');
  return { asker: early ?? (await who(tokenOfPairs(form))), pairs: [...query, ...form], body: undefined };
}

async function known(token: string | null, tokens: Tokens): Promise<Asker> {
  if (token === null) throw unauthenticated('tisjwt is required for authentication.');
  return tokens.verify(token);
}
