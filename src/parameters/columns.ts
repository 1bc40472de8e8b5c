import type { z } from 'zod';
import { multiVisitBehaviors, timePeriods } from '../model/request.ts';
import { consolidatedStatuses } from './consolidated-statuses.ts';
import { creditDelegates } from './credit-delegates.ts';
import { dbsMetrics } from './metrics.ts';
import { flag, oneOf, words } from './parameter.ts';

/** Which value columns a report over issues has, and what they count. */
export const columnParameters = {
  statuses: words.optional().meta({
    description:
      'Ids of the statuses to show as columns, in this order; in reports by assignee or group only the time in these statuses counts. Without it: every status met.',
  }),
  consolidatedStatuses,
  includeDeletedStatuses: flag
    .default(false)
    .meta({ description: 'Whether statuses that are gone from the tracker are columns, too.' }),
  multiVisitBehavior: oneOf(multiVisitBehaviors)
    .default('total')
    .meta({ description: 'With columnsBy statusDuration: which visits of a status count.' }),
  groups: words.optional().meta({
    description: 'With columnsBy groupDuration: ids or names of user groups. Without it: every group.',
  }),
  timePeriod: oneOf(timePeriods)
    .default('Month')
    .meta({ description: 'With the reports per time period: how long a period is.' }),
  dbsMetrics,
  creditDelegates,
  visitCounts: flag.default(false).meta({
    description: 'Accepted for clients that send it: JSON always tells the number of visits as count.',
  }),
  includeTransitionedByColumns: flag.default(false).meta({
    description:
      'Accepted for clients that send it: who made a transition is told by /rest/issue/expanded, always.',
  }),
};

/** The choice of columns, checked. */
export type AskedColumns = z.output<z.ZodObject<typeof columnParameters>>;
