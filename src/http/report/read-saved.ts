import { z } from 'zod';
import type { Principal } from '../../model/principal.ts';
import type { ReportRequest } from '../../model/request.ts';
import { issueKey, oneOf } from '../parameter.ts';
import { columnParameters } from '../parameters/columns.ts';
import { columnsBy } from '../parameters/columns-by.ts';
import { fileParameters, queueParameters } from '../parameters/export.ts';
import { listParameters } from '../parameters/list.ts';
import { indexPaging } from '../parameters/paging.ts';
import { reportParameters } from '../parameters/report.ts';
import { readStatistic, statisticParameters } from '../parameters/statistic.ts';
import { checkParameters } from '../request/check.ts';
import { parameterNames } from '../request/parameter-names.ts';
import { outputTypes, savedParameters, withoutForeign } from '../request/saved-parameters.ts';
import type { HttpParts } from '../route.ts';
import { checkDayLength } from './check-day-length.ts';
import { readList } from './read-list.ts';
import { readReport } from './read-report.ts';

type Parts = Pick<HttpParts, 'reporting' | 'settings' | 'now'>;

/** Whatever a set is used for, it may say how the answer is to look. */
const looks = {
  outputType: oneOf(outputTypes, { tableList: 'JSON', table: 'JSON' }).optional(),
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

/** Every name a saved configuration may hold. */
export const everything = parameterNames(z.object({ issueKey, ...aggregation.shape }));
/** The request behind a saved configuration; null where only the issue is missing. */
export async function readSaved(
  parameters: Readonly<Record<string, unknown>>,
  principal: Principal,
  parts: Parts,
): Promise<ReportRequest | null> {
  const { reportTypes } = parts.reporting;
  const given = withoutForeign(savedParameters(parameters, everything), new Map(), everything, reportTypes);
  const type = given.get('columnsBy')?.trim().toLowerCase();
  const shape = reportTypes.find(({ id }) => id.toLowerCase() === type)?.shape ?? 'issue';
  const key = given.get('issueKey');
  if (shape === 'visit' || key !== undefined) {
    const asked = shape === 'visit' ? checkParameters(visits, given) : checkParameters(single, given);
    await checkDayLength(asked, principal, parts.settings);
    const keys = key === undefined ? [] : [key];
    const request = await readReport(asked, shape, principal, parts, () => ({
      selection: { by: 'keys', keys },
    }));
    return key === undefined ? null : request;
  }
  if (!given.has('aggregationType')) {
    const asked = checkParameters(list, given);
    await checkDayLength(asked, principal, parts.settings);
    return readReport(asked, shape, principal, parts, readList(asked));
  }
  const asked = checkParameters(aggregation, given);
  await checkDayLength(asked, principal, parts.settings);
  return readReport(asked, shape, principal, parts, readList(asked, { statistic: readStatistic(asked) }));
}
