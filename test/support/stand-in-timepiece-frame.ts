import { millisecondsInHour } from 'date-fns/constants';
import { type CaseIssue, caseWorld } from './case-world.ts';
import {
  dateTimeText,
  type StandInParameters,
  shownField,
  standInFields,
} from './stand-in-timepiece-asked.ts';
import {
  counts,
  nameOf,
  type StandInFigure,
  type StandInQuestion,
  standInKinds,
} from './stand-in-timepiece-measures.ts';

const NEVER = '-';

/** A value column. */
interface ShownColumn {
  readonly id: string;
  readonly title: string;
}

/** Everything around the table; `met` are the statuses the issues were in. */
export function outer(asked: StandInParameters, question: StandInQuestion, met: readonly string[]) {
  const statuses = caseWorld.statuses.filter(({ id }) => met.includes(id));
  const told = (some: typeof statuses) =>
    some.map(({ id, name, deleted, category }) => ({
      id,
      name,
      deleted,
      statusCategory: { name: category },
    }));
  const { calendar, window } = question;
  return {
    dateFormat: 'dd/MMM/yy',
    dateTimeFormat: 'dd/MMM/yy h:mm a',
    timeZone: caseWorld.timeZone,
    locale: 'en_US',
    reportDate: dateTimeText(Date.parse(caseWorld.now)),
    version: '1.18.0.1',
    columnsBy: asked.columnsby,
    viewFormat: asked.viewformat ?? 'minutes',
    trimHistoryStartDate: window.from === null ? null : dateTimeText(window.from),
    trimHistoryEndDate: window.to === null ? null : dateTimeText(window.to),
    isComposite: /by(assignee|status|timeperiod)$/.test(question.columnsBy),
    isAggregationType: false,
    isOverall: false,
    isAverage: false,
    isSum: false,
    isMedian: false,
    isStddev: false,
    calendar:
      calendar === null
        ? { id: null, name: 'normalHours', timeZone: 'UTC', dailyWorkingHours: 24, is7x24Calendar: true }
        : {
            id: calendar.id,
            name: calendar.name,
            timeZone: calendar.timeZone,
            dailyWorkingHours: 7,
            is7x24Calendar: false,
          },
    includedStatuses: told(statuses.filter(({ id }) => counts(id, question))),
    excludedStatuses: told(statuses.filter(({ id, deleted }) => !deleted && !counts(id, question))),
    deletedStatuses: told(statuses.filter(({ deleted }) => deleted)),
  };
}

/** The titles of the columns, part by part. */
export function titles(
  groupBy: readonly string[],
  fields: readonly string[],
  columns: readonly ShownColumn[],
) {
  const titled = (ids: readonly string[]) => ids.map((id) => ({ id, value: standInFields[id] ?? id }));
  return {
    groupByColumns: titled(groupBy),
    fieldColumns: titled(fields),
    valueColumns: columns.map(({ id, title }) => ({ id, value: title, isConsolidated: false })),
  };
}

/** What an issue has in some fields. */
export function fieldCells(issue: CaseIssue, fields: readonly string[]) {
  return fields.map((id) => ({ id, value: shownField(issue, id) ?? NEVER }));
}

/** The columns that any of the issues has met, statuses in the order asked for, or in the tracker's. */
export function columnsOf(all: readonly StandInFigure[][], question: StandInQuestion): ShownColumn[] {
  const { columnsBy, statuses, metrics } = question;
  if (columnsBy === 'durationbetweenstatuses') return metrics.map(({ name }) => ({ id: name, title: name }));
  const met: StandInFigure[] = [];
  for (const figures of all) {
    for (const figure of figures) {
      const known = met.some(({ id }) => id === figure.id);
      if (!known && figure.statuses.every((id) => counts(id, question))) met.push(figure);
    }
  }
  const oneStatus = /^status(duration|count)$|transition(to|from)/.test(columnsBy);
  if (!oneStatus) return met;
  const order = statuses ?? caseWorld.statuses.map(({ id }) => id);
  return order
    .filter((id) => statuses !== null || met.some((one) => one.id === id))
    .map((id) => ({ id, title: nameOf('status', id) }));
}

/** A figure as text, with what is behind it; "-" alone where there is none. */
export function cell(
  id: string,
  figure: Pick<StandInFigure, 'value' | 'visits'> | undefined,
  { columnsBy, calendar }: StandInQuestion,
  { viewformat = 'minutes', daylength = '24HourDays' }: StandInParameters,
): { id: string; value: string; raw?: string; count?: string } {
  if (figure === undefined) return { id, value: NEVER };
  const { value, visits } = figure;
  const kind = standInKinds[columnsBy];
  if (kind === 'instant') return { id, value: dateTimeText(value) };
  if (kind === 'count') return { id, value: String(value), raw: String(value), count: String(visits) };
  const dayHours = calendar !== null && daylength.toLowerCase() === 'businessdays' ? 7 : 24;
  const units: Readonly<Record<string, number>> = {
    seconds: 1000,
    minutes: millisecondsInHour / 60,
    hours: millisecondsInHour,
    days: dayHours * millisecondsInHour,
  };
  const inUnit = value / (units[viewformat.toLowerCase()] ?? millisecondsInHour / 60);
  const text = inUnit.toFixed(10).replace(/\.?0+$/, '');
  const raw = String(Math.round(value));
  return visits === 0 ? { id, value: text, raw } : { id, value: text, raw, count: String(visits) };
}

/** The columns between statuses: the metric's name is their title, or their id as well; or they are others. */
export type StandInMetricColumns = 'titled' | 'named' | 'others';

interface MetricTable {
  readonly table: {
    readonly header: { readonly valueColumns: readonly { readonly id: string; readonly value: string }[] };
    readonly body: {
      readonly rows: readonly { readonly valueColumns: readonly { readonly id: string }[] }[];
    };
  };
}

/** A report between statuses with the ids and titles that its columns have. */
export function withMetricColumns<Body extends MetricTable>(body: Body, columns: StandInMetricColumns) {
  if (columns === 'named') return body;
  const { header, body: lines } = body.table;
  const ids = new Map(header.valueColumns.map(({ id }, i) => [id, String(4001 + i)]));
  const renamed = <Column extends { readonly id: string }>(column: Column) => ({
    ...column,
    id: ids.get(column.id) ?? column.id,
  });
  const valueColumns = header.valueColumns.map((column, i) => ({
    ...renamed(column),
    ...(columns === 'titled' ? {} : { value: `Other ${i + 1}` }),
  }));
  if (columns === 'others') valueColumns.splice(1);
  const rows = lines.rows.map((row) => ({ ...row, valueColumns: row.valueColumns.map(renamed) }));
  return { ...body, table: { header: { ...header, valueColumns }, body: { rows } } };
}
