import { z } from 'zod';
import type { Status, StatusCategory } from '../../model/issue.ts';

/** Ids and figures come as text or as numbers, depending on the endpoint. */
const word = z.union([z.string(), z.number()]).transform(String);
const text = word.nullish().transform((told) => told ?? '-');

const titled = z.object({ id: word, value: text });
const person = z.object({ id: word, value: text });

const valueColumn = z.object({
  id: word,
  value: text,
  isConsolidated: z.boolean().nullish(),
  parentId: word.nullish(),
  parentValue: text,
  childId: word.nullish(),
  childValue: text,
  standIn: z
    .object({
      owner: person,
      delegate: person,
      category: z.object({ id: z.number().nullable(), value: z.string() }),
    })
    .nullish(),
});

const state = z.enum(['notStarted', 'running', 'paused', 'completed', 'unknown']).nullish().catch(null);

const isoInstant = z.iso.datetime({ offset: true }).transform((told) => Date.parse(told));

const valueCell = z.object({ id: word, value: text, raw: word.nullish(), count: word.nullish(), state });
const currentCell = valueCell.extend({ since: isoInstant.nullish() });

const history = z
  .object({
    complete: z.boolean(),
    unknownFrom: isoInstant.nullish(),
    unknownUntil: isoInstant.nullish(),
    unknownDuration: z.number().nullish(),
    reason: z.string().nullish(),
    contradictions: z.number().nullish(),
  })
  .nullish();

const cells = z
  .array(titled)
  .nullish()
  .transform((told) => told ?? []);

const visit = z.object({
  uniqueDate: z.string(),
  statusId: word.nullish(),
  fieldId: z.string().nullish(),
  valueId: word.nullish(),
  statusName: z.string().nullish(),
  valueName: z.string().nullish(),
  value: z.coerce.number(),
  start: isoInstant.nullish(),
  end: isoInstant.nullish(),
  transitionedBy: z.string().nullish(),
});

const row = z.object({
  headerColumns: cells,
  groupByColumns: cells,
  fieldColumns: cells,
  valueColumns: z
    .array(valueCell)
    .nullish()
    .transform((told) => told ?? []),
  currentState: z
    .array(currentCell)
    .nullish()
    .transform((told) => told ?? []),
  history,
  issueCount: z.coerce.number().nullish(),
  expanded: z.object({ rows: z.array(visit) }).nullish(),
});

const categories: readonly StatusCategory[] = ['To Do', 'In Progress', 'Done'];

/** A workflow status. */
export const statusAnswer = z
  .object({
    id: word,
    name: z.string(),
    deleted: z.boolean().nullish(),
    statusCategory: z.object({ name: z.string() }).nullish(),
    scopeProjectKey: z.string().nullish(),
  })
  .transform(({ id, name, deleted, statusCategory, scopeProjectKey }): Status => {
    const category = categories.find((one) => one.toLowerCase() === statusCategory?.name.toLowerCase());
    return {
      id,
      name,
      category: category ?? 'Undefined',
      deleted: deleted ?? false,
      ...(scopeProjectKey ? { scope: scopeProjectKey } : {}),
    };
  });

const statuses = z
  .array(statusAnswer)
  .nullish()
  .transform((told) => told ?? []);

/** Every report in full JSON: what the product tells, and what a service of our own tells beside it. */
export const reportAnswer = z.object({
  dateFormat: z.string(),
  dateTimeFormat: z.string(),
  timeZone: z.string(),
  locale: z.string().nullish(),
  reportDate: z.string().nullish(),
  isComposite: z.boolean().nullish(),
  calendar: z
    .object({
      id: z.number().nullish(),
      name: z.string(),
      timeZone: z.string(),
      dailyWorkingHours: z.number(),
      is7x24Calendar: z.boolean().nullish(),
    })
    .nullish(),
  includedStatuses: statuses,
  excludedStatuses: statuses,
  deletedStatuses: statuses,
  asOf: isoInstant.nullish(),
  askedAt: isoInstant.nullish(),
  dataAsOf: isoInstant.nullish(),
  complete: z.boolean().nullish(),
  cutHistories: z.number().nullish(),
  undecided: z.number().nullish(),
  unaskedIssues: z.number().nullish(),
  creditedCategories: z.array(z.string()).nullish(),
  aggregationType: z.string().nullish(),
  query: z.string().nullish(),
  startIssueIndex: z.number().nullish(),
  endIssueIndex: z.number().nullish(),
  pageSize: z.number().nullish(),
  total: z.number().nullish(),
  nextPageToken: z.string().nullish(),
  table: z.object({
    header: z.object({
      headerColumns: cells,
      groupByColumns: cells,
      fieldColumns: cells,
      valueColumns: z
        .array(valueColumn)
        .nullish()
        .transform((told) => told ?? []),
    }),
    body: z.object({ rows: z.array(row) }),
  }),
});

export type ReportAnswer = z.output<typeof reportAnswer>;
/** A line of it. */
export type RowAnswer = ReportAnswer['table']['body']['rows'][number];
/** A visit of an issue, as the visit-by-visit reports tell it. */
export type VisitAnswer = NonNullable<RowAnswer['expanded']>['rows'][number];
/** A cell with a figure or a date. */
export type ValueAnswer = RowAnswer['valueColumns'][number];

/** Which of the two dialects an answer is in: ours tells when it was asked. */
export function isOwnDialect({ askedAt }: Pick<ReportAnswer, 'askedAt'>): boolean {
  return askedAt !== null && askedAt !== undefined;
}
