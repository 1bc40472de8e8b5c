import { millisecondsInDay } from 'date-fns/constants';
import { z } from 'zod';
import type { ReportTypeFacts } from '../../api/reporting/reporting-api.ts';
import { AppError } from '../../model/error.ts';
import type { Instant } from '../../model/issue.ts';
import type { ParameterSet } from '../../model/parameter-set.ts';
import { ask, dateRangeFields } from '../../model/request.ts';
import type { CalendarDefinition } from '../../model/settings.ts';
import { questionKinds } from '../../questions/index.ts';
import type { Hours, ParserContext } from '../../questions/parse/parser-context.ts';
import { defaultStatistic } from '../../questions/parse/read-statistic.ts';
import { formats, oneOf } from '../../questions/parse/typed-words.ts';
import type { Inputs, Place } from '../app/handler-types.ts';
import type { SlackParts } from '../app/parts.ts';
import { setNameProblem } from '../ask/saved-sets.ts';
import { knownPrincipal } from '../people/principals.ts';

/** Where the answer goes: told privately where the builder was opened, or a file of this format posted there. */
const targets = ['here', ...formats] as const;

/** All but the filter: what the modal carries, so that nothing chosen is lost while it is not shown. */
export const storedSchema = z.object({
  place: z.object({ channel: z.string(), threadTs: z.string().nullable() }),
  /** Counts how often the fields were filled anew: Slack keeps what was entered in a field that has the same id. */
  filled: z.number(),
  /** A report type's id, or that of a kind with a title of its own. */
  report: z.string(),
  /** The last whole one, the running one, or an instant that lies in the same ISO week on every clock. */
  week: z.union([z.enum(['last', 'this']), z.number()]),
  /** As `/tis` takes it, such as `last 30 days`; or `any`, or `dates`. */
  range: z.string(),
  dateField: z.enum(dateRangeFields),
  /** yyyy-MM-dd; empty where that end is open. */
  from: z.string(),
  to: z.string(),
  /** Fields by id or name. */
  groupBy: z.array(z.string()).readonly(),
  /** As `/tis` takes it, such as `p85` or `list`. */
  statistic: z.string(),
  /** A calendar's id, or `normalHours`. */
  calendar: z.string(),
  target: z.enum(targets),
  saveAs: z.string(),
  isPublic: z.boolean(),
  /** The id of the parameter set it was filled from; empty where it was not. */
  saved: z.string(),
  /** The first names of parameters of that set which the form has no field for, shortened; and how many more there are. */
  untold: z.array(z.string()).readonly(),
  moreUntold: z.number(),
  /** Whether the filter it was filled with was too long for its field, and nothing has been entered instead. */
  filterLeftOut: z.boolean(),
});

/** What the report builder holds. */
export type BuilderForm = Readonly<z.output<typeof storedSchema>> & {
  /** As it would stand behind `/tis`. */
  readonly filter: string;
};

/** What is asked most, of the hours of here. */
export function newForm(place: Place, { calendar }: Hours): BuilderForm {
  return {
    place,
    filled: 0,
    report: 'statusDuration',
    filter: '',
    week: 'last',
    range: 'last 30 days',
    dateField: 'created',
    from: '',
    to: '',
    groupBy: [],
    statistic: 'average',
    calendar,
    target: 'here',
    saveAs: '',
    isPublic: false,
    saved: '',
    untold: [],
    moreUntold: 0,
    filterLeftOut: false,
  };
}

/** Whether the form asks for a report over issues, which has dates, groups and statistics and can be saved. */
export function isReport({ report }: Pick<BuilderForm, 'report'>): boolean {
  return questionKinds.every(({ kind, builderTitle }) => kind !== report || builderTitle === undefined);
}

