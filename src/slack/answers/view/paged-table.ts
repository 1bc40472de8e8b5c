import type { RawNumberElement, RawTextElement, RichTextBlock } from '@slack/types';
import { type Chart, nativeChart } from '../../../output/charts/chart.ts';
import type { Message, MessageBlock } from '../../blocks/message.ts';
import { context, escapeMrkdwn } from '../../blocks/mrkdwn.ts';
import type { AnswerTable, DetailTable } from './answer-sheet.ts';

/** Rows of a table on one page: as many as can be seen without scrolling. */
export const PAGE_ROWS = 10;
/** The same below a picture. */
export const PAGE_ROWS_BELOW_CHART = 5;

/** The cells of a table without its heading: those with a `value` are sorted by it, others by their text. */
type SortedCells = readonly (readonly { readonly value?: number | null }[])[];

/** A table with more rows than fit on a page as one that is sorted, searched and paged through; a smaller one as it is. */
export function pagedTable(
  { block, text }: AnswerTable,
  cells: SortedCells,
  { caption, pageRows }: { readonly caption: string; readonly pageRows: number },
): DetailTable {
  const [heading, ...rows] = block.rows;
  if (heading === undefined || rows.length <= pageRows) return { block, text };
  const sorted = rows.map((row, i) => row.map((cell, column) => sortedCell(cell, cells[i]?.[column]?.value)));
  return { block: { type: 'data_table', caption, page_size: pageRows, rows: [heading, ...sorted] }, text };
}

type TableCell = RawTextElement | RawNumberElement | RichTextBlock;

function sortedCell(cell: TableCell, value: number | null | undefined): TableCell {
  return cell.type === 'raw_text' && typeof value === 'number'
    ? { type: 'raw_number', value, text: cell.text }
    : cell;
}

/**
 * The message behind *Details* of an answer whose table leaves no room for its picture: the picture, all rows where
 * some were left out, and what the figures mean (mrkdwn).
 */
export function chartDetail(
  chart: Chart | null,
  table: DetailTable | null,
  meaning: string,
): readonly Message[] {
  const drawn = chart === null ? null : nativeChart(chart);
  if (drawn === null && table === null) return [];
  const blocks: MessageBlock[] = [
    ...(drawn === null ? [] : [drawn]),
    ...(table === null ? [] : [table.block]),
    context(meaning),
  ];
  const text = [
    ...(chart === null ? [] : [chart.alt]),
    ...(table === null ? [] : [`${table.text}.`]),
    meaning,
  ];
  return [{ text: escapeMrkdwn(text.join(' ')), blocks }];
}
