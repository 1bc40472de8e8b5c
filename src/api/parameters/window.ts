import type { z } from 'zod';
import { about, badRequest, badRequestAs } from '../../model/error.ts';
import type { Instant } from '../../model/issue.ts';
import type { ReportRequest } from '../../model/request.ts';
import { isoText } from '../../time/date-text.ts';
import { localTime } from './local-date.ts';
import { instant, text } from './parameter.ts';

/** The parameters that trim histories. */
export const windowParameters = {
  trimHistoryStartDate: text.optional().meta({
    description:
      'The history before this counts as if the issue had been created then: yyyy-MM-dd or yyyy-MM-dd HH:mm in the time zone of the user; a missing time is 00:00.',
  }),
  trimHistoryEndDate: text.optional().meta({
    description: 'The history from this on counts as if the issue had gone then; a missing time is 00:00.',
  }),
  asOf: instant.optional().meta({
    description: 'Answer as the world was at this instant (ISO 8601 with an offset, not in the future).',
  }),
};

type Input = z.output<z.ZodObject<typeof windowParameters>>;

/** The window of history, read in a zone, and the instant that is spoken of. */
export function readWindow(
  { trimHistoryStartDate: start, trimHistoryEndDate: end, asOf }: Input,
  { now, timeZone }: { readonly now: Instant; readonly timeZone: string },
): Pick<ReportRequest, 'asOf' | 'trim'> {
  if (asOf !== undefined && asOf > now) {
    throw badRequest(about('asOf', `'${isoText(asOf)}' is in the future. Try: any instant up to now.`));
  }
  const from = start === undefined ? null : localTime('trimHistoryStartDate', start, timeZone);
  const to = end === undefined ? null : localTime('trimHistoryEndDate', end, timeZone);
  if (from !== null && to !== null && to <= from) {
    throw badRequestAs(
      'conflicting-values',
      about('trimHistoryEndDate', `'${end}' is not after trimHistoryStartDate '${start}'.`),
    );
  }
  return { asOf: asOf ?? null, trim: { from, to } };
}
