import type { Instant } from '../../model/issue.ts';
import { selectionParametersOf } from '../../parameters/saved-report.ts';
import { nineWeeks, type WeeklyQuestion } from '../../questions/weekly/nine-weeks.ts';
import { isoText } from '../../time/iso-dates.ts';

/** Where REST tells the figures of a week as CSV, as of the same instant and in hours; there is no secret in it. */
export function weeklyAddress(
  { selection, week, calendar, timeZone }: WeeklyQuestion,
  asOf: Instant,
  baseUrl: string,
): string {
  const parameters = new URLSearchParams({
    ...selectionParametersOf(selection),
    week: nineWeeks(week, { asOf, timeZone }).week.id,
    calendar,
    timeZone,
    asOf: isoText(asOf),
    viewFormat: 'hours',
    outputType: 'csv',
  });
  return `${baseUrl}/rest/issues/weekly?${parameters}`;
}
