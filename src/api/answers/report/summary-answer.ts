import { z } from 'zod';
import { durationStatistics, ms, statusOfWork, unknownMembers, type ValueOf } from '../document.ts';

/** Many issues: how long they took from start to done, and where the time went. */
export const summarySchema = z.object({
  issues: z.int(),
  historyKnown: z.int().meta({ description: 'Those of them whose history is known whole.' }),
  finished: z.int().meta({ description: 'Done, whether or not since when is known.' }),
  cycleTime: durationStatistics,
  percentile: z.object({ percent: z.number(), valueMs: ms }).nullable().meta({
    description: 'A percentile of the cycle times other than 50 and 85, where one was asked for in Slack.',
  }),
  noCycleTimeReasons: z
    .array(z.object({ reason: z.string(), count: z.int() }))
    .meta({ description: 'Why the other finished issues have no cycle time, and how many they are.' }),
  statuses: z.array(statusOfWork.extend(durationStatistics.shape)).meta({
    description: 'Whole time in each status that is not done, of the issues that were there.',
  }),
  ...unknownMembers,
});

/** The figures of many issues. */
export type ReportSummary = ValueOf<typeof summarySchema>;
/** A status, and the whole time in it of the issues that were there. */
export type SummaryStatus = ReportSummary['statuses'][number];
