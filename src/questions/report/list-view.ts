import { percentText } from '../../block-kit/mrkdwn.ts';
import { shorten } from '../../block-kit/shorten.ts';
import { type Column, cellIn, cellOf, type Table } from '../../model/table.ts';
import { durationWords } from '../../output/duration-text.ts';
import type { Sheet } from '../view/answer-sheet.ts';
import { dayMsOf } from '../view/day-length.ts';
import { isDoneColumn } from '../view/done-left-out.ts';
import {
  type FigureCell,
  type FigureColumn,
  figureTable,
  glanceColumns,
  sumOf,
} from '../view/figure-table.ts';
import { countOf, countWords, valueText } from '../view/figure-words.ts';
import { say, type Wording } from '../view/wording.ts';
import type { ReportParts } from './report-view.ts';

/** Visits of an issue are lines of their own; no more than these are told. */
const LINES = 30;
const NAME_LENGTH = 80;

/** A list: the issues of this part, each with the columns that hold most. */
export function listView({
  table,
  which,
}: ReportParts): Pick<Sheet, 'headline' | 'chart' | 'table' | 'remarks' | 'page'> {
  const { page, issues } = table;
  const total = page?.total ?? issues.length;
  const { values, more } = glanceColumns(table);
  const left = table.rows.length - LINES;
  return {
    headline: say((wording) =>
      total === 0
        ? `${wording.strong('No issue')}${which(wording)}. Choose a longer time or other issues, and ask again.`
        : `${wording.strong(countOf(total, 'issue'))}${which(wording)}.${mostText(table, total)(wording)}`,
    ),
    chart: null,
    table: figureTable(...linesOf(table, values)),
    remarks: [
      ...(left > 0 ? [say(() => `${countOf(left, 'line')} more; the export has them all.`)] : []),
      ...(more > 0 && issues.length > 0
        ? [say(() => `${countOf(more, 'more column')} with less in them; the export has them all.`)]
        : []),
    ],
    page: page === null ? null : { start: page.start, end: page.start + issues.length, total },
  };
}

/** Where most of the time of the issues shown went. */
function mostText({ columns, rows, issues, statuses }: Table, total: number): (wording: Wording) => string {
  const durations = columns.filter(
    (column) => column.part === 'value' && column.kind === 'duration' && !isDoneColumn(column, statuses),
  );
  const [longest] = durations.toSorted((a, b) => sumOf(rows, b) - sumOf(rows, a));
  if (longest === undefined || durations.length < 2 || sumOf(rows, longest) === 0) return () => '';
  const share = sumOf(rows, longest) / durations.reduce((sum, column) => sum + sumOf(rows, column), 0);
  const hasDone = columns.some((column) => isDoneColumn(column, statuses));
  const of = issues.length < total ? `Of the ${countWords(issues.length)} shown, ` : '';
  return ({ strong, words }) =>
    ` ${of}${of === '' ? 'M' : 'm'}ost time went into ${strong(shorten(longest.title, NAME_LENGTH))}: ${words(percentText(share))}${hasDone ? ' of the time before they were done' : ''}.`;
}

function linesOf(table: Table, values: readonly Column[]): [FigureColumn[], FigureCell[][]] {
  const { issues, rows, provenance } = table;
  const words = { dayMs: dayMsOf(provenance.calendar), timeZone: provenance.timeZone };
  const { fields } = glanceColumns(table);
  const hasUnknown = issues.some(({ unknown }) => unknown !== null);
  const linesBy = Map.groupBy(rows, ({ issueKey }) => issueKey);
  const lines = issues.flatMap((issue) =>
    (linesBy.get(issue.key) ?? [{ own: issue.cells, cells: {} }]).map((line) => [
      { text: issue.key, link: issue.link },
      { text: String(cellOf(issue.cells, 'summary')?.value ?? '') },
      ...[...fields, ...values].map((column) => ({ text: valueText(column, cellIn(line, column), words) })),
      ...(hasUnknown
        ? [{ text: issue.unknown === null ? '' : durationWords(issue.unknown.ms, words.dayMs) }]
        : []),
    ]),
  );
  return [
    [
      { title: 'Issue', holds: 'name' },
      { title: 'Summary', holds: 'text' },
      ...[...fields, ...values].map(columnOf),
      ...(hasUnknown ? [columnOf({ title: 'Unknown', kind: 'duration' })] : []),
    ],
    lines.slice(0, LINES),
  ];
}

function columnOf({ title, kind }: Pick<Column, 'title' | 'kind'>): FigureColumn {
  return { title, holds: kind === 'duration' || kind === 'count' ? 'figure' : 'name' };
}
