import { AppError, sentencesOf } from '../../model/error.ts';
import type { Principal } from '../../model/principal.ts';
import { shown } from '../request/shown.ts';
import type { HttpParts } from '../route.ts';
import { everything, readSaved } from './read-saved.ts';

type Parts = Pick<HttpParts, 'reporting' | 'settings' | 'now'>;

const alsoKnown = ['reporttype', 'paramsetid', 'startissueindex', 'nextpagetoken'];

/**
 * What a report with these saved parameters would be refused for; nothing where it would run. Parameters about one
 * issue need not name it: whoever uses them does.
 */
export async function whyUnusable(
  parameters: Readonly<Record<string, unknown>>,
  principal: Principal,
  parts: Parts,
): Promise<readonly string[]> {
  const unknown = Object.keys(parameters).filter(
    (name) => !everything.canonical.has(name.toLowerCase()) && !alsoKnown.includes(name.toLowerCase()),
  );
  if (unknown.length > 0) {
    return unknown.slice(0, 20).map((name) => `'${shown(name)}' is not a parameter that a report takes.`);
  }
  try {
    const request = await readSaved(parameters, principal, parts);
    if (request !== null) await parts.reporting.check(request);
    return [];
  } catch (error) {
    if (!(error instanceof AppError) || !['bad-request', 'not-found'].includes(error.code)) throw error;
    return sentencesOf(error);
  }
}
