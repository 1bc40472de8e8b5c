import { z } from 'zod';
import { calendarUsed } from '../../api/answers/document.ts';
import { categorySources, type Status } from '../../model/issue.ts';
import {
  type Column,
  cellOf,
  type IssueFacts,
  metricStates,
  type Provenance,
  type Row,
  type Table,
} from '../../model/table.ts';
import { isoInstant, mapped, streamed } from '../../output/encode.ts';
import { numberText } from '../../output/readable-text.ts';
import { type TableWording, tableText } from '../../output/table-records.ts';
import { dateText } from '../../time/date-text.ts';

const cellMembers = { id: z.string(), value: z.string().describe('"-" means "never".') };
const cell = z.object(cellMembers).meta({ id: 'Cell', description: 'Texts by column id.' });

const figureMembers = {
  ...cellMembers,
  raw: z.string().optional().describe('Whole working milliseconds, or the count; absent for dates and "-".'),
  count: z.string().optional().describe('Number of visits behind the figure.'),
  state: z.enum(metricStates).optional().describe('Of durationBetweenStatuses: how far the clock has come.'),
};
const figure = z.object(figureMembers).meta({
  id: 'Figure',
  description: 'Figures by column id, in the requested unit and in milliseconds.',
});
const figureNow = z
  .object({
    ...figureMembers,
    since: isoInstant
      .nullable()
      .describe('Start of the current visit; null if the history is cut before it.'),
  })
  .omit({ count: true })
  .meta({ id: 'CurrentFigure', description: 'Time in the current value.' });
const figureOfGroup = z
  .object(figureMembers)
  .omit({ state: true, count: true })
  .meta({ id: 'GroupFigure', description: 'A statistic over the issues of a group.' });

/** A workflow status. */
export const workflowStatus = mapped(
  ({ category, categorySource, scope, ...status }: Status) => ({
    ...status,
    statusCategory: { name: category },
    ...(categorySource === undefined ? {} : { categorySource }),
    ...(scope === undefined ? {} : { scopeProjectKey: scope }),
  }),
  z
    .object({
      id: z.string(),
      name: z.string(),
      deleted: z.boolean(),
      statusCategory: z.object({ name: z.string() }),
      categorySource: z
        .enum(categorySources)
        .optional()
        .describe(
          'Where the category comes from if the tracker does not give one: an admin set it, it is assumed from a status of the same name, or from the statuses before and after it in the histories.',
        ),
      scopeProjectKey: z.string().optional().describe('Key of the project a team-managed status belongs to.'),
    })
    .meta({ id: 'Status', description: 'A workflow status.' }),
);

/**
 * The completeness of the history behind an issue's figures: where it is cut, the time that is unknown and the reason.
 */
const history = mapped(
  ({ history: own, unknown, contradictions }: IssueFacts) =>
    own.complete
      ? { complete: true, contradictions }
      : {
          complete: false,
          unknownFrom: own.unknownFrom,
          unknownUntil: own.unknownUntil,
          unknownDuration: unknown?.ms ?? 0,
          reason: own.reason,
          contradictions,
        },
  z
    .object({
      complete: z.boolean(),
      unknownFrom: isoInstant.nullable().optional(),
      unknownUntil: isoInstant.nullable().optional(),
      unknownDuration: z.number().optional().describe('Unknown working milliseconds.'),
      reason: z.string().optional(),
      contradictions: z.int().describe('Changes that contradict the change before them.'),
    })
    .meta({
      id: 'History',
      description: 'Whether the history behind the figures is whole; if not, what is unknown and why.',
    }),
);

const flag = z.boolean();

/** Members of every answer about issues left out and unknown facts. */
export const doubtMembers = {
  unaskedIssues: z
    .int()
    .optional()
    .describe(
      'Issues left out because your permission to see them could not be checked in the tracker; absent where there are none.',
    ),
  notes: z
    .array(z.string())
    .optional()
    .describe(
      'What is unknown about the answer, and what is shown instead; that issues are in several groups. Absent if there is nothing to say.',
    ),
};

/** These members of an answer; empty ones are absent. */
export function doubtsIn({ unasked = 0, notes = [] }: Pick<Provenance, 'unasked' | 'notes'>) {
  return { ...(unasked === 0 ? {} : { unaskedIssues: unasked }), ...(notes.length === 0 ? {} : { notes }) };
}

