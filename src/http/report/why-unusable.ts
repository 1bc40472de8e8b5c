import { z } from 'zod';
import { AppError } from '../../model/error.ts';
import type { Asker, ReportRequest } from '../../model/request.ts';
import { issueKey } from '../parameter.ts';
import { columnParameters } from '../parameters/columns.ts';
import { columnsBy } from '../parameters/columns-by.ts';
import { listParameters } from '../parameters/list.ts';
import { reportParameters } from '../parameters/report.ts';
import { readStatistic, statisticParameters } from '../parameters/statistic.ts';
import { checkParameters } from '../request/check.ts';
import type { Given } from '../request/collect-parameters.ts';
import { parameterNames } from '../request/parameter-names.ts';
import { savedParameters } from '../request/saved-parameters.ts';
import type { HttpParts } from '../route.ts';
import { checkDayLength } from './check-day-length.ts';
import { readList } from './read-list.ts';
import { readReport } from './read-report.ts';

type Parts = Pick<HttpParts, 'reporting' | 'settings' | 'now'>;

const visits = z.object({ columnsBy: columnsBy('visit'), ...reportParameters });
const single = z.object({ columnsBy: columnsBy('issue'), ...reportParameters, ...columnParameters });
const list = z.object(listParameters);
const aggregation = z.object({ ...listParameters, ...statisticParameters });

const everything = parameterNames(z.object({ issueKey, ...aggregation.shape }));

/**
 * What a report with these saved parameters would be refused for; nothing where it would run. Parameters about one
 * issue need not name it: whoever uses them does.
 */
export async function whyUnusable(
  parameters: Readonly<Record<string, unknown>>,
  asker: Asker,
  parts: Parts,
): Promise<readonly string[]> {
  const given = savedParameters(parameters, everything);
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
