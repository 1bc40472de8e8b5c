import { closedTo } from '../../issues/browse-scope.ts';
import type { Digest } from '../../model/digest.ts';
import { AppError } from '../../model/error.ts';
import type { Principal } from '../../model/principal.ts';
import { checksOf } from '../../questions/index.ts';
import type { SlackParts } from '../parts.ts';
import { digestPrincipal } from './digest-principal.ts';

/**
 * Whether somebody may know what a digest of somebody else's asks: they could ask it themselves, and see every project
 * of which it tells its owner. What cannot be found out counts as a no.
 */
export async function mayKnowDigest(
  { question, owner }: Pick<Digest, 'question' | 'owner'>,
  reader: Principal,
  parts: Pick<SlackParts, 'reporting' | 'people' | 'accounts' | 'log'>,
): Promise<boolean> {
  const { reporting } = parts;
  try {
    const principal = await digestPrincipal(owner, parts);
    const requests = principal === null ? [] : checksOf(question, principal);
    if (requests.length === 0) return false;
    for (const request of checksOf(question, reader)) await reporting.check(request);
    const isClosed = closedTo(await reporting.browseScope(reader));
    for (const request of requests) {
      const contents = await reporting.audienceScope(request);
      if (contents === null || contents.withLevel !== 0) return false;
      if (contents.projects.some((key) => isClosed?.(key))) return false;
    }
    return true;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return false;
  }
}
