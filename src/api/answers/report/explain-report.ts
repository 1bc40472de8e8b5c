import { eachCombination } from '../../../engine/measure/collect-groups.ts';
import { reports } from '../../../engine/reports/index.ts';
import type { ExplainedPart, Explanation, FigureChoice } from '../../../model/answer.ts';
import type { ReportRequest } from '../../../model/request.ts';
import { type Cells, type Column, cellOf, type Table } from '../../../model/table.ts';
import { numberIn } from '../../outcomes/read-table.ts';
import type { ReportingApi } from '../../reporting/reporting-api.ts';
import { issueParts, sharesOf, visitParts, withoutShare } from '../why/explain-parts.ts';
import {
  compose,
  type FigureName,
  figureId,
  partOf,
  type Reasons,
  reportRules,
  shortName,
  statisticRule,
  sumOf,
  unknownFigure,
} from '../why/explanation.ts';

/** The figures of a report: of a list each column and each issue's line, of a statistic each figure. */
export function reportFigures(table: Table): readonly FigureChoice[] {
  const columns = figureColumns(table);
  if (table.statistic !== null) {
    const groups = groupColumns(table);
    return table.rows.flatMap(({ own, cells }) =>
      columns
        .filter(({ id }) => cellOf(cells, id) !== undefined)
        .map(({ id, title }) => ({
          id: figureId('cell', groupName(own, groups), shortName(id)),
          title: cellTitle(title, own, groups),
        })),
    );
  }
  return [
    ...columns.map(({ id, title }) => ({
      id: figureId('column', shortName(id)),
      title: `${title}, all issues together`,
    })),
    ...(hasLineSums(table, columns)
      ? sharesOf(table, columns)
          .filter(({ value }) => value !== null)
          .map(({ facts: { key } }) => ({ id: figureId('issue', key), title: `All of ${key}` }))
      : []),
  ];
}

/** Explains a figure of a report by the issues, or visits, it is made of; `request` is that of the report. */
export async function explainReport(
  figure: FigureName,
  request: ReportRequest,
  reporting: ReportingApi,
): Promise<Explanation> {
  const whole: ReportRequest = { ...request, page: null };
  const { kind, words } = figure;
  if (whole.statistic !== null) {
    if (kind !== 'cell') throw unknownFigure();
    return explainCell(words, whole, whole.statistic, reporting);
  }
  if (kind === 'column') return explainColumn(words, whole, reporting);
  if (kind !== 'issue') throw unknownFigure();
  const key = words.join(':');
  // Alone, a line is what it is in the list; and a person who cannot see the issue learns so.
  const table = await reporting.report({ ...whole, selection: { by: 'keys', keys: [key] }, dateRange: null });
  const columns = figureColumns(table);
  if (!hasLineSums(table, columns)) throw unknownFigure();
  return explainLine(table, columns, whole, reporting);
}

async function explainColumn(
  [name]: readonly string[],
  whole: ReportRequest,
  reporting: ReportingApi,
): Promise<Explanation> {
  const table = await reporting.report(whole);
  const column = figureColumns(table).find(({ id }) => shortName(id) === name);
  if (column === undefined) throw unknownFigure();
  const shares = sharesOf(table, [column]);
  const values = shares.flatMap(({ value }) => value ?? []);
  return compose({
    title: `${column.title}, all issues together`,
    value: values.length === 0 ? null : figureOf(column, sumOf(values)),
    rules: [
      `Sum of all ${shares.length} issues of the list, not only those shown.`,
      ...reportRules(whole, table),
    ],
    ...partsOf(shares, column),
    adds: true,
    denominator: { counted: values.length, of: shares.length },
    provenance: table.provenance,
  });
}

