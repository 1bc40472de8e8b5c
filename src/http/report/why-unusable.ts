import { z } from 'zod';
import { AppError } from '../../model/error.ts';
import type { Asker, ReportRequest } from '../../model/request.ts';
import { issueKey, oneOf } from '../parameter.ts';
import { columnParameters } from '../parameters/columns.ts';
import { columnsBy } from '../parameters/columns-by.ts';
import { fileParameters, queueParameters } from '../parameters/export.ts';
import { listParameters } from '../parameters/list.ts';
import { indexPaging } from '../parameters/paging.ts';
import { reportParameters } from '../parameters/report.ts';
import { readStatistic, statisticParameters } from '../parameters/statistic.ts';
import { checkParameters } from '../request/check.ts';
import type { Given } from '../request/collect-parameters.ts';
import { parameterNames } from '../request/parameter-names.ts';
import { outputTypes, savedParameters, withoutForeign } from '../request/saved-parameters.ts';
import { shown } from '../request/shown.ts';
import type { HttpParts } from '../route.ts';
import { checkDayLength } from './check-day-length.ts';
import { readList } from './read-list.ts';
import { readReport } from './read-report.ts';

type Parts = Pick<HttpParts, 'reporting' | 'settings' | 'now'>;

/** Whatever a set is used for, it may say how the answer is to look. */
const looks = {
  outputType: oneOf(outputTypes).optional(),
  pageSize: indexPaging.pageSize,
  ...fileParameters,
  ...queueParameters,
};
const visits = z.object({ columnsBy: columnsBy('visit'), ...reportParameters, ...looks });
const single = z.object({
  columnsBy: columnsBy('issue'),
  ...reportParameters,
  ...columnParameters,
  ...looks,
});
const list = z.object({ ...listParameters, ...looks });
const aggregation = z.object({ ...listParameters, ...statisticParameters, ...looks });

const everything = parameterNames(z.object({ issueKey, ...aggregation.shape }));
const alsoKnown = ['reporttype', 'paramsetid', 'startissueindex', 'nextpagetoken'];

/**
 * What a report with these saved parameters would be refused for; nothing where it would run. Parameters about one
 * issue need not name it: whoever uses them does.
 */
export async function whyUnusable(
  parameters: Readonly<Record<string, unknown>>,
  asker: Asker,
  parts: Parts,
): Promise<readonly string[]> {
  const saved = savedParameters(parameters, everything);
  const given = withoutForeign(saved, new Map(), everything, parts.reporting.reportTypes);
  const unknown = Object.keys(parameters).filter(
    (name) => !everything.canonical.has(name.toLowerCase()) && !alsoKnown.includes(name.toLowerCase()),
  );
  if (unknown.length > 0) {
    return unknown.slice(0, 20).map((name) => `'${shown(name)}' is not a parameter that a report takes.`);
  }
  try {
    const request = await readSaved(given, asker, parts);
    if (request !== null) await parts.reporting.check(request);
    return [];
  } catch (error) {
    if (!(error instanceof AppError) || !['bad-request', 'not-found'].includes(error.code)) throw error;
    return error.details.length === 0 ? [error.message] : error.details;
  }
}

/** Null where only the issue is missing. */
async function readSaved(given: Given, asker: Asker, parts: Parts): Promise<ReportRequest | null> {
  const { reportTypes } = parts.reporting;
  const type = given.get('columnsBy')?.trim().toLowerCase();
  const shape = reportTypes.find(({ id }) => id.toLowerCase() === type)?.shape ?? 'issue';
  const key = given.get('issueKey');
  if (shape === 'visit' || key !== undefined) {
    const asked = shape === 'visit' ? checkParameters(visits, given) : checkParameters(single, given);
    await checkDayLength(asked, asker, parts.settings);
    const keys = key === undefined ? [] : [key];
    const request = await readReport(asked, shape, asker, parts, () => ({ selection: { by: 'keys', keys } }));
    return key === undefined ? null : request;
  }
  if (!given.has('aggregationType')) {
    const asked = checkParameters(list, given);
    await checkDayLength(asked, asker, parts.settings);
    return readReport(asked, shape, asker, parts, readList(asked));
  }
  const asked = checkParameters(aggregation, given);
  await checkDayLength(asked, asker, parts.settings);
  return readReport(asked, shape, asker, parts, readList(asked, { statistic: readStatistic(asked) }));
}
