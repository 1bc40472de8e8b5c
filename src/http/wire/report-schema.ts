import { z } from 'zod';

const cellMembers = { id: z.string(), value: z.string().meta({ description: '"-" means "never".' }) };
const cell = z.object(cellMembers).meta({ id: 'Cell' });

const figureMembers = {
  ...cellMembers,
  raw: z
    .string()
    .optional()
    .meta({ description: 'Whole working milliseconds, or the count itself; absent of dates and of "-".' }),
  count: z.string().optional().meta({ description: 'How many visits the figure is made of.' }),
  state: z.enum(['notStarted', 'running', 'paused', 'completed', 'unknown']).optional().meta({
    description: 'Of durationBetweenStatuses: how far the clock has come.',
  }),
};
const figure = z.object(figureMembers).meta({ id: 'Figure' });
const figureNow = z
  .object({
    ...figureMembers,
    since: z.iso.datetime().nullable().meta({
      description:
        'Since when the issue is there without a break; null where a cut history does not show it.',
    }),
  })
  .omit({ count: true })
  .meta({ id: 'CurrentFigure' });
const figureOfGroup = z.object(figureMembers).omit({ state: true }).meta({ id: 'GroupFigure' });

const status = z
  .object({
    id: z.string(),
    name: z.string(),
    deleted: z.boolean(),
    statusCategory: z.object({ name: z.string() }),
    scopeProjectKey: z
      .string()
      .optional()
      .meta({ description: 'Key of the project a team-managed status belongs to.' }),
  })
  .meta({ id: 'Status' });

/** Workflow statuses. */
export const statusesSchema = z.array(status);

/** What is told of an issue's history. */
export const historySchema = z
  .object({
    complete: z.boolean(),
    unknownFrom: z.iso.datetime().nullable().optional(),
    unknownUntil: z.iso.datetime().nullable().optional(),
    unknownDuration: z.number().optional().meta({ description: 'Working milliseconds that are unknown.' }),
    reason: z.string().optional(),
    contradictions: z.int().meta({ description: 'Changes that contradict the change before them.' }),
  })
  .meta({
    id: 'History',
    description: 'Whether the history behind the figures is whole; if not, what is unknown and why.',
  });

const flag = z.boolean();

/** As it stands wherever `undecided` does. */
export const unaskedIssues = z.int().meta({
  description:
    'Issues left out because your permission to see them could not be checked in the tracker; absent where there are none.',
});

const notes = z.array(z.string()).meta({
  description:
    'What could not be found out about the answer, and what is shown instead; absent where nothing is.',
});

/** Everything around the table. */
export const outerSchema = z.object({
  ignoredParameters: z
    .array(z.string())
    .optional()
    .meta({ description: 'Parameters that were ignored, if there were any.' }),
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
  isComposite: flag.meta({ description: 'Value columns have two levels.' }),
  isAggregationType: flag,
  isOverall: flag,
  isAverage: flag,
  isSum: flag,
  isMedian: flag,
  isStddev: flag,
  calendar: z.object({
    id: z.int().nullable(),
    name: z.string(),
    timeZone: z.string(),
    dailyWorkingHours: z.number(),
    is7x24Calendar: flag,
  }),
  includedStatuses: statusesSchema,
  excludedStatuses: statusesSchema,
  deletedStatuses: statusesSchema,
  asOf: z.iso.datetime().meta({ description: 'The instant the answer is about.' }),
  askedAt: z.iso.datetime(),
  dataAsOf: z.iso
    .datetime()
    .nullable()
    .meta({ description: 'When the data was last taken from the tracker; null: computed on the spot.' }),
  complete: flag.meta({ description: 'Whether the history of every issue counted is whole.' }),
  cutHistories: z.int().meta({ description: 'How many of the issues counted have a cut history.' }),
  undecided: z.int().meta({
    description:
      'Issues left out because it is unknown whether they match the query: their history is cut, or Jira cannot show them.',
  }),
  unaskedIssues: unaskedIssues.optional(),
  notes: notes.optional(),
  creditedCategories: z.array(z.string()).optional().meta({
    description: 'With creditDelegates: the names of the categories, in the order in which they count.',
  }),
});

const person = z.object({ id: z.string(), value: z.string() });

const headers = { headerColumns: z.array(cell), groupByColumns: z.array(cell), fieldColumns: z.array(cell) };

const header = z.object({
  ...headers,
  valueColumns: z.array(
    z.object({
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
          category: z.object({
            id: z.int().nullable().meta({ description: 'Null: general.' }),
            value: z.string(),
          }),
        })
        .optional()
        .meta({ description: 'The time of an assignee, the owner, in which the delegate covered.' }),
    }),
  ),
});

/** A table whose rows are of a kind. */
export function tableSchema<Row extends z.ZodType>(row: Row) {
  return z.object({ header, body: z.object({ rows: z.array(row) }) });
}

/** The cells of an issue, whatever is told beside them. */
export const issueRowSchema = z.object({
  ...headers,
  valueColumns: z.array(figure),
  currentState: z.array(figureNow),
  history: historySchema,
});

const query = z.string().nullable().meta({ description: 'The JQL that chose the issues.' });

/** The report of one issue. */
export const reportSchema = outerSchema.extend({ table: tableSchema(issueRowSchema) }).meta({ id: 'Report' });

/** A page of a list by index. */
export const indexedListSchema = outerSchema
  .extend({
    startIssueIndex: z.int(),
    endIssueIndex: z.int().meta({
      description: 'Index of the last issue of the page; one less than startIssueIndex when there is none.',
    }),
    pageSize: z.int(),
    total: z.int().meta({ description: 'How many issues were chosen in all.' }),
    query,
    table: tableSchema(issueRowSchema),
  })
  .meta({ id: 'IndexedList' });

/** A page of a list by token. */
export const listSchema = outerSchema
  .extend({
    pageSize: z.int(),
    nextPageToken: z
      .string()
      .optional()
      .meta({ description: 'Opens the next page for a day; absent on the last page.' }),
    query,
    table: tableSchema(issueRowSchema),
  })
  .meta({ id: 'List' });

/** Groups of issues, each condensed to one row. */
export const aggregationSchema = outerSchema
  .extend({
    aggregationType: z.string(),
    percentile: z.number().optional(),
    averageDenominator: z.string().optional(),
    stddevType: z.string().optional(),
    query,
    table: tableSchema(z.object({ ...headers, issueCount: z.int(), valueColumns: z.array(figureOfGroup) })),
  })
  .meta({ id: 'Aggregation' });

const simplified = z
  .object({
    results: z.array(z.record(z.string(), z.string())),
    nextPageToken: z.string().optional(),
    complete: flag.meta({ description: 'Whether every history is complete and no issue was left out.' }),
    undecided: z
      .int()
      .meta({ description: 'Issues left out because it is unknown whether they match the query.' }),
    unaskedIssues: unaskedIssues.optional(),
    notes: notes.optional(),
    ignoredParameters: z.array(z.string()).optional(),
  })
  .meta({
    id: 'Simplified',
    description: 'With outputType jsonSimplified: flat objects keyed by the titles of the columns.',
  });

/** The forms a report is answered in. */
export function reportContent(full: z.ZodType) {
  return { 'application/json': z.union([full, simplified]), 'text/csv': z.string() };
}
