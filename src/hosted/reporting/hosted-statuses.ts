import { z } from 'zod';
import type { Status } from '../../model/issue.ts';
import type { Principal } from '../../model/principal.ts';
import { ask } from '../../model/request.ts';
import { askedFor } from './aggregate.ts';
import { sum } from './count-issues.ts';
import { wholeList } from './list-pages.ts';
import { statusAnswer } from './report-answer.ts';
import type { TableSource } from './table-source.ts';
import { isNotThere, TookTooLong } from './tis-failures.ts';

/**
 * Every status of the service. Where it has no list of them, they are those that issues updated in the last ninety days
 * have met, looked for once an hour.
 */
export async function hostedStatuses(source: TableSource, principal: Principal): Promise<readonly Status[]> {
  const { client, learnt } = source;
  try {
    const told = await client.ask({ place: 'statuses' }, z.array(statusAnswer));
    learnt.meet(told);
    return told;
  } catch (failure) {
    if (!isNotThere(failure)) throw failure;
  }
  return learnt.statuses(() => lookFor(source, principal));
}

async function lookFor(source: TableSource, principal: Principal): Promise<readonly Status[]> {
  const request = ask({
    principal,
    reportType: 'statusCount',
    selection: { by: 'jql', jql: 'updated >= -90d' },
    includeDeletedStatuses: true,
  });
  const { statuses } = (await inTime(source, request)) ?? (await wholeList(source, request));
  return [...statuses.included, ...statuses.excluded, ...statuses.deleted];
}

async function inTime(source: TableSource, request: ReturnType<typeof ask>) {
  try {
    return await askedFor(source, request, sum);
  } catch (failure) {
    if (failure instanceof TookTooLong) return null;
    throw failure;
  }
}