/** The form as it stands in the modal; what was not shown is as it was before. */
export function readBuilder({
  metadata,
  chosen,
  chosenAll,
  texts,
}: Inputs & { readonly metadata: string }): BuilderForm {
  const kept = storedSchema.parse(JSON.parse(metadata));
  const filter = texts.filter?.trim() ?? '';
  const hadDates = isReport(kept) && kept.range === 'dates';
  return {
    ...kept,
    report: chosen['builder-report'] ?? kept.report,
    filter,
    filterLeftOut: kept.filterLeftOut && filter === '',
    week: weekOf(chosen.week) ?? kept.week,
    range: chosen['builder-range'] ?? kept.range,
    dateField: oneOf(dateRangeFields, chosen['date-field']) ?? kept.dateField,
    from: hadDates ? (texts.from ?? '') : kept.from,
    to: hadDates ? (texts.to ?? '') : kept.to,
    groupBy: isReport(kept) ? (chosenAll['builder-group'] ?? []) : kept.groupBy,
    statistic: chosen.statistic ?? kept.statistic,
    calendar: chosen['builder-calendar'] ?? kept.calendar,
    target: oneOf(targets, chosen.target) ?? kept.target,
    saveAs: isReport(kept) ? (texts['save-as']?.trim() ?? '') : kept.saveAs,
    isPublic: isReport(kept) ? (chosenAll.public ?? []).length > 0 : kept.isPublic,
  };
}

/** Undefined: none was chosen. */
function weekOf(chosen: string | undefined): BuilderForm['week'] | undefined {
  const named = oneOf(['last', 'this'] as const, chosen);
  return named === undefined && /^\d+$/.test(chosen ?? '') ? Number(chosen) : named;
}

/** What is wrong at first sight. */
export function wrongInBuilder(form: BuilderForm, now: Instant): Wrong {
  if (!isReport(form)) return {};
  const name = setNameProblem(form.saveAs);
  return { ...(name === null ? {} : { 'save-as': name }), ...wrongDays(form, now) };
}

function wrongDays({ range, from, to }: BuilderForm, now: Instant): Wrong {
  if (range !== 'dates') return {};
  if (from === '') return { from: 'From which day on? Without a last day it lasts until now.' };
  // In the east of us the day may have begun.
  if (Date.parse(from) > now + millisecondsInDay) return { from: 'This day is still to come.' };
  return to !== '' && to < from ? { to: 'This must not be before the first day.' } : {};
}

/** Fields of the report builder at which something can be wrong. */
export type Field =
  | 'builder-report'
  | 'filter'
  | 'builder-range'
  | 'from'
  | 'to'
  | 'builder-group'
  | 'statistic'
  | 'builder-calendar'
  | 'target'
  | 'save-as';

/** What is wrong, in plain sentences by field. */
export type Wrong = Readonly<Partial<Record<Field, string>>>;

/** What there is to choose from, for one principal in one place. */
export interface BuilderFacts {
  readonly reportTypes: readonly ReportTypeFacts[];
  readonly calendars: readonly CalendarDefinition[];
  readonly sets: readonly ParameterSet[];
  /** Whether issues of the chosen report can become one figure. */
  readonly takesStatistic: boolean;
  /** Only a user of the tracker owns what is saved. */
  readonly maySave: boolean;
}

/** Gathers it. */
export async function builderFacts(
  form: BuilderForm,
  account: string,
  asking: ParserContext,
  parts: Pick<SlackParts, 'reporting' | 'people' | 'accounts' | 'log'>,
): Promise<BuilderFacts> {
  const { reportTypes, calendars } = asking;
  const [sets, takesStatistic, known] = await Promise.all([
    asking.parameterSets(),
    isReport(form) ? canCondense(form.report, asking, parts) : false,
    knownPrincipal(account, parts),
  ]);
  return { reportTypes, calendars, sets, takesStatistic, maySave: known !== null };
}

/** Whether a report type takes a statistic: only the reporting port knows. */
async function canCondense(
  reportType: string,
  { principal }: ParserContext,
  { reporting }: Pick<SlackParts, 'reporting'>,
): Promise<boolean> {
  const request = ask({
    principal,
    reportType,
    selection: { by: 'jql', jql: '' },
    statistic: defaultStatistic,
  });
  try {
    await reporting.check(request);
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === 'bad-request') return false;
    throw error;
  }
}