/** Members of a report around its table. */
export const outerMembers = {
  ignoredParameters: z.array(z.string()).optional().describe('Ignored parameters; absent if there are none.'),
  dateFormat: z.string(),
  dateTimeFormat: z.string(),
  timeZone: z.string(),
  locale: z.string(),
  reportDate: z.string(),
  version: z.string(),
  columnsBy: z.string(),
  viewFormat: z.string(),
  trimHistoryStartDate: z.string().nullable(),
  trimHistoryEndDate: z.string().nullable(),
  isComposite: flag.describe('Value columns have two levels.'),
  isAggregationType: flag,
  isOverall: flag,
  isAverage: flag,
  isSum: flag,
  isMedian: flag,
  isStddev: flag,
  calendar: calendarUsed,
  includedStatuses: streamed(workflowStatus),
  excludedStatuses: streamed(workflowStatus),
  deletedStatuses: streamed(workflowStatus),
  asOf: isoInstant.describe('The figures are as of this time.'),
  askedAt: isoInstant,
  dataAsOf: isoInstant.nullable().describe('Time of the last sync; null if computed live.'),
  complete: flag.describe('Whether the history of every issue counted is whole.'),
  cutHistories: z.int().describe('Number of counted issues with a cut history.'),
  undecided: z
    .int()
    .describe(
      'Issues left out because it is unknown whether they match the query: their history is cut, or the tracker cannot show them.',
    ),
  ...doubtMembers,
  creditedCategories: z
    .array(z.string())
    .optional()
    .describe('With creditDelegates: the names of the categories, in the order in which they count.'),
};

/** These members of a table, answered by a version of Dwell. */
export function outerOf(table: Table, wording: TableWording, version: string) {
  const { statuses, provenance, statistic } = table;
  const { calendar, trim, timeZone, asOf, askedAt, dataAsOf, creditedCategories } = provenance;
  const { dateFormat, dateTimeFormat } = wording.formats;
  const inZone = (at: number) => dateText(at, dateTimeFormat, timeZone);
  const { complete, cutHistories, undecided } = provenance;
  return {
    dateFormat,
    dateTimeFormat,
    timeZone,
    version,
    calendar,
    asOf,
    askedAt,
    dataAsOf,
    complete,
    cutHistories,
    undecided,
    locale: 'en_US',
    reportDate: inZone(asOf),
    columnsBy: provenance.reportType,
    viewFormat: wording.viewFormat,
    trimHistoryStartDate: trim.from === null ? null : inZone(trim.from),
    trimHistoryEndDate: trim.to === null ? null : inZone(trim.to),
    isComposite: table.composite,
    isAggregationType: statistic !== null,
    isOverall: statistic !== null && table.columns.every((column) => column.part !== 'group'),
    isAverage: statistic?.type === 'average',
    isSum: statistic?.type === 'sum',
    isMedian: statistic?.type === 'median',
    isStddev: statistic?.type === 'standardDeviation',
    includedStatuses: statuses.included,
    excludedStatuses: statuses.excluded,
    deletedStatuses: statuses.deleted,
    ...doubtsIn(provenance),
    ...(creditedCategories === undefined ? {} : { creditedCategories }),
  };
}

const person = z.object({ id: z.string(), value: z.string() });
const headers = { headerColumns: z.array(cell), groupByColumns: z.array(cell), fieldColumns: z.array(cell) };
const valueColumn = z.object({
  ...cellMembers,
  isConsolidated: flag,
  parentId: z.string().optional(),
  parentValue: z.string().optional(),
  childId: z.string().optional(),
  childValue: z.string().optional(),
  standIn: z
    .object({
      owner: person,
      delegate: person,
      category: z.object({ id: z.int().nullable().describe('Null: general.'), value: z.string() }),
    })
    .optional()
    .describe('The time of an assignee, the owner, in which the delegate covered.'),
});

/** The titles of the columns; those of two levels have both. */
const header = mapped(
  (columns: readonly Column[]) => {
    const titled = (part: Column['part']) =>
      columns.filter((column) => column.part === part).map(({ id, title }) => ({ id, value: title }));
    return {
      headerColumns: titled('header'),
      groupByColumns: titled('group'),
      fieldColumns: titled('field'),
      valueColumns: onceSent(valuesOf(columns), ({ id, title, consolidated, parent, child, standIn }) => ({
        id,
        value: title,
        isConsolidated: consolidated ?? false,
        ...(parent === undefined ? {} : { parentId: parent.id, parentValue: parent.title }),
        ...(child === undefined ? {} : { childId: child.id, childValue: child.title }),
        ...(standIn === undefined ? {} : { standIn: standInOf(standIn) }),
      })),
    };
  },
  z.object({ ...headers, valueColumns: streamed(valueColumn) }),
);

