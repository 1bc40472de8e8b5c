import type { ModalView } from '@slack/types';
import { z } from 'zod';
import { periodAt } from '../../time/periods.ts';
import { questionViews } from '../answers/index.ts';
import { lineOfSet, MAX_SET_NAME, savedLine } from '../answers/report/read-saved.ts';
import { defineForm, field } from '../app/define-form.ts';
import { entered, input, optionOf, optionsOf } from '../app/form-inputs.ts';
import type { Choice } from '../app/handler-types.ts';
import { isDirect } from '../app/hours-here.ts';
import { capitalized } from '../app/show-failure.ts';
import { limits } from '../blocks/limits.ts';
import { context, section } from '../blocks/mrkdwn.ts';
import { formatChoices } from '../exports/export-form.ts';
import {
  type BuilderFacts,
  type BuilderForm,
  type BuilderProblems,
  calendarChoices,
  isReport,
  MAX_CHOSEN,
  MAX_GROUPS,
  ranges,
  savedChoices,
  storedSchema,
  usualFields,
} from './builder-form.ts';

/** The report builder. It carries what it does not show. */
export const reportBuilderForm = defineForm({
  id: 'report-builder',
  title: 'Report builder',
  submit: 'Run report',
  carried: storedSchema.transform((stored) => ({ ...stored, ...emptied(stored) })),
  carry: (form) => storedSchema.parse(form),
  generation: ({ filled }) => filled,
  reads: {
    // A value without an input is never entered.
    ...storedSchema.omit({ saved: true }).shape,
    jql: z.string().trim().default(''),
    week: z.union([z.enum(['last', 'this']), z.string().regex(/^\d+$/).transform(Number)]),
    withBacklog: entered.check,
    isPublic: entered.check,
    saveAs: z.string().trim(),
    count: z.string().trim().default(''),
  },
  ids: {
    saved: 'builder-saved',
    report: 'builder-report',
    projects: 'builder-projects',
    sprint: 'builder-sprint',
    savedFilter: 'builder-filter',
    people: 'builder-people',
    withBacklog: 'backlog',
    range: 'builder-range',
    dateField: 'date-field',
    groupBy: 'builder-group',
    calendar: 'builder-calendar',
    saveAs: 'save-as',
    isPublic: 'public',
  },
  rows,
});

/** The report builder as it is filled in, with what is wrong below the field it is about. */
export function builderView(form: BuilderForm, facts: BuilderFacts, wrong: BuilderProblems = {}): ModalView {
  const isLeftOut = isJqlLeftOut(form);
  const jql = isLeftOut ? '' : form.jql;
  return reportBuilderForm.view({ ...form, jql, isJqlLeftOut: isLeftOut }, facts, wrong);
}

/** The values of the inputs that the form shows, before anything is entered in them. */
function emptied({ report, range }: z.output<typeof storedSchema>): Partial<BuilderForm> {
  return {
    projects: [],
    sprint: '',
    ...(report === 'aging' && { withBacklog: false }),
    ...(report === 'forecast' && { count: '', until: '' }),
    ...(report !== 'sprint' && { savedFilter: '', people: [] }),
    ...(isReport({ report }) && {
      ...(range === 'dates' && { from: '', to: '' }),
      groupBy: [],
      saveAs: '',
      isPublic: false,
    }),
  };
}

/** Questions beside the report types. */
const ownReports: readonly Choice[] = questionViews.flatMap(({ of, builderTitle }): Choice[] =>
  typeof builderTitle === 'string' ? [[builderTitle, of.kind]] : [],
);

/** Which date a range is about. */
const dateFields: readonly Choice[] = [
  ['Finished', 'finished'],
  ['Resolved', 'resolved'],
  ['Created', 'created'],
  ['Updated', 'updated'],
];

/** Statistics by the words of `/tis`. */
const statistics: readonly Choice[] = [
  ['Average', 'average'],
  ['Median', 'median'],
  ['85th percentile', 'p85'],
  ['Sum', 'sum'],
  ['Standard deviation', 'standard deviation'],
  ['List of issues', 'list'],
];

function rows(form: BuilderForm, facts: BuilderFacts) {
  const { report, range, dateField, statistic } = form;
  const reports = [...facts.reportTypes.map(({ id, title }): Choice => [title, id]), ...ownReports];
  const group = (id: string): Choice => [usualFields.find(([, one]) => one === id)?.[0] ?? id, id];
  const calendar = named(calendarChoices(facts.calendars));
  const days = [
    field('from', 'First day', input.day),
    field('to', 'Last day', input.day, { optional: true, hint: 'Leave empty for today.' }),
  ];
  const groups = input.searchForSeveral('No grouping', MAX_GROUPS, group);
  const reportRows = [
    field('range', 'Time', menuWith(range, ranges), { isWatched: true }),
    ...(range === 'dates' ? days : []),
    ...(range === 'any' ? [] : [field('dateField', 'Issues that were', menuWith(dateField, dateFields))]),
    field('groupBy', 'Group by', groups, { optional: true, hint: "Or type a field's name." }),
  ];
  const noStatistic = context('This report has no statistics, so the answer is a list of issues.');
  const backlog = input.checkbox('Include backlog', 'backlog');
  return [
    ...savedRows(form, facts),
    field('report', 'Report', menuWith(report, reports), { isWatched: true }),
    ...issueRows(form, facts),
    ...(report === 'weekly' ? [field('week', 'Week', weekMenu(form))] : []),
    ...(report === 'aging' ? [field('withBacklog', 'Backlog', backlog, { optional: true })] : []),
    ...(report === 'forecast' ? forecastRows() : []),
    ...(isReport(form) ? reportRows : []),
    ...(facts.takesStatistic
      ? [field('statistic', 'Statistic', menuWith(statistic, statistics))]
      : isReport(form)
        ? [noStatistic]
        : []),
    field('calendar', 'Working hours', input.search('Type a name', calendar)),
    field('target', 'Answer', targetMenu(form)),
    ...(isReport(form) ? savingRows(facts) : []),
  ];
}

