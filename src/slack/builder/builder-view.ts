import type { InputBlock, KnownBlock, ModalView, PlainTextOption } from '@slack/types';
import { codeText } from '../../block-kit/code-text.ts';
import { limits } from '../../block-kit/limits.ts';
import { context, plainSection, section } from '../../block-kit/mrkdwn.ts';
import { shorten } from '../../block-kit/shorten.ts';
import { periodAt } from '../../time/periods.ts';
import { optionsOf } from '../app/form-inputs.ts';
import type { Choice } from '../app/handler-types.ts';
import { isDirect } from '../app/hours-here.ts';
import { LONGEST_SET_NAME, lineOfSet, savedLine } from '../ask/saved-sets.ts';
import {
  calendarChoices,
  dateFields,
  MOST_GROUPS,
  ownReports,
  ranges,
  savedChoices,
  statistics,
  targetChoices,
  usualFields,
  weeks,
} from './builder-choices.ts';
import {
  type BuilderFacts,
  type BuilderForm,
  type Field,
  isReport,
  storedSchema,
  type Wrong,
} from './builder-form.ts';

/** The report builder as it is filled in, with what is wrong below the field it is about. */
export function builderView(form: BuilderForm, facts: BuilderFacts, wrong: Wrong = {}): ModalView {
  const fill = { filled: form.filled };
  const told = (field: Field): KnownBlock[] => {
    const sentence = wrong[field];
    return sentence === undefined ? [] : [plainSection(`⚠ ${sentence}`)];
  };
  return {
    type: 'modal',
    callback_id: 'report-builder',
    private_metadata: JSON.stringify(storedSchema.parse({ ...form, filterLeftOut: isFilterLeftOut(form) })),
    title: plain('Report builder'),
    submit: plain('Tell me'),
    close: plain('Cancel'),
    blocks: [
      ...savedInput(form, facts, fill),
      ...reportInput(form, facts, fill),
      ...told('builder-report'),
      filterInput(form, fill),
      ...leftOutNotice(form, facts),
      ...told('filter'),
      ...(form.report === 'weekly' ? [labelled('Week', weekMenu(form, fill))] : []),
      ...(isReport(form) ? rangeInputs(form, fill, told) : []),
      ...(isReport(form) ? [groupInput(form, fill), ...told('builder-group')] : []),
      ...(facts.takesStatistic
        ? [labelled('Statistic', menu('statistic', statistics, form.statistic, fill)), ...told('statistic')]
        : isReport(form)
          ? [context('This report has no statistics: it is told as a list of issues.')]
          : []),
      calendarInput(form, facts, fill),
      ...told('builder-calendar'),
      labelled('Answer', menu('target', targetsAt(form), form.target, fill)),
      ...told('target'),
      ...(isReport(form) ? savingInputs(form, facts, fill) : []),
      ...told('save-as'),
    ],
  };
}

function savedInput(
  { saved, untold, moreUntold }: BuilderForm,
  { sets }: BuilderFacts,
  fill: Fill,
): KnownBlock[] {
  if (sets.length === 0) return [];
  const choices = savedChoices(sets);
  const others = untold.map(codeText).join(', ') + (moreUntold > 0 ? ` and ${moreUntold} more` : '');
  return [
    {
      ...labelled('Start from a saved report', search('builder-saved', choices, saved, 'Choose one', fill)),
      dispatch_action: true,
      optional: true,
    },
    ...(untold.length === 0
      ? []
      : [
          section(
            `The saved report also says ${others}, which the builder leaves out; ${lineOf(saved, sets)} tells it whole.`,
          ),
        ]),
  ];
}

function reportInput({ report }: BuilderForm, { reportTypes }: BuilderFacts, fill: Fill): KnownBlock[] {
  const choices = [...reportTypes.map(({ id, title }): Choice => [title, id]), ...ownReports];
  return [{ ...labelled('Report', menu('builder-report', choices, report, fill)), dispatch_action: true }];
}

function lineOf(saved: string, sets: BuilderFacts['sets']): string {
  const set = sets.find(({ id }) => id === saved);
  // Whose a set is does not matter to who names it by its id.
  return set === undefined ? savedLine('NAME') : lineOfSet(set, sets, '');
}

/** A piece of a filter would ask for other issues, so one that is too long is left out whole, and stays so until another is entered. */
function isFilterLeftOut({ filter, filterLeftOut }: BuilderForm): boolean {
  return filter.length > limits.plainTextInput || (filterLeftOut && filter === '');
}

function leftOutNotice(form: BuilderForm, { sets }: BuilderFacts): KnownBlock[] {
  if (!isFilterLeftOut(form)) return [];
  const cure =
    form.saved === ''
      ? 'Save its query as a filter in the tracker, and enter `filter NAME` here.'
      : `${lineOf(form.saved, sets)} tells it whole.`;
  return [
    section(
      `⚠ Its filter is too long for the builder, which takes ${limits.plainTextInput} characters, so the field is empty. ${cure}`,
    ),
  ];
}

function weekMenu({ week }: BuilderForm, fill: Fill): Placed {
  const named: readonly Choice[] =
    typeof week === 'number' ? [[`Week ${periodAt(week, 'Week', 'UTC').id}`, String(week)]] : [];
  return menu('week', [...weeks, ...named], String(week), fill);
}

function filterInput(form: BuilderForm, fill: Fill): InputBlock {
  const isLeftOut = isFilterLeftOut(form);
  const filter = isLeftOut ? '' : form.filter;
  return {
    ...labelled('Which issues', {
      id: `filter.${fill.filled}`,
      element: {
        type: 'plain_text_input',
        action_id: 'filter',
        max_length: limits.plainTextInput,
        placeholder: plain('such as project WEB'),
        ...(filter === '' ? {} : { initial_value: filter }),
      },
    }),
    // Left empty it would mean what is usual here.
    optional: !isLeftOut,
    hint: plain(
      'As behind /tis: project WEB, issue keys, sprint NAME, filter NAME, assignee me, or jql QUERY. Left empty: what is usual here, if anything is.',
    ),
  };
}

