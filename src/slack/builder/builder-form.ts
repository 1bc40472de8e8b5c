import { z } from 'zod';
import type { ParameterSet } from '../../model/parameter-set.ts';
import type { Hours } from '../../model/question.ts';
import { reportIds } from '../../model/report-ids.ts';
import { ask, dateRangeFields, defaultStatistic, timePeriods } from '../../model/request.ts';
import type { CalendarDefinition } from '../../model/settings.ts';
import { questionViews } from '../answers/index.ts';
import { placeSchema } from '../app/define-form.ts';
import type { Choice, Place } from '../app/handler-types.ts';
import type { ReadingParts } from '../app/parts.ts';
import { capitalized, orElse } from '../app/show-failure.ts';
import type { ParserContext } from '../ask/grammar/parser-context.ts';
import { calendarIdOf } from '../ask/grammar/read-calendar.ts';
import { USUAL_FIELD } from '../ask/grammar/read-range.ts';
import { knownPrincipal } from '../people/accounts.ts';

/** All but the JQL: what the modal carries, so that nothing chosen is lost while it is not shown. */
export const storedSchema = z.object({
  place: placeSchema,
  /** Counts how often the fields were filled: Slack keeps what was entered in a field that has the same id. */
  filled: z.number().default(0),
  /** A report type's id, or that of a kind with a title of its own. */
  report: z.string().default(reportIds.statusDuration),
  /** Keys. */
  projects: z.array(z.string()).readonly().default([]),
  /** By id or name; empty where none is chosen. */
  sprint: z.string().default(''),
  savedFilter: z.string().default(''),
  /** Ids. */
  people: z.array(z.string()).readonly().default([]),
  /** The last whole one, the running one, or an instant that is in the same ISO week in every zone. */
  week: z.union([z.enum(['last', 'this']), z.number()]).default('last'),
  /** True if a report on aging is about issues that are not started as well. */
  withBacklog: z.boolean().default(false),
  /** A forecast is about so many issues; empty: all that are open. */
  count: z.string().default(''),
  /** A forecast is about how many until this day (yyyy-MM-dd); empty: about when. */
  until: z.string().default(''),
  /** As `/tis` takes it, such as `last 30 days`; or `any`, or `dates`. */
  range: z.string().default('last 30 days'),
  dateField: z.enum(dateRangeFields).default(USUAL_FIELD),
  /** yyyy-MM-dd; empty where that end is open. */
  from: z.string().default(''),
  to: z.string().default(''),
  /** Fields by id or name. */
  groupBy: z.array(z.string()).readonly().default([]),
  /** The period of a report by period; the form has no field for it. */
  timePeriod: z.enum(timePeriods).default('Month'),
  /** As `/tis` takes it, such as `p85` or `list`. */
  statistic: z.string().default('average'),
  /** The statistic with which the answer is as where none is typed, a summary or a trend; empty for none. */
  summaryWith: z.string().default('average'),
  /** A calendar's id, or `normalHours`. */
  calendar: z.string(),
  /** An answer, or a file and where it goes, `csv me` or `csv post`. */
  target: z.string().default('answer'),
  saveAs: z.string().default(''),
  isPublic: z.boolean().default(false),
  /** The id of the parameter set it was filled from; empty where it was not. */
  saved: z.string().default(''),
  /** True if that set has parameters that the form has no field for. */
  leavesOut: z.boolean().default(false),
  /** True if the JQL it was filled with was too long for its field, and nothing has been entered instead. */
  isJqlLeftOut: z.boolean().default(false),
});

/** The content of the report builder. */
export type BuilderForm = Readonly<z.output<typeof storedSchema>> & {
  /** A query, or issue keys. */
  readonly jql: string;
};

/** The usual question, in the hours of the place. */
export function newForm(place: Place, { calendar }: Hours): BuilderForm {
  return { ...storedSchema.parse({ place, calendar }), jql: '' };
}

/** The fields that choose the issues. */
export type IssueFields = Pick<BuilderForm, 'projects' | 'sprint' | 'savedFilter' | 'people' | 'jql'>;

