import type { FileFormat, SheetColumn, SheetValue, Workbook } from '../../src/output/workbook.ts';
import type { ReadCell, ReadSheet } from './reader.ts';

/** CSV has an apostrophe before a title that looks like a formula. */
const FORMULA_TITLE = /^=/;

export function awkwardBook(): Workbook {
  return {
    title: 'Times & <marks>',
    timeZone: 'Europe/Berlin',
    formats: { dateFormat: 'yyyy-MM-dd', dateTimeFormat: 'yyyy-MM-dd HH:mm:ss' },
    sheets: awkwardSheets.map(({ rows, ...sheet }) => ({
      ...sheet,
      rows: (async function* () {
        for (const row of rows) yield [row.map(({ value }) => value)];
      })(),
    })),
  };
}

/** What a file that is called `name` is to hold of it. */
export function awkwardContent(format: FileFormat['id'], name: string): readonly ReadSheet[] {
  const asCsv = (called: string, sheet: AwkwardSheet) => {
    const titles = sheet.columns.map(({ title }) => title.replace(FORMULA_TITLE, "'$&"));
    return sheetOf(called, titles, sheet, ({ csv }) => csv);
  };
  const titlesOf = ({ columns }: AwkwardSheet) => columns.map(({ title }) => title);
  switch (format) {
    case 'csv':
      return awkwardSheets.slice(0, 1).map((sheet) => asCsv(name, sheet));
    case 'csvZip':
      return awkwardSheets.map((sheet) => asCsv(`Times-marks-${sheet.id}.csv`, sheet));
    case 'json':
      return awkwardSheets.map((sheet) => sheetOf(sheet.name, titlesOf(sheet), sheet, ({ json }) => json));
    default:
      return awkwardSheets.map((sheet) => sheetOf(sheet.name, titlesOf(sheet), sheet, ({ cell }) => cell));
  }
}

function sheetOf(
  name: string,
  titles: readonly string[],
  { rows }: AwkwardSheet,
  told: (fact: Fact) => ReadCell,
): ReadSheet {
  return { name, rows: [titles, ...rows.map((row) => row.map(told))] };
}

/** A value to be written and what the kinds of files are to hold, said by hand and not by our own code. */
interface Fact {
  readonly value: SheetValue;
  /** In a workbook. */
  readonly cell: ReadCell;
  readonly csv: string;
  readonly json: ReadCell;
}

const empty: Fact = { value: null, cell: null, csv: '', json: null };

/** Names what differs from the text itself. */
function text(value: string, { cell = value, csv = value }: { cell?: string; csv?: string } = {}): Fact {
  return { value, cell, csv, json: value };
}

/** Names how CSV writes it, where that is not what JavaScript writes. */
function number(value: number, csv = String(value)): Fact {
  return { value, cell: value, csv, json: value };
}

/** An instant written as ISO 8601 in UTC with milliseconds, and what the clock of the workbook's zone shows. */
function instant(iso: string, clock: string): Fact {
  return { value: Date.parse(iso), cell: { date: clock }, csv: clock, json: iso };
}

/** A day written yyyy-MM-dd. */
function day(value: string): Fact {
  return { value, cell: { date: value }, csv: value, json: value };
}

/** A date that spreadsheets do not know, and have as a text. */
function earlyDate(known: Fact): Fact {
  return { ...known, cell: known.csv };
}

/** A sheet to be written, its rows as facts. */
interface AwkwardSheet {
  readonly id: string;
  readonly name: string;
  readonly columns: readonly SheetColumn[];
  readonly rows: readonly (readonly Fact[])[];
}

const command = text("=cmd|' /C calc'!A0", { csv: "'=cmd|' /C calc'!A0" });

const texts: readonly Fact[] = [
  text('commas, "quotes", semi;colons'),
  text("\u201cquotes\u201d and apostrophes: 'all' of them'"),
  text("'begins with an apostrophe"),
  text('lines\nand lines\r\nand lines\rand lines'),
  text('ends with one\n'),
  text(' blanks and a tab around\t'),
  text('👩🏽‍🚀 emoji 🦕, combined e\u0301, 漢字'),
  text('שלום עולם, مرحبا, \u202eturned\u202c'),
  text('0042'),
  text('0042 '),
  text('1e5'),
  text('2026-01-02'),
  text('TRUE'),
  text('-5'),
  text('-'),
  text('<b>&amp;</b> ]]>'),
  text('_x0041_ is no A, _x005F_ no underscore'),
  text('\u0001 control \u001f\u007f\u0085\u2028 characters \ufffe\uffff'),
  text('a null\u0000character'),
  // Half of a pair; JSON has an escape for it.
  text('half of 🦕: \ud83e', { cell: 'half of 🦕: \ufffd', csv: 'half of 🦕: \ufffd' }),
  command,
  text('=1+1', { csv: "'=1+1" }),
  text('+1', { csv: "'+1" }),
  text('@x', { csv: "'@x" }),
  text('-1+2', { csv: "'-1+2" }),
  text('\t=1', { csv: "'\t'=1" }),
  text('＝1+1', { csv: "'＝1+1" }),
  text('first;=1+1', { csv: "first;'=1+1" }),
  text(''),
  text('x'.repeat(30_000)),
  text('ü🦕'.repeat(10_000)),
  text('line,"\n'.repeat(4000)),
  text('x'.repeat(32_767)),
  text('x'.repeat(32_768), { cell: `${'x'.repeat(32_766)}…` }),
];

