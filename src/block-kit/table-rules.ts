import { limits } from './limits.ts';
import { richText } from './rich-text-rules.ts';
import {
  all,
  boolean,
  byType,
  integer,
  isRecord,
  list,
  number,
  oneOf,
  type Rule,
  shape,
  string,
} from './rule.ts';
import { charactersIn } from './shown-characters.ts';

const plainCells: Readonly<Record<string, Rule>> = {
  raw_text: shape({ type: oneOf('raw_text'), text: string() }),
  raw_number: shape({ type: oneOf('raw_number'), value: number(), text: string() }),
};
const cell = byType('table cell', { ...plainCells, rich_text: richText });
const headerCell = byType('table header cell', plainCells);

const columnSetting: Rule = (value, path, inspection) => {
  // Slack's own type lets null stand for "the default of this column".
  if (value !== null)
    shape({}, { align: oneOf('left', 'center', 'right'), is_wrapped: boolean })(value, path, inspection);
};

function fewCharacters(max: number): Rule {
  return (value, path, { say }) => {
    if (!isRecord(value)) return;
    const count = charactersIn(value.rows);
    if (count > max) say(`${path}/rows`, `no more than ${max} characters over all cells [has ${count}]`);
  };
}

const evenRows: Rule = (value, path, { say }) => {
  const rows = isRecord(value) && Array.isArray(value.rows) ? value.rows.filter(Array.isArray) : [];
  const width = rows[0]?.length;
  rows.forEach((row, index) => {
    if (row.length !== width)
      say(`${path}/rows/${index}`, `must have as many cells as the header [${width}]`);
  });
};

const headerRow: Rule = (value, path, inspection) => {
  const first = isRecord(value) && Array.isArray(value.rows) ? value.rows[0] : undefined;
  if (Array.isArray(first)) list(headerCell)(first, `${path}/rows/0`, inspection);
};

/** The plain table block. */
export const table: Rule = all(
  shape(
    {
      type: oneOf('table'),
      rows: list(list(cell, { max: limits.table.cells }), { max: limits.table.rows }),
    },
    {
      block_id: string({ max: limits.id }),
      column_settings: list(columnSetting, { min: 0, max: limits.table.columnSettings }),
    },
  ),
  fewCharacters(limits.table.characters),
);

/** The table the reader can sort and page through. */
export const dataTable: Rule = all(
  shape(
    {
      type: oneOf('data_table'),
      caption: string(),
      rows: list(list(cell, { max: limits.dataTable.columns }), {
        min: limits.dataTable.minRows,
        max: limits.dataTable.rows,
      }),
    },
    {
      block_id: string({ max: limits.id }),
      page_size: integer({ min: 1, max: limits.dataTable.pageSize }),
      row_header_column_index: integer({ min: 0, max: limits.dataTable.columns - 1 }),
    },
  ),
  evenRows,
  headerRow,
  fewCharacters(limits.dataTable.characters),
);
