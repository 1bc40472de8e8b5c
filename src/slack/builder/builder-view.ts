import type { InputBlock, KnownBlock, ModalView } from '@slack/types';
import { shorten } from '../../output/readable-text.ts';
import { periodAt } from '../../time/periods.ts';
import {
  groupedMenuInput,
  inputBlock,
  menuInput,
  optionOf,
  optionsOf,
  plainText,
  textInput,
} from '../app/form-blocks.ts';
import type { Choice } from '../app/handler-types.ts';
import { isDirect } from '../app/hours-here.ts';
import { capitalized } from '../app/show-failure.ts';
import { LONGEST_SET_NAME, lineOfSet, savedLine } from '../ask/saved-sets.ts';
import { limits } from '../blocks/limits.ts';
import { context, plainSection, section } from '../blocks/mrkdwn.ts';

import { formatChoices } from '../exports/export-form.ts';
import {
  type BuilderFacts,
  type BuilderForm,
  calendarChoices,
  dateFields,
  isReport,
  MOST_CHOSEN,
  MOST_GROUPS,
  ownReports,
  ranges,
  savedChoices,
  statistics,
  storedSchema,
  usualFields,
  type Wrong,
} from './builder-form.ts';

/** The report builder as it is filled in, with what is wrong below the field it is about. */
export function builderView(form: BuilderForm, facts: BuilderFacts, wrong: Wrong = {}): ModalView {
  const sentences = new Map(Object.entries(wrong));
  return {
    type: 'modal',
    callback_id: 'report-builder',
    private_metadata: JSON.stringify(storedSchema.parse({ ...form, isJqlLeftOut: isJqlLeftOut(form) })),
    title: plainText('Report builder'),
    submit: plainText('Run report'),
    close: plainText('Cancel'),
    blocks: blocksOf(form, facts).flatMap((block): KnownBlock[] => {
      if (block.type !== 'input') return [block];
      const sentence = sentences.get(block.block_id ?? '');
      // Slack keeps what was entered where a field keeps its id, so a form that is filled again has new ids.
      const field = { ...block, block_id: `${block.block_id}.${form.filled}` };
      return sentence === undefined ? [field] : [field, plainSection(`⚠ ${sentence}`)];
    }),
  };
}

function blocksOf(form: BuilderForm, facts: BuilderFacts): KnownBlock[] {
  const reports = [...facts.reportTypes.map(({ id, title }): Choice => [title, id]), ...ownReports];
  const calendar = calendarChoices(facts.calendars).filter(([, id]) => id === form.calendar);
  return [
    ...savedInput(form, facts),
    { ...menu('builder-report', 'Report', reports, form.report), dispatch_action: true },
    ...issueInputs(form, facts),
    ...(form.report === 'weekly' ? [weekMenu(form)] : []),
    ...(form.report === 'aging' ? [checkbox('backlog', 'Backlog', 'Include backlog', form.withBacklog)] : []),
    ...(isReport(form) ? [...rangeInputs(form), groupInput(form)] : []),
    ...(facts.takesStatistic
      ? [menu('statistic', 'Statistic', statistics, form.statistic)]
      : isReport(form)
        ? [context('This report has no statistics, so the answer is a list of issues.')]
        : []),
    { ...searched('builder-calendar', 'Working hours', calendar, 'Type a name'), optional: false },
    targetInput(form),
    ...(isReport(form) ? savingInputs(form, facts) : []),
  ];
}

function savedInput({ saved, leavesOut }: BuilderForm, { sets }: BuilderFacts): KnownBlock[] {
  if (sets.length === 0) return [];
  const chosen = savedChoices(sets).filter(([, id]) => id === saved);
  const hint = `The saved report has more settings than the builder. ${lineOf(saved, sets)} uses them all.`;
  return [
    {
      ...searched('builder-saved', 'Start from a saved report', chosen, 'Choose one'),
      dispatch_action: true,
    },
    ...(leavesOut ? [section(hint)] : []),
  ];
}

function lineOf(saved: string, sets: BuilderFacts['sets']): string {
  const set = sets.find(({ id }) => id === saved);
  // Whose a set is does not matter where it is named by its id.
  return set === undefined ? savedLine('NAME') : lineOfSet(set, sets, '');
}

/** Menus that choose the issues; the expert's field is the last. */
function issueInputs(form: BuilderForm, { sets, names }: BuilderFacts): KnownBlock[] {
  const { projects, sprint, savedFilter, people } = form;
  const own = (value: string): Choice => [value, value];
  const isSprint = form.report === 'sprint';
  const chosenPeople = people.map((id): Choice => [names.get(id) ?? id, id]);
  return [
    searched('builder-projects', 'Projects', projects.map(own), 'The default of this channel', MOST_CHOSEN),
    searched('builder-sprint', 'Sprint', [own(sprint)], isSprint ? 'The last sprint' : 'Any'),
    ...(isSprint
      ? []
      : [
          searched('builder-filter', 'Saved filter', [own(savedFilter)], 'Any'),
          searched('builder-people', 'Assignees', chosenPeople, 'Anyone', MOST_CHOSEN),
          ...jqlInputs(form, sets),
        ]),
  ];
}