/** The same with nothing chosen: the default projects. */
export const noIssues: IssueFields = { projects: [], sprint: '', savedFilter: '', people: [], jql: '' };

/** True if the form is about a report over issues, which has dates, groups and statistics and can be saved. */
export function isReport({ report }: Pick<BuilderForm, 'report'>): boolean {
  return questionViews.every(({ of, builderTitle }) => of.kind !== report || builderTitle === undefined);
}

/** Fields of the report builder at which something can be wrong. */
export type BuilderField =
  | `builder-${'report' | 'projects' | 'sprint' | 'filter' | 'people' | 'range' | 'group' | 'calendar'}`
  | ('jql' | 'from' | 'to' | 'statistic' | 'target' | 'save-as' | 'count' | 'until');

/** The mistakes, in plain sentences by field. */
export type BuilderProblems = Readonly<Partial<Record<BuilderField, string>>>;

/** The choices that a principal has in a place. */
export interface BuilderFacts extends Pick<ParserContext, 'reportTypes' | 'calendars'> {
  readonly sets: readonly ParameterSet[];
  /** The names of the chosen people, by id. */
  readonly names: ReadonlyMap<string, string>;
  /** True if issues of the chosen report can become one figure. */
  readonly takesStatistic: boolean;
  /** Only a user of the tracker owns what is saved. */
  readonly canSave: boolean;
}

/** Gathers it. */
export async function builderFacts(
  form: BuilderForm,
  account: string,
  context: ParserContext,
  parts: ReadingParts,
): Promise<BuilderFacts> {
  const { reportTypes, calendars } = context;
  const [sets, takesStatistic, known, names] = await Promise.all([
    context.parameterSets(),
    isReport(form) && canCondense(form.report, context, parts),
    knownPrincipal(account, parts),
    Promise.all(form.people.map(async (id) => [id, await context.nameOf(id)] as const)),
  ]);
  return { reportTypes, calendars, sets, names: new Map(names), takesStatistic, canSave: known !== null };
}

/** True if a report type takes a statistic: only the reporting port knows. */
async function canCondense(
  reportType: string,
  { principal }: ParserContext,
  { reporting }: ReadingParts,
): Promise<boolean> {
  const selection = { by: 'jql', jql: '' } as const;
  const check = reporting.check(ask({ principal, reportType, selection, statistic: defaultStatistic }));
  return orElse(
    check.then(() => true),
    () => false,
    'bad-request',
  );
}

const periods = ['week', 'month', 'quarter', 'year'].flatMap((one) => [`this ${one}`, `last ${one}`]);
const moving = ['last 7 days', 'last 30 days', 'last 90 days', ...periods];

/** Ranges of time by the words of `/tis`. */
export const ranges: readonly Choice[] = [
  ['Any time', 'any'],
  ...moving.map((words): Choice => [capitalized(words), words]),
  ['Between two days…', 'dates'],
];

/** The most projects, or people, that can be chosen: a modal carries a limited amount. */
export const MAX_CHOSEN = 6;

/** More fields to group by at once make tiny groups. */
export const MAX_GROUPS = 3;

/** Fields people group by most; any other is found by typing its name. */
export const usualFields: readonly Choice[] = [
  ['Project', 'project'],
  ['Issue type', 'issuetype'],
  ['Priority', 'priority'],
  ['Assignee', 'assignee'],
  ['Reporter', 'reporter'],
  ['Status', 'status'],
  ['Resolution', 'resolution'],
  ['Components', 'components'],
  ['Labels', 'labels'],
  ['Fix versions', 'fixVersions'],
  ['Affects versions', 'versions'],
  ['Parent', 'parent'],
];

/** Calendars by name; the built-in one says what it is. */
export function calendarChoices(calendars: readonly CalendarDefinition[]): readonly Choice[] {
  return calendars.map((one) => [one.id === null ? '24/7' : one.name, calendarIdOf(one)]);
}

/** Parameter sets by name, with whose they are. */
export function savedChoices(sets: readonly ParameterSet[]): readonly Choice[] {
  return sets.map(({ id, name, public: isPublic }) => [isPublic ? `${name} (public)` : name, id]);
}