async function explainCell(
  [group, name]: readonly string[],
  whole: ReportRequest,
  statistic: NonNullable<ReportRequest['statistic']>,
  reporting: ReportingApi,
): Promise<Explanation> {
  const [figures, list] = await Promise.all([
    reporting.report(whole),
    reporting.report({ ...whole, statistic: null }),
  ]);
  const groups = groupColumns(figures);
  const column = figureColumns(figures).find(({ id }) => shortName(id) === name);
  const row = figures.rows.find(({ own }) => groupName(own, groups) === group);
  const value = column && row && numberIn(row.cells, column.id);
  if (column === undefined || row === undefined || typeof value !== 'number') throw unknownFigure();
  const shares = sharesOf(list, [column]).filter(({ facts }) =>
    eachCombination(facts.cells, groups).some((own) => groupName(own, groups) === group),
  );
  const having = shares.filter((share) => share.value !== null);
  const isZero = ({ facts, value: share }: (typeof shares)[number]) =>
    share === null && facts.unknown === null;
  const zeros = countsZeros(statistic) ? shares.filter(isZero) : [];
  return compose({
    title: cellTitle(column.title, row.own, groups),
    value: figureOf(column, value),
    rules: [statisticRule(statistic), ...reportRules(whole, list)],
    ...partsOf(shares, column),
    excluded: withoutShare(shares.filter((share) => !zeros.includes(share))),
    adds: statistic.type === 'sum',
    denominator: { counted: having.length + zeros.length, of: shares.length },
    provenance: figures.provenance,
  });
}

/** A statistic counts issues without a value as 0; others leave them out. */
function countsZeros({ type, denominator }: NonNullable<ReportRequest['statistic']>): boolean {
  return denominator === 'all' && (type === 'average' || type === 'standardDeviation');
}

function partsOf(shares: ReturnType<typeof sharesOf>, column: Column): Pick<Reasons, 'parts' | 'excluded'> {
  return {
    parts: issueParts(shares, column.kind),
    excluded: withoutShare(shares.filter(({ facts }) => facts.unknown !== null)),
  };
}

function figureOf({ kind }: Column, value: number): Explanation['value'] {
  return { kind: kind === 'duration' ? 'duration' : 'count', value };
}

/** Dates have no sum. */
function figureColumns({ columns }: Table): readonly Column[] {
  return columns.filter(({ part, kind }) => part === 'value' && (kind === 'duration' || kind === 'count'));
}

function groupColumns({ columns }: Table): readonly Column[] {
  return columns.filter(({ part }) => part === 'group');
}

function cellTitle(column: string, own: Cells, groups: readonly Column[]): string {
  return [column, ...groups.map(({ id }) => cellOf(own, id)?.value ?? '(none)')].join(' · ');
}

/** By id where there is one: people and values are renamed. */
function groupName(own: Cells, groups: readonly Column[]): string {
  const identities = groups.map(({ id }) => {
    const cell = cellOf(own, id);
    return cell === undefined ? null : (cell.id ?? [cell.value]);
  });
  return shortName(JSON.stringify(identities));
}

/** A line has a sum where it is one figure, or where its report type divides the time, or the visits, of an issue. */
function hasLineSums({ provenance }: Table, columns: readonly Column[]): boolean {
  const sharesOut = reports.some(({ id, sharesOut: own }) => id === provenance.reportType && own);
  return columns.length === 1 || (columns.length > 0 && sharesOut);
}

/** The parts of the line of one issue: its visits where they add up to it, else its columns. */
async function explainLine(
  table: Table,
  columns: readonly Column[],
  { principal, calendar, asOf, trim, ...request }: ReportRequest,
  reporting: ReportingApi,
): Promise<Explanation> {
  const [facts] = table.issues;
  const [first] = columns;
  if (facts === undefined || first === undefined) throw unknownFigure();
  const cells = table.rows.flatMap((row) =>
    columns.flatMap((column) => {
      const value = numberIn(row.cells, column.id);
      return value === null ? [] : [{ column, value }];
    }),
  );
  const total = sumOf(cells.map(({ value }) => value));
  const isTime = first.kind === 'duration';
  const shown = new Set(columns.map(({ id }) => id));
  const byVisit = isTime
    ? (await visitParts({ principal, calendar, asOf, trim, key: facts.key }, reporting)).visits
        .filter(({ statusId }) => statusId !== null && shown.has(statusId))
        .map(({ part }) => part)
    : [];
  const addsUp = byVisit.length > 0 && sumOf(byVisit.map(({ countedMs }) => countedMs ?? 0)) === total;
  const byColumn = cells.map(({ column, value }): ExplainedPart => {
    const share = isTime ? { countedMs: value } : { note: `counts ${value}` };
    return partOf({ label: column.title, ...share });
  });
  return compose({
    title: `All of ${facts.key}`,
    value: cells.length === 0 ? null : figureOf(first, total),
    rules: [
      "It is the sum of the values in the issue's row.",
      ...reportRules({ principal, calendar, asOf, trim, ...request }, table),
    ],
    parts: addsUp ? byVisit : byColumn,
    adds: true,
    provenance: table.provenance,
  });
}
