import { requestOfSaved } from '../../api/settings/request-of-saved.ts';
import { AppError } from '../../model/error.ts';
import type { SavedReport } from '../../model/parameter-set.ts';
import type { Principal } from '../../model/principal.ts';
import { shown } from '../../parameters/parameter.ts';
import { savedNames } from '../../parameters/saved-report.ts';
import type { HttpParts } from '../route.ts';

const alsoKnown = ['reporttype', 'paramsetid', 'startissueindex', 'nextpagetoken'];

/**
 * What a saved report would be refused for; nothing where it would run. A report about one issue need not name it: a request
 * that uses it does.
 */
export async function savedReportErrors(
  report: SavedReport,
  principal: Principal,
  parts: Pick<HttpParts, 'reporting' | 'settings' | 'now'>,
): Promise<readonly string[]> {
  const unknown = Object.keys(report.others ?? {}).filter(
    (name) => !savedNames.canonical.has(name.toLowerCase()) && !alsoKnown.includes(name.toLowerCase()),
  );
  if (unknown.length > 0) {
    return unknown.slice(0, 20).map((name) => `'${shown(name)}' is not a parameter that a report takes.`);
  }
  try {
    const request = await requestOfSaved(report, principal, parts);
    if (request !== null) await parts.reporting.check(request);
    return [];
  } catch (error) {
    if (!(error instanceof AppError) || !['bad-request', 'not-found'].includes(error.code)) throw error;
    return error.details.length === 0 ? [error.message] : error.details;
  }
}