/** When a number of issues is done, or how many by a day. */
function forecastRows() {
  const number = input.text({ placeholder: '20', maxLength: 6 });
  return [
    field('count', 'Number of issues', number, { optional: true, hint: 'Leave empty for all open issues.' }),
    field('until', 'Or: how many by', input.day, { optional: true }),
  ];
}

/** The choice of a value; an empty one, which no menu offers, where it is gone. */
function named(choices: readonly Choice[]) {
  return (value: string): Choice => choices.find(([, one]) => one === value) ?? ['', ''];
}

function savedRows({ saved, leavesOut }: BuilderForm, { sets }: BuilderFacts) {
  if (sets.length === 0) return [];
  const menu = input.search('Choose one', named(savedChoices(sets)));
  const hint = `The saved report has more settings than the builder. ${lineOf(saved, sets)} uses them all.`;
  return [
    field('saved', 'Start from a saved report', menu, { isWatched: true, optional: true }),
    ...(leavesOut ? [section(hint)] : []),
  ];
}

function lineOf(saved: string, sets: BuilderFacts['sets']): string {
  const set = sets.find(({ id }) => id === saved);
  // Whose a set is does not matter where it is named by its id.
  return set === undefined ? savedLine('NAME') : lineOfSet(set, sets, '');
}

/** Menus that choose the issues; the expert's field is the last. */
function issueRows(form: BuilderForm, { sets, names }: BuilderFacts) {
  const isSprint = form.report === 'sprint';
  const optional = { optional: true };
  const projects = input.searchForSeveral('The default of this channel', MAX_CHOSEN);
  const people = input.searchForSeveral('Anyone', MAX_CHOSEN, (id) => [names.get(id) ?? id, id]);
  return [
    field('projects', 'Projects', projects, optional),
    field('sprint', 'Sprint', input.search(isSprint ? 'The last sprint' : 'Any'), optional),
    ...(isSprint
      ? []
      : [
          field('savedFilter', 'Saved filter', input.search('Any'), optional),
          field('people', 'Assignees', people, optional),
          ...jqlRows(form, sets),
        ]),
  ];
}

/** A piece of a query would choose other issues, so one that is too long is left out whole until another is entered. */
function isJqlLeftOut({ jql, isJqlLeftOut: wasLeftOut }: BuilderForm): boolean {
  return jql.length > limits.plainTextInput || (wasLeftOut && jql === '');
}

function jqlRows(form: BuilderForm, sets: BuilderFacts['sets']) {
  const { isJqlLeftOut: isLeftOut } = form;
  const cure =
    form.saved === ''
      ? 'Save the query as a filter in the tracker and choose that filter.'
      : `${lineOf(form.saved, sets)} runs the whole query.`;
  const leftOut = `⚠ The query is too long for the builder, which takes ${limits.plainTextInput} characters, so the field is empty. ${cure}`;
  return [
    field('jql', 'JQL (for experts)', input.text({ placeholder: 'status = Done AND labels = urgent' }), {
      // Left empty it would choose other issues.
      optional: !isLeftOut,
      hint: 'A query or issue keys. Combined with the choices above.',
    }),
    ...(isLeftOut ? [section(leftOut)] : []),
  ];
}

function weekMenu({ week }: BuilderForm) {
  const weeks: Choice[] = [
    ['Last week', 'last'],
    ['This week so far', 'this'],
  ];
  if (typeof week === 'number') weeks.push([`Week ${periodAt(week, 'Week', 'UTC').id}`, String(week)]);
  return input.menu(optionsOf(weeks));
}

/** If only its person reads, a file comes to them alone. */
function targetMenu({ place }: BuilderForm) {
  const files = (where: string) => formatChoices.map(([title, id]) => optionOf(title, `${id} ${where}`));
  return input.groupedMenu([
    ['Message', [optionOf('Here, only visible to me', 'answer')]],
    ['Send a file to me', files('me')],
    ...(isDirect(place.channel) ? [] : [['Post a file here', files('post')] as const]),
  ]);
}

function savingRows({ canSave }: BuilderFacts) {
  if (!canSave) return [context('To save reports, link your Jira user with `/tis link`.')];
  const name = { maxLength: MAX_SET_NAME, placeholder: 'A name, to run it again with /tis saved' };
  const everyone = input.checkbox('Everyone can use it', 'public');
  return [
    field('saveAs', 'Save as', input.text(name), { optional: true }),
    field('isPublic', 'Saved report', everyone, { optional: true }),
  ];
}

/** A menu of few choices; a value that was typed elsewhere is offered beside them. */
function menuWith(chosen: string, choices: readonly Choice[]) {
  const isOffered = choices.some(([, value]) => value === chosen);
  return input.menu(optionsOf(isOffered ? choices : [...choices, [capitalized(chosen), chosen]]));
}
