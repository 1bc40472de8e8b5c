import {
  type Column,
  type CurrentValue,
  cellOf,
  type IssueFacts,
  type Row,
  type Table,
} from '../../model/table.ts';
import type { Wording } from '../../output/table-records.ts';
import { isoText } from '../../time/date-text.ts';
import { textCells, type ValueJson, valueJson } from './cell-json.ts';
import { historyJson } from './history-json.ts';
import { outerJson } from './outer-json.ts';
import type { ReportFrame } from './report-frame.ts';

/** A report as clients of the compatible product read it; members of ours stand beside theirs. */
export function reportJson(table: Table, frame: ReportFrame) {
  return { ...outerJson(table, frame), table: tableJson(table, frame.wording) };
}

/** A page by index. `endIssueIndex` is the index of its last issue, one less than `startIssueIndex` when it is empty. */
export function indexedListJson(table: Table, frame: ReportFrame) {
  const { start = 0, end = 0, size = 0, total = 0 } = table.page ?? {};
  return {
    ...outerJson(table, frame),
    startIssueIndex: start,
    endIssueIndex: end - 1,
    pageSize: size,
    total,
    query: table.provenance.query,
    table: tableJson(table, frame.wording),
  };
}

/** A page by token, which is absent on the last page. */
export function listJson(table: Table, frame: ReportFrame) {
  const { size = 0, next = null } = table.page ?? {};
  return {
    ...outerJson(table, frame),
    pageSize: size,
    ...(next === null ? {} : { nextPageToken: next }),
    query: table.provenance.query,
    table: tableJson(table, frame.wording),
  };
}

/** Groups of issues, each condensed to one row. */
export function aggregationJson(table: Table, frame: ReportFrame) {
  const columns = valuesOf(table);
  const rows = whileSent(table.rows, ({ own, cells, issueCount = 0 }) => ({
    headerColumns: [],
    groupByColumns: textCells(table.columns, 'group', own, frame.wording),
    fieldColumns: [],
    issueCount,
    valueColumns: whileSent(columns, (column) => valueJson(column, cellOf(cells, column.id), frame.wording)),
  }));
  return {
    ...outerJson(table, frame),
    query: table.provenance.query,
    table: { header: headerJson(table.columns), body: { rows } },
  };
}

function tableJson(table: Table, wording: Wording) {
  const rows = new Map(table.rows.map((row) => [row.issueKey, row]));
  const columns = valuesOf(table);
  return {
    header: headerJson(table.columns),
    body: {
      rows: whileSent(table.issues, (issue) =>
        rowJson(issue, rows.get(issue.key), { ...table, values: columns }, wording),
      ),
    },
  };
}

/** A long list whose items are made one by one while it is sent. */
function whileSent<Thing, Json>(things: readonly Thing[], json: (thing: Thing) => Json): Iterable<Json> {
  return {
    *[Symbol.iterator]() {
      for (const thing of things) yield json(thing);
    },
  };
}

/** The titles of the columns; those of two levels tell both. */
export function headerJson(columns: readonly Column[]) {
  const titled = (part: Column['part']) =>
    columns.filter((column) => column.part === part).map(({ id, title }) => ({ id, value: title }));
  return {
    headerColumns: titled('header'),
    groupByColumns: titled('group'),
    fieldColumns: titled('field'),
    valueColumns: whileSent(
      columns.filter((column) => column.part === 'value'),
      ({ id, title, consolidated = false, parent, child, standIn }) => ({
        id,
        value: title,
        isConsolidated: consolidated,
        ...(parent === undefined ? {} : { parentId: parent.id, parentValue: parent.title }),
        ...(child === undefined ? {} : { childId: child.id, childValue: child.title }),
        ...(standIn === undefined ? {} : { standIn: standInJson(standIn) }),
      }),
    ),
  };
}

function standInJson({ owner, delegate, category }: NonNullable<Column['standIn']>) {
  return {
    owner: { id: owner.id, value: owner.title },
    delegate: { id: delegate.id, value: delegate.title },
    category: { id: category.id, value: category.name },
  };
}

function rowJson(
  issue: IssueFacts,
  row: Row | undefined,
  table: Table & { readonly values: readonly Column[] },
  wording: Wording,
) {
  const cells = row?.cells ?? {};
  const columns = table.values;
  const stateOf = ({ id }: Column) =>
    row?.states !== undefined && Object.hasOwn(row.states, id) ? row.states[id] : undefined;
  const toldBy = (column: Column) => valueJson(column, cellOf(cells, column.id), wording, stateOf(column));
  const current = issue.current.flatMap(({ columnId, since }) => {
    const column = columns.find(({ id, kind }) => id === columnId && kind !== 'instant');
    return column === undefined ? [] : [{ ...withoutCount(toldBy(column)), since: sinceJson(since) }];
  });
  return {
    ...ownCellsJson(issue, table.columns, wording),
    valueColumns: whileSent(columns, toldBy),
    currentState: current,
    history: historyJson(issue),
  };
}

/** Since when an issue is in a value; null where a cut history does not tell. */
export function sinceJson(since: CurrentValue['since']): string | null {
  return since === null ? null : isoText(since);
}

/** The cells an issue has whatever the report type. */
export function ownCellsJson({ cells }: IssueFacts, columns: readonly Column[], wording: Wording) {
  return {
    headerColumns: textCells(columns, 'header', cells, wording),
    groupByColumns: textCells(columns, 'group', cells, wording),
    fieldColumns: textCells(columns, 'field', cells, wording),
  };
}

function valuesOf({ columns }: Table): Column[] {
  return columns.filter((column) => column.part === 'value');
}

function withoutCount({ count: _, ...rest }: ValueJson): ValueJson {
  return rest;
}
