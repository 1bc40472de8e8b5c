import { millisecondsInDay } from 'date-fns/constants';
import { z } from 'zod';
import type { Status, StatusCategory } from '../model/issue.ts';
import { type CalendarDefinition, weekdays } from '../model/settings.ts';
import { isoDay } from '../time/date-text.ts';
import { readJavaDate } from '../time/read-java-dates.ts';

/** Ids and figures come as text or as numbers, depending on the endpoint. */
const word = z.union([z.string(), z.number()]).transform(String);
const text = word.nullish().transform((given) => given ?? '-');
const flag = z.boolean().nullish();
const count = z.number().nullish();
const instant = z.iso
  .datetime({ offset: true })
  .transform((given) => Date.parse(given))
  .nullish();

/** A list that may be left out. */
const listOf = <Entry extends z.ZodType>(entry: Entry) =>
  z
    .array(entry)
    .nullish()
    .transform((given) => given ?? []);

const titled = z.object({ id: word, value: text });

const column = titled.transform(({ id, value: title }) => ({ id, title }));

/** A value column; only another Dwell names the levels of one, and who covered for its owner. */
const valueColumn = titled
  .extend({
    isConsolidated: flag,
    parentId: word.nullish(),
    parentValue: text,
    childId: word.nullish(),
    childValue: text,
    standIn: z
      .object({
        owner: column,
        delegate: column,
        category: z
          .object({ id: z.number().nullable(), value: z.string() })
          .transform(({ id, value: name }) => ({ id, name })),
      })
      .nullish(),
  })
  .transform(({ id, value: title, isConsolidated, parentId, parentValue, childId, childValue, standIn }) => {
    const parent = parentId ? { parent: { id: parentId, title: parentValue } } : {};
    const child = childId ? { child: { id: childId, title: childValue } } : {};
    const more = {
      ...(isConsolidated ? { consolidated: true as const } : {}),
      ...(standIn ? { standIn } : {}),
    };
    return { id, title, ...parent, ...child, ...more };
  });

const valueCell = titled.extend({
  raw: word.nullish(),
  count: word.nullish(),
  state: z.enum(['notStarted', 'running', 'paused', 'completed', 'unknown']).nullish().catch(null),
});

const history = z.object({
  complete: z.boolean(),
  unknownFrom: instant,
  unknownUntil: instant,
  unknownDuration: count,
  reason: z.string().nullish(),
  contradictions: count,
});

const visit = z.object({
  uniqueDate: z.string(),
  statusId: word.nullish(),
  fieldId: z.string().nullish(),
  valueId: word.nullish(),
  statusName: z.string().nullish(),
  valueName: z.string().nullish(),
  value: z.coerce.number(),
  start: instant,
  end: instant,
  transitionedBy: z.string().nullish(),
});

const row = z.object({
  headerColumns: listOf(titled),
  groupByColumns: listOf(titled),
  fieldColumns: listOf(titled),
  valueColumns: listOf(valueCell),
  currentState: listOf(valueCell.extend({ since: instant })),
  history: history.nullish(),
  issueCount: z.coerce.number().nullish(),
  expanded: z.object({ rows: z.array(visit) }).nullish(),
});

const categories: readonly StatusCategory[] = ['To Do', 'In Progress', 'Done'];

/** A workflow status. */
export const statusAnswer = z
  .object({
    id: word,
    name: z.string(),
    deleted: flag,
    statusCategory: z.object({ name: z.string() }).nullish(),
    scopeProjectKey: z.string().nullish(),
  })
  .transform(({ id, name, deleted, statusCategory, scopeProjectKey }): Status => {
    const category = categories.find((one) => one.toLowerCase() === statusCategory?.name.toLowerCase());
    const scope = scopeProjectKey ? { scope: scopeProjectKey } : {};
    return { id, name, category: category ?? 'Undefined', deleted: deleted ?? false, ...scope };
  });

/** Every report in full JSON: what the product's answers hold, and what those of another Dwell hold beside it. */
export const reportAnswer = z.object({
  dateFormat: z.string(),
  dateTimeFormat: z.string(),
  timeZone: z.string(),
  locale: z.string().nullish(),
  reportDate: z.string().nullish(),
  calendar: z
    .object({
      id: count,
      name: z.string(),
      timeZone: z.string(),
      dailyWorkingHours: z.number(),
      is7x24Calendar: flag,
    })
    .nullish(),
  includedStatuses: listOf(statusAnswer),
  excludedStatuses: listOf(statusAnswer),
  deletedStatuses: listOf(statusAnswer),
  asOf: instant,
  askedAt: instant,
  dataAsOf: instant,
  complete: flag,
  cutHistories: count,
  undecided: count,
  unaskedIssues: count,
  creditedCategories: z.array(z.string()).nullish(),
  query: z.string().nullish(),
  total: count,
  nextPageToken: z.string().nullish(),
  table: z.object({
    header: z.object({
      headerColumns: listOf(column),
      groupByColumns: listOf(column),
      fieldColumns: listOf(column),
      valueColumns: listOf(valueColumn),
    }),
    body: z.object({ rows: z.array(row) }),
  }),
});