/** A piece of a query would choose other issues, so one that is too long is left out whole until another is entered. */
function isJqlLeftOut({ jql, isJqlLeftOut: wasLeftOut }: BuilderForm): boolean {
  return jql.length > limits.plainTextInput || (wasLeftOut && jql === '');
}

function jqlInputs(form: BuilderForm, sets: BuilderFacts['sets']): KnownBlock[] {
  const isLeftOut = isJqlLeftOut(form);
  const cure =
    form.saved === ''
      ? 'Save the query as a filter in the tracker and choose that filter.'
      : `${lineOf(form.saved, sets)} runs the whole query.`;
  const leftOut = `⚠ The query is too long for the builder, which takes ${limits.plainTextInput} characters, so the field is empty. ${cure}`;
  return [
    textInput('jql', 'JQL (for experts)', isLeftOut ? '' : form.jql, {
      // Left empty it would choose other issues.
      optional: !isLeftOut,
      placeholder: 'status = Done AND labels = urgent',
      hint: 'A query or issue keys. Combined with the choices above.',
    }),
    ...(isLeftOut ? [section(leftOut)] : []),
  ];
}

function weekMenu({ week }: BuilderForm): InputBlock {
  const weeks: Choice[] = [
    ['Last week', 'last'],
    ['This week so far', 'this'],
  ];
  if (typeof week === 'number') weeks.push([`Week ${periodAt(week, 'Week', 'UTC').id}`, String(week)]);
  return menu('week', 'Week', weeks, String(week));
}

function rangeInputs({ range, dateField, from, to }: BuilderForm): KnownBlock[] {
  const day = (id: string, label: string, initial: string) =>
    inputBlock(id, label, {
      ...{ type: 'datepicker', action_id: id },
      ...(initial === '' ? {} : { initial_date: initial }),
    });
  const last = { optional: true, hint: plainText('Leave empty for today.') };
  return [
    { ...menu('builder-range', 'Time', ranges, range), dispatch_action: true },
    ...(range === 'dates' ? [day('from', 'First day', from), { ...day('to', 'Last day', to), ...last }] : []),
    ...(range === 'any' ? [] : [menu('date-field', 'Issues that were', dateFields, dateField)]),
  ];
}

function groupInput({ groupBy }: BuilderForm): InputBlock {
  const named = (id: string): Choice => [usualFields.find(([, one]) => one === id)?.[0] ?? id, id];
  const input = searched('builder-group', 'Group by', groupBy.map(named), 'No grouping', MOST_GROUPS);
  return { ...input, hint: plainText("Or type a field's name.") };
}

/** Where only its person reads, a file comes to them alone. */
function targetInput({ place, target }: BuilderForm): InputBlock {
  const files = (where: string) => formatChoices.map(([title, id]) => optionOf(title, `${id} ${where}`));
  return groupedMenuInput('target', 'Answer', target, [
    ['Message', [optionOf('Here, only visible to me', 'answer')]],
    ['Send a file to me', files('me')],
    ...(isDirect(place.channel) ? [] : [['Post a file here', files('post')] as const]),
  ]);
}

function savingInputs({ saveAs, isPublic }: BuilderForm, { canSave }: BuilderFacts): KnownBlock[] {
  if (!canSave) return [context('To save reports, link your Jira user with `/tis link`.')];
  return [
    textInput('save-as', 'Save as', shorten(saveAs, LONGEST_SET_NAME), {
      longest: LONGEST_SET_NAME,
      optional: true,
      placeholder: 'A name, to run it again with /tis saved',
    }),
    checkbox('public', 'Saved report', 'Everyone can use it', isPublic),
  ];
}

/** One box to check; its value is its id. */
function checkbox(id: string, label: string, text: string, isChecked: boolean): InputBlock {
  const options = [optionOf(text, id)];
  const filled = isChecked ? { initial_options: options } : {};
  return inputBlock(id, label, { type: 'checkboxes', action_id: id, options, ...filled }, { optional: true });
}

/** A menu of few choices with one of them chosen; a choice that was typed elsewhere is offered beside them. */
function menu(id: string, label: string, choices: readonly Choice[], chosen: string): InputBlock {
  const isOffered = choices.some(([, value]) => value === chosen);
  const typed: Choice = [capitalized(chosen), chosen];
  return menuInput(id, label, chosen, optionsOf(isOffered ? choices : [...choices, typed]));
}

/** A menu whose choices are searched; it takes `most` of them. */
function searched(
  id: string,
  label: string,
  chosen: readonly Choice[],
  placeholder: string,
  most = 1,
): InputBlock {
  const options = optionsOf(chosen);
  const [option] = options;
  const menu = { action_id: id, min_query_length: 0, placeholder: plainText(placeholder) };
  const several = { type: 'multi_external_select', ...menu, max_selected_items: most } as const;
  const one = { type: 'external_select', ...menu } as const;
  const element =
    most > 1
      ? { ...several, ...(option && { initial_options: options }) }
      : { ...one, ...(option && { initial_option: option }) };
  return inputBlock(id, label, element, { optional: true });
}
