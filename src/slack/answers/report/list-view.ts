import { type Column, cellIn, cellOf, type Table } from '../../../model/table.ts';
import { countOf, fieldText, valueCell } from '../../../output/figure-words.ts';
import { durationWords, shorten } from '../../../output/readable-text.ts';
import { percentText } from '../../../output/shares.ts';
import { dayMsOf, type Wording } from '../../../output/wording.ts';
import {
  cappedTable,
  type FigureColumn,
  type FigureParts,
  glanceColumns,
  startedColumns,
  sumOf,
  type TableParts,
} from '../view/figures-drawn.ts';
import { say } from '../view/marked-wording.ts';
import type { ReportParts } from './statistic-view.ts';

const NAME_LENGTH = 80;
const VALUES = 4;
/** A longer summary takes a second line. */
const SUMMARY_LENGTH = 34;

/** A list: the issues of this part, each with the columns that hold most. */
export function listView({ table, subject }: ReportParts): FigureParts {
  const { page, issues } = table;
  const total = page?.total ?? issues.length;
  const { more } = glanceColumns(table, VALUES);
  const { remarks, ...lines } = linesOf(table);
  return {
    headline: say((wording) =>
      [
        wording.bold(subject(wording)),
        total === 0
          ? 'Choose a longer time or other issues, and ask again.'
          : mostText(table, total, wording),
      ]
        .filter((line) => line !== '')
        .join('\n'),
    ),
    ...lines,
    remarks: [
      ...remarks,
      ...(more > 0 && issues.length > 0 ? [say(() => `${countOf(more, 'more column')} in the export.`)] : []),
    ],
    page: page === null ? null : { start: page.start, end: page.start + issues.length, total },
  };
}

function mostText(
  { columns, rows, issues, statuses }: Table,
  total: number,
  { strong, words }: Wording,
): string {
  const durations = startedColumns(
    columns.filter(({ part, kind }) => part === 'value' && kind === 'duration'),
    statuses,
  );
  const [longest] = durations.toSorted((a, b) => sumOf(rows, b) - sumOf(rows, a));
  if (longest === undefined || durations.length < 2 || sumOf(rows, longest) === 0) return '';
  const share = sumOf(rows, longest) / durations.reduce((sum, column) => sum + sumOf(rows, column), 0);
  const of = issues.length < total ? ' of those shown' : '';
  return `${strong(shorten(longest.title, NAME_LENGTH))} is where most time${of} goes (${words(percentText(share))}).`;
}

function linesOf(table: Table): TableParts {
  const { issues, rows, provenance } = table;
  const words = { dayMs: dayMsOf(provenance.calendar), timeZone: provenance.timeZone };
  const { fields, values } = glanceColumns(table, VALUES);
  const hasUnknown = issues.some(({ unknown }) => unknown !== null);
  const linesBy = Map.groupBy(rows, ({ issueKey }) => issueKey);
  const lines = issues.flatMap((issue) =>
    (linesBy.get(issue.key) ?? [{ own: issue.cells, cells: {} }]).map((line) => [
      { text: issue.key, link: issue.link },
      { text: shorten(String(cellOf(issue.cells, 'summary')?.value ?? ''), SUMMARY_LENGTH) },
      ...fields.map((column) => ({ text: fieldText(column, cellIn(line, column), words) })),
      ...values.map((column) => valueCell(column, cellIn(line, column), words)),
      ...(hasUnknown
        ? [{ text: issue.unknown === null ? '' : durationWords(issue.unknown.ms, words.dayMs) }]
        : []),
    ]),
  );
  return cappedTable({
    columns: [
      { title: 'Issue', holds: 'name' },
      { title: 'Summary', holds: 'name' },
      ...[...fields, ...values].map(columnOf),
      ...(hasUnknown ? [columnOf({ title: 'Unknown', kind: 'duration' })] : []),
    ],
    rows: lines,
    what: 'lines',
  });
}

function columnOf({ title, kind }: Pick<Column, 'title' | 'kind'>): FigureColumn {
  return { title, holds: kind === 'duration' || kind === 'count' ? 'figure' : 'name' };
}
