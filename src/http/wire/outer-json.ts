import { millisecondsInHour } from 'date-fns/constants';
import type { Instant, Status } from '../../model/issue.ts';
import type { Statistic } from '../../model/request.ts';
import type { Table } from '../../model/table.ts';
import { dateText, isoText } from '../../time/date-text.ts';
import type { ReportFrame } from './report-frame.ts';

/** Everything around the table: how it was asked, with which calendar, and how far the answer can be trusted. */
export function outerJson(table: Table, { wording, version }: ReportFrame) {
  const { statuses, provenance, statistic } = table;
  const { calendar, trim, timeZone, asOf, askedAt, dataAsOf, creditedCategories } = provenance;
  const inZone = (at: Instant | null) =>
    at === null ? null : dateText(at, wording.formats.dateTimeFormat, timeZone);
  return {
    dateFormat: wording.formats.dateFormat,
    dateTimeFormat: wording.formats.dateTimeFormat,
    timeZone,
    locale: 'en_US',
    reportDate: inZone(asOf),
    version,
    columnsBy: provenance.reportType,
    viewFormat: wording.viewFormat,
    trimHistoryStartDate: inZone(trim.from),
    trimHistoryEndDate: inZone(trim.to),
    isComposite: table.composite,
    isAggregationType: statistic !== null,
    isOverall: statistic !== null && table.columns.every((column) => column.part !== 'group'),
    isAverage: statistic?.type === 'average',
    isSum: statistic?.type === 'sum',
    isMedian: statistic?.type === 'median',
    isStddev: statistic?.type === 'standardDeviation',
    ...(statistic === null ? {} : statisticJson(statistic)),
    calendar: {
      id: calendar.id,
      name: calendar.name,
      timeZone: calendar.timeZone,
      dailyWorkingHours: calendar.dailyMs / millisecondsInHour,
      is7x24Calendar: calendar.continuous,
    },
    includedStatuses: statuses.included.map(statusJson),
    excludedStatuses: statuses.excluded.map(statusJson),
    deletedStatuses: statuses.deleted.map(statusJson),
    asOf: isoText(asOf),
    askedAt: isoText(askedAt),
    dataAsOf: dataAsOf === null ? null : isoText(dataAsOf),
    complete: provenance.complete,
    cutHistories: provenance.cutHistories,
    undecided: provenance.undecided,
    ...unaskedJson(provenance),
    ...notesJson(provenance),
    ...(creditedCategories === undefined ? {} : { creditedCategories }),
  };
}

/** Issues left out because nobody could tell whether the principal may see them; nothing where there are none. */
export function unaskedJson({ unasked = 0 }: Pick<Table['provenance'], 'unasked'>) {
  return unasked === 0 ? {} : { unaskedIssues: unasked };
}

/** What is to be said of the answer; nothing where that is nothing. */
export function notesJson({ notes = [] }: Pick<Table['provenance'], 'notes'>) {
  return notes.length === 0 ? {} : { notes };
}

/** The choices behind a statistic, as far as they matter to it. */
function statisticJson({ type, percentile, denominator, deviation }: Statistic) {
  const divides = type === 'average' || type === 'standardDeviation';
  return {
    aggregationType: type,
    ...(type === 'percentile' ? { percentile } : {}),
    ...(divides ? { averageDenominator: denominator } : {}),
    ...(type === 'standardDeviation' ? { stddevType: deviation } : {}),
  };
}

/** A workflow status on the wire. */
export function statusJson({ id, name, deleted, category, scope }: Status) {
  return {
    id,
    name,
    deleted,
    statusCategory: { name: category },
    ...(scope === undefined ? {} : { scopeProjectKey: scope }),
  };
}
