import { measurerOf } from '../../src/engine/measure/measure-issue.ts';
import type { MeasureContext, Measured, ReportType } from '../../src/engine/reports/measuring/report-type.ts';
import type { Issue } from '../../src/model/issue.ts';
import { normalHours } from '../../src/time/calendar.ts';

/** A context in which nothing special is asked for, as of an ISO instant. */
export function asked(at: string, choices: Partial<MeasureContext> = {}): MeasureContext {
  return {
    asOf: Date.parse(at),
    trim: { from: null, to: null },
    calendar: normalHours,
    timeZone: 'UTC',
    multiVisitBehavior: 'total',
    historyFields: [],
    consolidated: [],
    countsStatus: () => true,
    groupsOf: () => [],
    delegateTimes: () => [],
    periods: [],
    metrics: [],
    nameOf: (_issue, _field, value) => value.name,
    categoryOf: () => 'Undefined',
    userName: () => null,
    ...choices,
  };
}

/** What a report makes of one issue, where no list of statuses speaks of its site. */
export function measureOf(report: ReportType, issue: Issue, context: MeasureContext): Measured {
  return measurerOf(report, context, new Map())(issue);
}

/** One issue's line of a report: the raw values by column title. */
export function lineOf(report: ReportType, issue: Issue, context: MeasureContext): Record<string, unknown> {
  const { columns, lines } = measureOf(report, issue, context);
  return Object.fromEntries(columns.map(({ id, title }) => [title, lines[0]?.[id]?.value]));
}

/** Likewise how many visits each value is made of. */
export function visitsIn(report: ReportType, issue: Issue, context: MeasureContext): Record<string, unknown> {
  const { columns, lines } = measureOf(report, issue, context);
  return Object.fromEntries(columns.map(({ id, title }) => [title, lines[0]?.[id]?.visits]));
}
