import { queryOf, selectionOfQuery } from '../../api/parameters/rolling-range.ts';
import { parametersOf, present, requestSelection } from '../../api/parameters/saved-report.ts';
import type { IssueChoices } from '../../api/reporting/reporting-api.ts';
import { compareText } from '../../model/issues/ids-and-names.ts';
import type { ParameterSet, SavedReport } from '../../model/parameter-set.ts';
import type { MovingRange, Question } from '../../model/question.ts';
import type { Selection, Statistic } from '../../model/request.ts';
import { isoDay, readIsoDay } from '../../time/date-text.ts';
import { dayAt } from '../../time/wall-clock.ts';
import { viewOf } from '../answers/index.ts';
import type { Choice, SlackAction, SlackMenu, SlackShortcut, SlashInvocation } from '../app/handler-types.ts';
import { openLateView } from '../app/open-view.ts';
import type { QuestionParts, ReadingParts, ViewParts } from '../app/parts.ts';
import { orElse } from '../app/show-failure.ts';
import type { ParserContext } from '../ask/grammar/parser-context.ts';
import { readCalendar } from '../ask/grammar/read-calendar.ts';
import { unquoted } from '../ask/grammar/typed-words.ts';
import { parserContextOf } from '../ask/parser-context-of.ts';
import { limits } from '../blocks/limits.ts';
import type { Message } from '../blocks/message.ts';
import { directPlace } from '../exports/request-export.ts';
import {
  type BuilderForm,
  builderFacts,
  calendarChoices,
  type IssueFields,
  MAX_CHOSEN,
  MAX_GROUPS,
  newForm,
  noIssues,
  ranges,
  savedChoices,
  usualFields,
} from './builder-form.ts';
import { builderView, reportBuilderForm } from './builder-view.ts';

type OpeningParts = QuestionParts & ReadingParts & ViewParts;

/**
 * Opens the report builder, whose answers come in the place: filled with a stored run's question (`run ID`), with issues by
 * key or by a query (`filter TEXT`), else with what is usual. What keeps it closed is handed back.
 */
export function openBuilder(
  prefill: string,
  { principal: { account }, place, open }: Pick<SlashInvocation, 'principal' | 'place' | 'open'>,
  parts: OpeningParts,
): Promise<readonly Message[]> {
  return openLateView(
    {
      title: 'Report builder',
      meanwhile: 'Opening…',
      advice: 'Please try again.',
      async make() {
        const context = await parserContextOf(account, place, parts);
        const form = await filledForm(prefill, newForm(place, context.hours), context, parts);
        return builderView(form, await builderFacts(form, account, context, parts));
      },
    },
    open,
    parts,
  );
}

async function filledForm(
  prefill: string,
  form: BuilderForm,
  context: ParserContext,
  parts: OpeningParts,
): Promise<BuilderForm> {
  const [, by, text = ''] = /^(run|filter) (.+)$/s.exec(prefill) ?? [];
  if (by === 'run') return formOfQuestion((await parts.answers.run(text)).question, form);
  if (by === 'filter') return { ...form, jql: text, range: 'any' };
  return { ...form, projects: (await usualProjects(context, parts)).slice(0, MAX_CHOSEN) };
}

/** The default projects here or, where none is known, one that has issues. */
async function usualProjects(
  context: ParserContext,
  { reporting }: ReadingParts,
): Promise<readonly string[]> {
  const usual = await orElse(context.defaultProjects(), () => null);
  if (usual !== null) return usual.projects;
  const keys = await reporting.exampleKeys(context.principal, 1);
  return keys.map((key) => key.slice(0, key.lastIndexOf('-')));
}

/** The button that opens the builder, and its choices that others depend on. */
export const builderActions: readonly SlackAction<OpeningParts>[] = [
  /** Opens the report builder; its value says what it is filled with. */
  {
    id: 'open-builder',
    run: (click, parts) => openBuilder(click.value, click, parts),
  },
  /** Another time: two days have fields of their own. */
  refill('builder-range'),
  /** Another report: not every one takes dates, groups or a statistic. */
  refill('builder-report'),
  /** A saved report: the form is filled from it. */
  refill('builder-saved', async (form, chosen, context, { settings }) =>
    chosen === ''
      ? { ...form, saved: '', leavesOut: false }
      : formOfSaved(await settings.parameterSet(context.principal, chosen), form, context),
  ),
];

/** *Build a report* from anywhere: its answers come in the conversation with the app. */
export const buildReport: SlackShortcut<OpeningParts> = {
  id: 'report-builder',
  type: 'global',
  run: (picked, parts) => openBuilder('', { ...picked, place: directPlace(picked) }, parts),
};

/** A choice in the builder that others depend on: the form again, with what was entered; `change` may alter it. */
function refill(
  id: string,
  change: (
    form: BuilderForm,
    chosen: string,
    context: ParserContext,
    parts: ReadingParts,
  ) => BuilderForm | Promise<BuilderForm> = (form) => form,
): SlackAction<ReadingParts> {
  return {
    id,
    async run({ view, value, principal: { account } }, parts) {
      if (view === null) return [];
      const entered = reportBuilderForm.read(view);
      const context = await parserContextOf(account, entered.place, parts);
      const form = await change(entered, value, context, parts);
      await view.replace(builderView(form, await builderFacts(form, account, context, parts)));
      return [];
    },
  };
}

