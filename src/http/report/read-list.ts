import type { z } from 'zod';
import type { ReportRequest } from '../../model/request.ts';
import { readDateRange, readSelection, type selectionParameters } from '../../parameters/selection.ts';
import type { ReadRest } from './read-report.ts';

type Asked = z.output<z.ZodObject<typeof selectionParameters>>;

/** The part of a request over many issues that says which they are, and what else its endpoint wants of them. */
export function readList(
  asked: Asked,
  rest: Partial<Pick<ReportRequest, 'statistic' | 'page'>> = {},
): ReadRest {
  return (timeZone) => ({
    selection: readSelection(asked),
    dateRange: readDateRange(asked, timeZone),
    ...rest,
  });
}
