import type { RawTextElement, TableBlock } from '@slack/types';
import { millisecondsInDay } from 'date-fns/constants';
import type { Logger } from 'pino';
import type { ExportsApi } from '../../api/exports/exports-api.ts';
import { shorten } from '../../block-kit/shorten.ts';
import { AppError } from '../../model/error.ts';
import type { ExportInput } from '../../model/export.ts';
import type { Column, Table } from '../../model/table.ts';
import { NEVER, tableRecords } from '../../output/table-records.ts';

/** A channel is for people: a glance must leave room for them. */
const ROWS = 5;
const COLUMNS = 8;
const TITLE_LENGTH = 40;
const CELL_LENGTH = 80;

/** A glance at a file. */
export interface Preview {
  readonly block: TableBlock;
  /** Lines shown, without the titles. */
  readonly lines: number;
  /** Columns of values shown, of how many. */
  readonly columns: number;
  readonly allColumns: number;
}

const unknownColumn: Column = { id: 'unknown', title: 'Unknown', kind: 'duration', part: 'value' };

/** The first rows: key, summary and the first columns of values; null where there is no row. */
export function previewTable(
  table: Table,
  { unit, formats }: Pick<ExportInput, 'unit' | 'formats'>,
): Preview | null {
  const { timeZone } = table.provenance;
  const { titles, lines } = tableRecords(table, {
    viewFormat: unit,
    dayMs: millisecondsInDay,
    timeZone,
    formats,
  });
  const known = table.columns.map((column, at) => ({ column, at }));
  const values = known.filter(({ column }) => column.part === 'value');
  // Where any history of the file is cut, time of which nothing is known must not be overlooked.
  const unknown = table.provenance.cutHistories > 0 ? [{ column: unknownColumn, at: known.length }] : [];
  const isTold = titles.length > known.length + 1;
  const headers = ['issuekey', 'summary'].flatMap(
    (id) => known.find(({ column }) => column.part === 'header' && column.id === id) ?? [],
  );
  const room = COLUMNS - headers.length - unknown.length;
  const shown = [...headers, ...values.slice(0, room), ...unknown];
  const first = Iterator.from(lines).take(ROWS).toArray();
  if (first.length === 0 || shown.length === 0) return null;
  return {
    block: {
      type: 'table',
      column_settings: shown.map(({ column }) =>
        isFigure(column) ? { align: 'right' } : { is_wrapped: true },
      ),
      rows: [
        shown.map(({ column, at }) =>
          cell(column === unknownColumn ? column.title : (titles[at] ?? ''), TITLE_LENGTH),
        ),
        ...first.map((texts) =>
          shown.map(({ column, at }) => {
            const text = column === unknownColumn && !isTold ? NEVER : (texts[at] ?? '');
            return cell(rounded(text, column), CELL_LENGTH);
          }),
        ),
      ],
    },
    lines: first.length,
    columns: shown.length - headers.length,
    allColumns: values.length + unknown.length,
  };
}

/** A cell without any character is refused. */
function cell(text: string, length: number): RawTextElement {
  return { type: 'raw_text', text: shorten(text, length) || ' ' };
}

function isFigure({ kind }: Column): boolean {
  return kind === 'duration' || kind === 'count';
}

const twoDecimals = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** The file has every digit; a glance needs two. What is more than nothing stays so. */
function rounded(text: string, { kind }: Column): string {
  const number = Number(text);
  if (kind !== 'duration' || text === NEVER || Number.isNaN(number)) return text;
  return number > 0 && number < 0.01 ? '<0.01' : twoDecimals.format(number);
}

/** More lines than a glance has room for are not asked for. */
const ISSUES = 5;

/** The first issues of a file; null where they cannot be told any more: the file is as good without. */
export async function firstRows(
  wish: ExportInput,
  { exports, log }: { readonly exports: Pick<ExportsApi, 'preview'>; readonly log: Logger },
): Promise<Table | null> {
  try {
    return await exports.preview(wish, ISSUES);
  } catch (error) {
    if (error instanceof AppError) log.warn({ err: error }, 'the first rows of an export cannot be told');
    else log.error({ err: error }, 'telling the first rows of an export failed');
    return null;
  }
}