/** A menu of what a person can choose from, wherever they are; `isOne`: whether what is typed is a choice as well. */
function menuOf(
  id: string,
  choices: (context: ParserContext, parts: ReadingParts) => Promise<readonly Choice[]>,
  isOne?: (text: string, context: ParserContext) => Promise<boolean>,
): SlackMenu<ReadingParts> {
  const contextOf = (account: string, parts: ReadingParts) =>
    parserContextOf(account, { channel: account }, parts);
  return {
    id,
    choices: async (account, parts) => choices(await contextOf(account, parts), parts),
    ...(isOne && {
      typed: async (text: string, account: string, parts: ReadingParts) =>
        (await isOne(text, await contextOf(account, parts))) ? ([text, text] as const) : null,
    }),
  };
}

/** The menus of the builder that are searched. */
export const builderMenus: readonly SlackMenu<ReadingParts>[] = [
  /** The calendars, where they are too many for a menu. */
  menuOf('builder-calendar', async ({ calendars }) => calendarChoices(calendars)),
  /** The saved reports, where they are too many for a menu. */
  menuOf('builder-saved', async (context) => savedChoices(await context.parameterSets())),
  /** Fields to group by: the usual ones, and any that is typed by its name and that the person can see. */
  menuOf(
    'builder-group',
    async () => usualFields,
    (text, context) => context.isField(text),
  ),
  /** Projects by key; one that is typed by its name as well. */
  menuOf(
    'builder-projects',
    async (context, parts) => (await issueChoices(context, parts)).projects.map((key) => [key, key]),
    (text, context) => context.isProject(text),
  ),
  /** Sprints by name, the last to begin first. */
  menuOf('builder-sprint', async (context) =>
    [...new Set(await context.sprintNames())].map((name) => [name, name]),
  ),
  /** Saved filters of the tracker that the person can use. */
  menuOf('builder-filter', async (context, parts) =>
    (await issueChoices(context, parts)).filters.map(({ name }) => [name, name]),
  ),
  /** People of the tracker, the one who looks first. */
  menuOf('builder-people', async (context, parts) => {
    const { people } = await issueChoices(context, parts);
    const isSelf = ({ id }: { readonly id: string }) => id === context.principal.account;
    return people
      .toSorted((a, b) => Number(isSelf(b)) - Number(isSelf(a)) || compareText(a.name, b.name))
      .map((one) => [isSelf(one) ? `${one.name} (me)` : one.name, one.id]);
  }),
];

/** None where the service behind has no such list. */
async function issueChoices(
  { principal }: ParserContext,
  { reporting }: ReadingParts,
): Promise<IssueChoices> {
  const none = { projects: [], filters: [], people: [] };
  return orElse(reporting.choices(principal), () => none, 'unsupported-by-service');
}

/** The form as far as a question that was asked fills it. */
export function formOfQuestion(question: Question, form: BuilderForm): BuilderForm {
  const filled = viewOf(question).builder?.(question);
  if (filled === undefined) return form;
  const { filter, range, statistic, isSummary = false, ...fields } = filled;
  return {
    ...form,
    ...fields,
    ...(filter === null ? noIssues : issueFields(filter)),
    ...(statistic !== undefined && {
      statistic: statisticText(statistic),
      summaryWith: isSummary ? statisticText(statistic) : '',
    }),
    ...(range === null && { range: 'any' }),
    ...(range && { dateField: range.field, ...rangeText(range, question.timeZone) }),
  };
}

/** A statistic as `/tis` takes it. */
function statisticText(statistic: Pick<Statistic, 'type' | 'percentile'> | null): string {
  if (statistic === null) return 'list';
  const { type, percentile } = statistic;
  if (type === 'percentile') return `p${percentile}`;
  return type === 'standardDeviation' ? 'standard deviation' : type;
}

function rangeText({ when }: MovingRange, timeZone: string): FieldsOfTime & Pick<BuilderForm, 'range'> {
  switch (when.by) {
    case 'days':
      return { range: `last ${when.days} days` };
    case 'period':
      return { range: when.back < 2 ? `${when.back === 0 ? 'this' : 'last'} ${when.period}` : 'any' };
    case 'dates': {
      const day = (at: number) => isoDay(dayAt(at, timeZone));
      return {
        range: 'dates',
        from: when.from === null ? '' : day(when.from),
        to: when.to === null ? '' : day(when.to - 1),
      };
    }
  }
}

