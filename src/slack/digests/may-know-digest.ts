import { closedTo } from '../../api/access-rules.ts';
import type { Digest } from '../../model/digest.ts';
import { AppError } from '../../model/error.ts';
import { type Asker, ask, type ReportRequest } from '../../model/request.ts';
import type { DoorParts } from '../command.ts';
import { requestsOf } from '../questions/requests-of.ts';
import { digestAsker } from './digest-asker.ts';

/**
 * Whether somebody may know what a digest of somebody else's asks: they could ask it themselves, and see every project
 * of which it tells its owner. What cannot be found out counts as a no.
 */
export async function mayKnowDigest(
  { question, owner }: Pick<Digest, 'question' | 'owner'>,
  reader: Asker,
  parts: Pick<DoorParts, 'reporting' | 'people' | 'accounts' | 'log'>,
): Promise<boolean> {
  const { reporting } = parts;
  const requestsFor = (asker: Asker): readonly ReportRequest[] =>
    question.kind === 'issue'
      ? [ask({ asker, reportType: 'statusDuration', selection: { by: 'keys', keys: [question.key] } })]
      : requestsOf(question, asker);
  try {
    const asker = await digestAsker(owner, parts);
    const requests = asker === null ? [] : requestsFor(asker);
    if (requests.length === 0) return false;
    for (const request of requestsFor(reader)) await reporting.check(request);
    const isClosed = closedTo(await reporting.scope(reader));
    for (const request of requests) {
      const contents = await reporting.contents(request);
      if (contents === null || contents.withLevel !== 0) return false;
      if (contents.projects.some((key) => isClosed?.(key))) return false;
    }
    return true;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return false;
  }
}