function standInOf({ owner, delegate, category }: NonNullable<Column['standIn']>) {
  const personOf = ({ id, title }: typeof owner) => ({ id, value: title });
  return {
    owner: personOf(owner),
    delegate: personOf(delegate),
    category: { id: category.id, value: category.name },
  };
}

/** A table whose rows are of a kind. */
export function tableSchema<Row extends z.ZodType>(row: Row) {
  return z.object({ header, body: z.object({ rows: streamed(row) }) });
}

/** The row of an issue in every report type. */
export const issueRow = z
  .object({ ...headers, valueColumns: streamed(figure), currentState: z.array(figureNow), history })
  .meta({
    id: 'IssueRow',
    description: 'An issue with its cells, its figures and the completeness of its history.',
  });

const groupRow = z
  .object({ ...headers, issueCount: z.int(), valueColumns: streamed(figureOfGroup) })
  .meta({ id: 'GroupRow', description: 'A group of issues, condensed to one figure per column.' });

/** The JQL that chose the issues. */
export const query = z.string().nullable().describe('The JQL that chose the issues.');

/** The table of a report whose rows are issues. */
export const issueTable = mapped(
  ({ table, wording }: { readonly table: Table; readonly wording: TableWording }) => {
    const rows = new Map(table.rows.map((row) => [row.issueKey, row]));
    const values = valuesOf(table.columns);
    return {
      header: table.columns,
      body: {
        rows: onceSent(table.issues, (issue) => {
          const row = rows.get(issue.key);
          const figureAt = figuresOf(row, wording);
          return {
            ...issueCells(issue, table.columns, wording),
            valueColumns: onceSent(values, figureAt),
            currentState: issue.current.flatMap(({ columnId, since }) => {
              const column = values.find(({ id, kind }) => id === columnId && kind !== 'instant');
              return column === undefined ? [] : [{ ...figureAt(column), since }];
            }),
            history: issue,
          };
        }),
      },
    };
  },
  tableSchema(issueRow),
);

/** The table of a report whose rows are groups. */
export const groupTable = mapped(
  ({ table, wording }: { readonly table: Table; readonly wording: TableWording }) => {
    const values = valuesOf(table.columns);
    return {
      header: table.columns,
      body: {
        rows: onceSent(table.rows, ({ own, issueCount = 0, ...row }) => ({
          headerColumns: [],
          groupByColumns: textCells(table.columns, 'group', own, wording),
          fieldColumns: [],
          issueCount,
          valueColumns: onceSent(values, figuresOf({ cells: row.cells }, wording)),
        })),
      },
    };
  },
  tableSchema(groupRow),
);

/** Figures in the requested unit and as raw numbers; "-" alone means never. */
function figuresOf(row: Pick<Row, 'cells' | 'states'> | undefined, wording: TableWording) {
  return (column: Column): z.input<typeof figure> => {
    const { id, kind } = column;
    const own = row === undefined ? undefined : cellOf(row.cells, id);
    const isFigure = typeof own?.value === 'number' && kind !== 'instant';
    const json: z.input<typeof figure> = { id, value: tableText(column, own, wording) };
    if (isFigure) {
      json.raw = kind === 'duration' ? String(Math.round(Number(own.value))) : numberText(Number(own.value));
      if (own.visits !== undefined) json.count = String(own.visits);
    }
    if (row?.states !== undefined && Object.hasOwn(row.states, id)) json.state = row.states[id];
    return json;
  };
}

/** The cells of an issue in every report type. */
export function issueCells({ cells }: IssueFacts, columns: readonly Column[], wording: TableWording) {
  return {
    headerColumns: textCells(columns, 'header', cells, wording),
    groupByColumns: textCells(columns, 'group', cells, wording),
    fieldColumns: textCells(columns, 'field', cells, wording),
  };
}

/** The cells of a part of the columns that are text alone. */
function textCells(
  columns: readonly Column[],
  part: Column['part'],
  cells: Row['cells'],
  wording: TableWording,
): z.input<typeof cell>[] {
  return columns
    .filter((column) => column.part === part)
    .map((column) => ({ id: column.id, value: tableText(column, cellOf(cells, column.id), wording) }));
}

function valuesOf(columns: readonly Column[]): Column[] {
  return columns.filter((column) => column.part === 'value');
}

/** A long list whose items are encoded one by one while it is sent. */
function onceSent<Thing, Json>(things: readonly Thing[], json: (thing: Thing) => Json): Iterable<Json> {
  return {
    *[Symbol.iterator]() {
      for (const thing of things) yield json(thing);
    },
  };
}