/** The form filled from a saved report; `leavesOut`: it has parameters that the form has no field for. */
export function formOfSaved(
  { id, report: saved }: Pick<ParameterSet, 'id' | 'report'>,
  form: BuilderForm,
  { calendars, reportTypes }: Pick<ParserContext, 'calendars' | 'reportTypes'>,
): BuilderForm {
  const { reportType, calendar, groupBy = [], statistic, includeDeletedStatuses, ...more } = saved;
  const { issueKey: _issueKey, selection, range: _range, ...others } = more;
  const { fields, left } = fieldsOfIssues(more);
  const report = reportTypes.find((one) => one.id.toLowerCase() === reportType?.toLowerCase())?.id;
  const calendarId = readCalendar(calendar ?? 'normalHours', calendars);
  const { type, percentile = 85, ...figures } = statistic ?? {};
  // Some of the fields would make other groups.
  const isGrouped =
    groupBy.length <= MAX_GROUPS && groupBy.every(({ length }) => length <= limits.option.value);
  const unshown = parametersOf({
    ...others,
    ...left,
    ...(calendar === undefined || calendarId !== null ? {} : { calendar }),
    ...(isGrouped ? {} : { groupBy }),
    // Every statistic of ours says so, and every list.
    ...(includeDeletedStatuses === false ? { includeDeletedStatuses } : {}),
    statistic: figures,
  });
  // Without a choice of issues the form would ask for those that are usual here.
  const isNamed = (name: string) => selection === undefined || !/^filterType$/i.test(name);
  const hasMore = Object.keys(unshown).some((name) => isNamed(name) && (unshown[name] ?? '') !== '');
  return {
    ...form,
    ...fields,
    filled: form.filled + 1,
    report: report ?? form.report,
    calendar: calendarId ?? form.calendar,
    groupBy: isGrouped ? groupBy : [],
    timePeriod: 'Month',
    statistic: statisticText(type === undefined ? null : { type, percentile }),
    summaryWith: '',
    saved: id,
    leavesOut: hasMore || report === undefined,
    isJqlLeftOut: false,
  };
}

type FieldsOfTime = Partial<Pick<BuilderForm, 'range' | 'dateField' | 'from' | 'to'>>;

/** Which issues a saved report is about, as far as the form has fields for it; and what it has none for. */
function fieldsOfIssues({ issueKey, selection, range }: SavedReport) {
  const time = issueKey !== undefined || range === undefined ? {} : fieldsOfTime(range);
  // A time that the form does not offer stays in the query, or is named.
  const chosen = requestSelection({ selection, range: time === null ? range : undefined });
  const issues = chosen && issueFields(chosen.by === 'jql' ? selectionOfQuery(chosen.jql) : chosen);
  const isNamed = time === null && range !== undefined && !('when' in range);
  return {
    fields: {
      ...(issueKey === undefined ? (issues ?? noIssues) : { ...noIssues, jql: issueKey }),
      ...({ range: 'any', dateField: 'created' } as const),
      ...time,
    },
    left: issueKey !== undefined ? present({ selection, range }) : isNamed ? { range } : {},
  };
}

function fieldsOfTime(range: NonNullable<SavedReport['range']>): FieldsOfTime | null {
  if ('when' in range) {
    const { range: words } = rangeText(range, 'UTC');
    const isOffered = words !== 'any' && ranges.some(([, offered]) => offered === words);
    return isOffered ? { range: words, dateField: range.field } : null;
  }
  const { field: dateField = 'created', from = '', to = '' } = range;
  if (from === '' && to === '') return {};
  const areDays = [from, to === '' ? from : to].every((day) => readIsoDay(day) !== null);
  return areDays ? { range: 'dates', dateField, from, to } : null;
}

/** A choice of issues in the fields of the form: a query that they can show is shown by them. */
function issueFields(selection: Selection): IssueFields {
  switch (selection.by) {
    case 'keys':
      return { ...noIssues, jql: selection.keys.join(', ') };
    case 'project':
      return { ...noIssues, projects: [selection.project] };
    case 'savedFilter':
      return { ...noIssues, savedFilter: selection.id };
    case 'sprint':
      return { ...noIssues, sprint: selection.id };
    case 'jql':
      return fieldsOfQuery(selection.jql) ?? { ...noIssues, jql: selection.jql };
    case 'user':
      return { ...noIssues, jql: queryOf(selection) };
  }
}

const literal = '"[^"\\\\]+"';
const clause = new RegExp(
  `^\\(?(project|sprint|filter|assignee) (?:= (${literal}|(?!(?:empty|null)\\b)[\\w-]+)|in \\((${literal}(?:, ${literal})*)\\))\\)?$`,
  'i',
);

/** Null: the query says more than the fields hold. */
function fieldsOfQuery(jql: string): IssueFields | null {
  const chosen = new Map<string, readonly string[]>();
  for (const piece of jql.split(' AND ')) {
    const [, name = '', one, several = ''] = clause.exec(piece) ?? [];
    const field = name.toLowerCase();
    const values = (one ?? several).split(/, (?=")/).map(unquoted);
    const max = field === 'sprint' || field === 'filter' ? 1 : MAX_CHOSEN;
    if (field === '' || chosen.has(field) || values.length > max) return null;
    chosen.set(field, values);
  }
  return {
    ...noIssues,
    projects: chosen.get('project') ?? [],
    people: chosen.get('assignee') ?? [],
    sprint: chosen.get('sprint')?.[0] ?? '',
    savedFilter: chosen.get('filter')?.[0] ?? '',
  };
}