function rangeInputs(form: BuilderForm, fill: Fill, told: (field: Field) => KnownBlock[]): KnownBlock[] {
  const { range, dateField, from, to } = form;
  return [
    { ...labelled('Time', menu('builder-range', ranges, range, fill)), dispatch_action: true },
    ...told('builder-range'),
    ...(range === 'dates'
      ? [
          dayInput('First day', 'from', from, fill),
          ...told('from'),
          { ...dayInput('Last day', 'to', to, fill), optional: true, hint: plain('Left empty: until now.') },
          ...told('to'),
        ]
      : []),
    ...(range === 'any' ? [] : [labelled('Which date', menu('date-field', dateFields, dateField, fill))]),
  ];
}

function groupInput({ groupBy }: BuilderForm, fill: Fill): InputBlock {
  const initial = optionsOf(groupBy.map((id) => [fieldText(id, usualFields), id]));
  return {
    ...labelled('Group by', {
      id: `builder-group.${fill.filled}`,
      element: {
        type: 'multi_external_select',
        action_id: 'builder-group',
        min_query_length: 0,
        max_selected_items: MOST_GROUPS,
        placeholder: plain('Nothing'),
        ...(initial.length === 0 ? {} : { initial_options: initial }),
      },
    }),
    optional: true,
    hint: plain('Any other field: type its whole name.'),
  };
}

function calendarInput({ calendar }: BuilderForm, { calendars }: BuilderFacts, fill: Fill): InputBlock {
  const choices = calendarChoices(calendars);
  return labelled('Which hours count', search('builder-calendar', choices, calendar, 'Type a name', fill));
}

/** Where only its principal reads, the file comes to them alone. */
function targetsAt({ place }: BuilderForm): readonly Choice[] {
  if (!isDirect(place.channel)) return targetChoices;
  return targetChoices.map(([title, value]): Choice => [title.replace(', posted here', ''), value]);
}

function savingInputs(form: BuilderForm, { maySave }: BuilderFacts, fill: Fill): KnownBlock[] {
  if (!maySave) {
    return [
      context(
        'Who is nobody in the tracker owns nothing, so this cannot be saved for another day: say who you are with `/tis link`.',
      ),
    ];
  }
  const everybody: PlainTextOption = { text: plain('Everybody may use it'), value: 'public' };
  return [
    {
      ...labelled('Save as', {
        id: `save-as.${fill.filled}`,
        element: {
          type: 'plain_text_input',
          action_id: 'save-as',
          max_length: LONGEST_SET_NAME,
          placeholder: plain('A name, to ask it again with /tis saved'),
          ...(form.saveAs === '' ? {} : { initial_value: shorten(form.saveAs, LONGEST_SET_NAME) }),
        },
      }),
      optional: true,
    },
    {
      ...labelled('What is saved', {
        id: `public.${fill.filled}`,
        element: {
          type: 'checkboxes',
          action_id: 'public',
          options: [everybody],
          ...(form.isPublic ? { initial_options: [everybody] } : {}),
        },
      }),
      optional: true,
    },
  ];
}

/** Slack keeps what was entered where a field keeps its id, so a form that is filled anew has new ids. */
type Fill = Pick<BuilderForm, 'filled'>;

/** An element, and the id of the block it stands in. */
interface Placed {
  readonly id: string;
  readonly element: InputBlock['element'];
}

/** An element under a label. */
function labelled(label: string, { id, element }: Placed): InputBlock {
  return { type: 'input', block_id: id, label: plain(label), element };
}

/** A menu of few choices with one of them chosen; a choice of another door's is offered beside them. */
function menu(id: string, choices: readonly Choice[], chosen: string, { filled }: Fill): Placed {
  const isOffered = choices.some(([, value]) => value === chosen);
  const options = optionsOf(isOffered ? choices : [...choices, [capitalized(chosen), chosen]]);
  const initial = options.find(({ value }) => value === chosen);
  return {
    id: `${id}.${filled}`,
    element: {
      type: 'static_select',
      action_id: id,
      options: options.slice(0, limits.select.options),
      ...(initial === undefined ? {} : { initial_option: initial }),
    },
  };
}

/** A menu of any number of choices: where Slack's does not hold them all, they are searched. */
function search(
  id: string,
  choices: readonly Choice[],
  chosen: string,
  placeholder: string,
  { filled }: Fill,
): Placed {
  const options = optionsOf(choices);
  const initial = options.find(({ value }) => value === chosen);
  const start = initial === undefined ? {} : { initial_option: initial };
  const shared = { action_id: id, placeholder: plain(placeholder), ...start };
  return {
    id: `${id}.${filled}`,
    element:
      options.length <= limits.select.options
        ? { type: 'static_select', options, ...shared }
        : { type: 'external_select', min_query_length: 0, ...shared },
  };
}

/** A day (yyyy-MM-dd; empty: none yet). */
function dayInput(label: string, id: string, day: string, { filled }: Fill): InputBlock {
  return labelled(label, {
    id: `${id}.${filled}`,
    element: { type: 'datepicker', action_id: id, ...(day === '' ? {} : { initial_date: day }) },
  });
}

/** Text in which nothing is a mark. */
function plain(text: string) {
  return { type: 'plain_text', text } as const;
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** What a value is called in a list of choices; itself where it is not in it. */
function fieldText(value: string, choices: readonly Choice[]): string {
  return choices.find(([, one]) => one === value)?.[0] ?? value;
}