const numbers: readonly Fact[] = [
  number(0),
  number(-0, '0'),
  number(1),
  number(-1),
  number(1e-7, '0.0000001'),
  number(-1e-12, '0'),
  number(0.1 + 0.2, '0.3'),
  number(0.01),
  number(-1_234_567.891),
  number(123_456_789_012.3456),
  number(536_870_911),
  number(-536_870_913),
  number(Number.MAX_SAFE_INTEGER),
  number(1e21, '1000000000000000000000'),
  number(-1.5e21, '-1500000000000000000000'),
  text('unknown'),
];

/** Clocks of Berlin. */
const instants: readonly Fact[] = [
  instant('2026-03-29T00:59:59.999Z', '2026-03-29 01:59:59'),
  instant('2026-03-29T01:00:00.000Z', '2026-03-29 03:00:00'),
  instant('2026-10-25T00:30:00.000Z', '2026-10-25 02:30:00'),
  instant('2026-10-25T01:30:00.000Z', '2026-10-25 02:30:00'),
  instant('2024-02-28T23:00:00.000Z', '2024-02-29 00:00:00'),
  instant('2024-02-29T22:59:59.500Z', '2024-02-29 23:59:59'),
  instant('1970-01-01T00:00:00.000Z', '1970-01-01 01:00:00'),
  instant('1969-12-31T22:59:59.001Z', '1969-12-31 23:59:59'),
  instant('1900-02-28T23:00:00.000Z', '1900-03-01 00:00:00'),
  earlyDate(instant('1900-02-28T22:59:59.000Z', '1900-02-28 23:59:59')),
  instant('9999-12-31T22:59:59.000Z', '9999-12-31 23:59:59'),
  text('unknown'),
];

const days: readonly Fact[] = [
  day('2024-02-29'),
  day('2026-03-29'),
  day('2000-01-01'),
  day('1900-03-01'),
  earlyDate(day('1900-02-28')),
  day('9999-12-31'),
  text('2025-02-29'),
  text('soon'),
];

/** Columns of different lengths, side by side; the last row has a key only, the one before nothing at all. */
const list: AwkwardSheet = {
  id: 'list',
  name: 'List',
  columns: [
    column('key', 'Key'),
    column('text', '=Text, "awkward"\nas it is'),
    column('number', 'Number', 'number'),
    column('hours', 'Hours', 'number', 'hours'),
    column('instant', 'Instant', 'instant'),
    column('day', 'Day', 'day'),
  ],
  rows: [
    ...texts.map((one, at) => [
      text(`WEB-${at + 1}`),
      one,
      ...[numbers, numbers, instants, days].map((facts) => facts[at] ?? empty),
    ]),
    Array.from({ length: 6 }, () => empty),
    [text('WEB-0'), empty, empty, empty, empty, empty],
  ],
};

const average: AwkwardSheet = {
  id: 'average',
  name: 'Average',
  columns: [
    column('group', 'Issue type'),
    column('mean', 'In status Done (hours)', 'number', 'hours'),
    column('count', 'Issues', 'number'),
  ],
  rows: [
    [text('Bug'), number(1.5), number(2)],
    [empty, number(2 / 3, '0.6666666667'), number(3)],
    [text('Überfällig'), empty, number(0)],
  ],
};

const provenance: AwkwardSheet = {
  id: 'provenance',
  name: 'Provenance',
  columns: [column('name', 'What'), column('value', 'Value', 'number')],
  rows: [
    [text('JQL'), text('project = WEB AND "Due date" < 2026-03-29 ORDER BY key')],
    [text('As of'), text('2026-03-29 03:00:00 +02:00')],
    [text('Asked by'), command],
    [text('Issues counted'), number(200_000)],
    [text('Complete'), text('yes')],
  ],
};

const awkwardSheets: readonly AwkwardSheet[] = [list, average, provenance];

function column(
  id: string,
  title: string,
  kind: SheetColumn['kind'] = 'text',
  unit: string | null = null,
): SheetColumn {
  return { id, title, kind, unit };
}