export type ReportAnswer = z.output<typeof reportAnswer>;
/** A line of it. */
export type RowAnswer = ReportAnswer['table']['body']['rows'][number];
/** A visit of an issue. */
export type VisitAnswer = NonNullable<RowAnswer['expanded']>['rows'][number];

/** Every status that an answer names. */
export function statusesIn(answer: ReportAnswer): readonly Status[] {
  return [...answer.includedStatuses, ...answer.excludedStatuses, ...answer.deletedStatuses];
}

/** The parts of a list, at least one, as one answer: the columns of each, and the issues one part after the other. */
export function mergeAnswers(answers: readonly ReportAnswer[]): ReportAnswer {
  const [first, ...others] = answers;
  if (first === undefined) throw new TypeError('There is no part to merge.');
  if (others.length === 0) return first;
  const headers = answers.map(({ table }) => table.header);
  const counted = (member: 'undecided' | 'unaskedIssues') => answers.map((answer) => answer[member] ?? 0);
  // A member that one part leaves out is unknown for the whole answer.
  const cut = answers.map(({ cutHistories }) => cutHistories ?? Number.NaN).reduce((sum, one) => sum + one);
  const isComplete = answers.every(({ complete }) => complete === true) ? true : null;
  const header = {
    headerColumns: distinct(headers.flatMap(({ headerColumns }) => headerColumns)),
    groupByColumns: distinct(headers.flatMap(({ groupByColumns }) => groupByColumns)),
    fieldColumns: distinct(headers.flatMap(({ fieldColumns }) => fieldColumns)),
    valueColumns: distinct(headers.flatMap(({ valueColumns }) => valueColumns)),
  };
  return {
    ...first,
    includedStatuses: distinct(answers.flatMap(({ includedStatuses }) => includedStatuses)),
    excludedStatuses: distinct(answers.flatMap(({ excludedStatuses }) => excludedStatuses)),
    deletedStatuses: distinct(answers.flatMap(({ deletedStatuses }) => deletedStatuses)),
    complete: answers.some(({ complete }) => complete === false) ? false : isComplete,
    cutHistories: Number.isNaN(cut) ? null : cut,
    // Every part counts these among all issues.
    undecided: Math.max(...counted('undecided')),
    unaskedIssues: Math.max(...counted('unaskedIssues')),
    table: { header, body: { rows: answers.flatMap(({ table }) => table.body.rows) } },
  };
}

/** The first of each id. */
function distinct<Entry extends { readonly id: string }>(entries: readonly Entry[]): Entry[] {
  return [...Map.groupBy(entries, ({ id }) => id).values()].flatMap((same) => same.slice(0, 1));
}

const weekday = z
  .string()
  .transform((text) => weekdays.find((one) => one === text.toUpperCase()) ?? text)
  .pipe(z.enum(weekdays));

/** Days are yyyy-MM-dd by the documents, and in live answers as the format settings have them by default. */
const day = z.string().transform((text, context) => {
  const at = ['yyyy-MM-dd', 'dd/MMM/yy']
    .map((pattern) => readJavaDate(text, { timeZone: 'UTC', locale: 'en_US', pattern }))
    .find((one) => one !== null);
  if (at !== undefined && at !== null) return isoDay(at);
  context.addIssue({ code: 'custom', message: 'no day' });
  return z.NEVER;
});

const holiday = z
  .object({ name: z.string().nullish(), date: day, recurring: z.boolean().nullish() })
  .transform(({ name, date, recurring }) => ({ name: name ?? '', date, recurring: recurring ?? false }));

/** A calendar; the built-in one in which every hour counts comes without id and hours. */
export const calendarAnswer = z
  .object({
    id: z.number().nullish(),
    name: z.string(),
    timeZone: z.string(),
    isDefault: z.boolean().nullish(),
    is7x24Calendar: z.boolean().nullish(),
    allWorkingDaysHaveEqualLengths: z.boolean().nullish(),
    workingTimes: z.array(z.object({ weekday, start: z.number(), end: z.number() })).nullish(),
    holidays: z.array(holiday).nullish(),
  })
  .transform((answer, context) => {
    const { id = null, name, timeZone, workingTimes, holidays } = answer;
    const isContinuous = answer.is7x24Calendar ?? (id === null && !workingTimes?.length);
    // Before July 2023 calendars had another shape.
    if (!isContinuous && !workingTimes) {
      context.addIssue({ code: 'custom', message: 'no hours', path: ['workingTimes'] });
      return z.NEVER;
    }
    const allDay = weekdays.map((one) => ({ weekday: one, start: 0, end: millisecondsInDay }));
    const hours = { workingTimes: isContinuous ? allDay : (workingTimes ?? []), holidays: holidays ?? [] };
    const isDefault = answer.isDefault ?? id === null;
    const definition: CalendarDefinition = { id, name, timeZone, isDefault, ...hours };
    return { definition, hasEqualDays: answer.allWorkingDaysHaveEqualLengths ?? false };
  });

/** All of them. */
export const calendarsAnswer = z.array(calendarAnswer);
