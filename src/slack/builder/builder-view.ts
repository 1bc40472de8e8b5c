import type { InputBlock, KnownBlock, ModalView, PlainTextOption } from '@slack/types';
import { limits } from '../../block-kit/limits.ts';
import { context, plainSection, section } from '../../block-kit/mrkdwn.ts';
import { shorten } from '../../block-kit/shorten.ts';
import { periodAt } from '../../time/periods.ts';
import { optionsOf } from '../app/form-inputs.ts';
import type { Choice } from '../app/handler-types.ts';
import { isDirect } from '../app/hours-here.ts';
import { LONGEST_SET_NAME, lineOfSet, savedLine } from '../ask/saved-sets.ts';
import { formatChoices } from '../exports/export-form.ts';
import {
  calendarChoices,
  dateFields,
  MOST_CHOSEN,
  MOST_GROUPS,
  ownReports,
  ranges,
  savedChoices,
  statistics,
  usualFields,
  weeks,
} from './builder-choices.ts';
import {
  type BuilderFacts,
  type BuilderForm,
  type Field,
  isReport,
  isSprint,
  storedSchema,
  type Wrong,
} from './builder-form.ts';

/** The report builder as it is filled in, with what is wrong below the field it is about. */
export function builderView(form: BuilderForm, facts: BuilderFacts, wrong: Wrong = {}): ModalView {
  const isLeftOut = isJqlLeftOut(form);
  const problem = (...fields: Field[]): KnownBlock[] =>
    fields.flatMap((field) => (wrong[field] === undefined ? [] : [plainSection(`⚠ ${wrong[field]}`)]));
  return {
    type: 'modal',
    callback_id: 'report-builder',
    private_metadata: JSON.stringify(storedSchema.parse({ ...form, isJqlLeftOut: isLeftOut })),
    title: plain('Report builder'),
    submit: plain('Run report'),
    close: plain('Cancel'),
    blocks: [
      ...savedInput(form, facts),
      reportInput(form, facts),
      ...problem('builder-report'),
      ...issueInputs(form, facts, problem),
      ...(form.report === 'weekly' ? [labelled('Week', weekMenu(form))] : []),
      ...(isReport(form) ? rangeInputs(form, problem) : []),
      ...(isReport(form) ? [groupInput(form), ...problem('builder-group')] : []),
      ...(facts.takesStatistic
        ? [
            labelled('Statistic', menu('statistic', statistics, form.statistic, form)),
            ...problem('statistic'),
          ]
        : isReport(form)
          ? [context('This report has no statistics, so the answer is a list of issues.')]
          : []),
      calendarInput(form, facts),
      ...problem('builder-calendar'),
      targetInput(form),
      ...problem('target'),
      ...(isReport(form) ? savingInputs(form, facts) : []),
      ...problem('save-as'),
    ],
  };
}

function savedInput(form: BuilderForm, { sets }: BuilderFacts): KnownBlock[] {
  if (sets.length === 0) return [];
  const { saved, leavesOut } = form;
  const chosen = savedChoices(sets).filter(([, id]) => id === saved);
  return [
    {
      ...found('Start from a saved report', 'builder-saved', chosen, 'Choose one', form),
      dispatch_action: true,
    },
    ...(leavesOut
      ? [
          section(
            `The saved report has more settings than the builder. ${lineOf(saved, sets)} uses them all.`,
          ),
        ]
      : []),
  ];
}

function reportInput(form: BuilderForm, { reportTypes }: BuilderFacts): KnownBlock {
  const choices = [...reportTypes.map(({ id, title }): Choice => [title, id]), ...ownReports];
  return { ...labelled('Report', menu('builder-report', choices, form.report, form)), dispatch_action: true };
}

function lineOf(saved: string, sets: BuilderFacts['sets']): string {
  const set = sets.find(({ id }) => id === saved);
  // Whose a set is does not matter where it is named by its id.
  return set === undefined ? savedLine('NAME') : lineOfSet(set, sets, '');
}

/** Menus that choose the issues; the expert's field is the last. */
function issueInputs(
  form: BuilderForm,
  { sets, names }: BuilderFacts,
  problem: (...fields: Field[]) => KnownBlock[],
): KnownBlock[] {
  const { projects, sprint, savedFilter, people } = form;
  const own = (value: string): Choice => [value, value];
  const several = { max_selected_items: MOST_CHOSEN };
  const ofSprint = isSprint(form) ? 'The last sprint' : 'Any';
  return [
    found('Projects', 'builder-projects', projects.map(own), 'The default of this channel', form, several),
    ...problem('builder-projects'),
    found('Sprint', 'builder-sprint', sprint === '' ? [] : [own(sprint)], ofSprint, form),
    ...problem('builder-sprint'),
    ...(isSprint(form)
      ? []
      : [
          found('Saved filter', 'builder-filter', savedFilter === '' ? [] : [own(savedFilter)], 'Any', form),
          ...problem('builder-filter'),
          found(
            'Assignees',
            'builder-people',
            people.map((id): Choice => [names.get(id) ?? id, id]),
            'Anyone',
            form,
            several,
          ),
          ...problem('builder-people'),
          jqlInput(form),
          ...(isJqlLeftOut(form) ? [leftOutNotice(form, sets)] : []),
          ...problem('jql'),
        ]),
  ];
}

/** A menu whose choices are searched. `more`: it takes several. */
function found(
  label: string,
  id: string,
  chosen: readonly Choice[],
  placeholder: string,
  { filled }: Fill,
  more: { readonly max_selected_items: number } | null = null,
): InputBlock {
  const options = optionsOf(chosen);
  const [option] = options;
  const shared = { action_id: id, min_query_length: 0, placeholder: plain(placeholder) };
  return {
    ...labelled(label, {
      id: `${id}.${filled}`,
      element:
        more === null
          ? {
              type: 'external_select',
              ...shared,
              ...(option === undefined ? {} : { initial_option: option }),
            }
          : {
              type: 'multi_external_select',
              ...shared,
              ...more,
              ...(options.length === 0 ? {} : { initial_options: options }),
            },
    }),
    optional: true,
  };
}

/** A piece of a query would choose other issues, so one that is too long is left out whole until another is entered. */
function isJqlLeftOut({ jql, isJqlLeftOut: wasLeftOut }: BuilderForm): boolean {
  return jql.length > limits.plainTextInput || (wasLeftOut && jql === '');
}

function leftOutNotice(form: BuilderForm, sets: BuilderFacts['sets']): KnownBlock {
  const cure =
    form.saved === ''
      ? 'Save the query as a filter in the tracker and choose that filter.'
      : `${lineOf(form.saved, sets)} runs it whole.`;
  return section(
    `⚠ The query is too long for the builder, which takes ${limits.plainTextInput} characters, so the field is empty. ${cure}`,
  );
}

function jqlInput(form: BuilderForm): InputBlock {
  const isLeftOut = isJqlLeftOut(form);
  return {
    ...labelled('JQL (for experts)', {
      id: `jql.${form.filled}`,
      element: {
        type: 'plain_text_input',
        action_id: 'jql',
        max_length: limits.plainTextInput,
        placeholder: plain('status = Done AND labels = urgent'),
        ...(isLeftOut || form.jql === '' ? {} : { initial_value: form.jql }),
      },
    }),
    // Left empty it would choose other issues.
    optional: !isLeftOut,
    hint: plain('A query or issue keys. What you choose above narrows it further.'),
  };
}

function weekMenu(form: BuilderForm): Placed {
  const { week } = form;
  const named: readonly Choice[] =
    typeof week === 'number' ? [[`Week ${periodAt(week, 'Week', 'UTC').id}`, String(week)]] : [];
  return menu('week', [...weeks, ...named], String(week), form);
}

function rangeInputs(form: BuilderForm, problem: (...fields: Field[]) => KnownBlock[]): KnownBlock[] {
  const { range, dateField, from, to } = form;
  const last = dayInput('Last day', 'to', to, form);
  return [
    { ...labelled('Time', menu('builder-range', ranges, range, form)), dispatch_action: true },
    ...problem('builder-range'),
    ...(range === 'dates'
      ? [
          dayInput('First day', 'from', from, form),
          ...problem('from'),
          { ...last, optional: true, hint: plain('Leave empty for today.') },
          ...problem('to'),
        ]
      : []),
    ...(range === 'any'
      ? []
      : [labelled('Issues that were', menu('date-field', dateFields, dateField, form))]),
  ];
}

function groupInput(form: BuilderForm): InputBlock {
  const named = (id: string): Choice => [usualFields.find(([, one]) => one === id)?.[0] ?? id, id];
  const several = { max_selected_items: MOST_GROUPS };
  const input = found('Group by', 'builder-group', form.groupBy.map(named), 'Nothing', form, several);
  return { ...input, hint: plain('For any other field type its whole name.') };
}

function calendarInput(form: BuilderForm, { calendars }: BuilderFacts): InputBlock {
  const chosen = calendarChoices(calendars).filter(([, id]) => id === form.calendar);
  return {
    ...found('Working hours', 'builder-calendar', chosen, 'Type a name', form),
    optional: false,
  };
}

/** Where only its person reads, a file comes to them alone. */
function targetInput({ place, target, filled }: BuilderForm): InputBlock {
  const answer = optionsOf([['Here, for me alone', 'answer']]);
  const files = (where: string) => optionsOf(formatChoices.map(([title, id]) => [title, `${id} ${where}`]));
  const [sent, posted] = [files('me'), files('post')];
  const group = (label: string, options: PlainTextOption[]) => ({ label: plain(label), options });
  const initial = [...answer, ...sent, ...posted].find(({ value }) => value === target);
  return labelled('Answer', {
    id: `target.${filled}`,
    element: {
      type: 'static_select',
      action_id: 'target',
      option_groups: [
        group('Message', answer),
        group('Send a file to me', sent),
        ...(isDirect(place.channel) ? [] : [group('Post a file here', posted)]),
      ],
      ...(initial === undefined ? {} : { initial_option: initial }),
    },
  });
}

function savingInputs(form: BuilderForm, { canSave }: BuilderFacts): KnownBlock[] {
  if (!canSave) return [context('To save reports, say who you are in the tracker with `/tis link`.')];
  const { filled } = form;
  const everyone: PlainTextOption = { text: plain('Everyone can use it'), value: 'public' };
  return [
    {
      ...labelled('Save as', {
        id: `save-as.${filled}`,
        element: {
          type: 'plain_text_input',
          action_id: 'save-as',
          max_length: LONGEST_SET_NAME,
          placeholder: plain('A name, to run it again with /tis saved'),
          ...(form.saveAs === '' ? {} : { initial_value: shorten(form.saveAs, LONGEST_SET_NAME) }),
        },
      }),
      optional: true,
    },
    {
      ...labelled('Saved report', {
        id: `public.${filled}`,
        element: {
          type: 'checkboxes',
          action_id: 'public',
          options: [everyone],
          ...(form.isPublic ? { initial_options: [everyone] } : {}),
        },
      }),
      optional: true,
    },
  ];
}

/** Slack keeps what was entered where a field keeps its id, so a form that is filled again has new ids. */
type Fill = Pick<BuilderForm, 'filled'>;

/** An element, and the id of its block. */
interface Placed {
  readonly id: string;
  readonly element: InputBlock['element'];
}

function labelled(label: string, { id, element }: Placed): InputBlock {
  return { type: 'input', block_id: id, label: plain(label), element };
}

/** A menu of few choices with one of them chosen; a choice that was typed elsewhere is offered beside them. */
function menu(id: string, choices: readonly Choice[], chosen: string, { filled }: Fill): Placed {
  const isOffered = choices.some(([, value]) => value === chosen);
  const typed = chosen.charAt(0).toUpperCase() + chosen.slice(1);
  const options = optionsOf(isOffered ? choices : [...choices, [typed, chosen]]);
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

/** A day (yyyy-MM-dd; empty: none yet). */
function dayInput(label: string, id: string, day: string, { filled }: Fill): InputBlock {
  return labelled(label, {
    id: `${id}.${filled}`,
    element: { type: 'datepicker', action_id: id, ...(day === '' ? {} : { initial_date: day }) },
  });
}

function plain(text: string) {
  return { type: 'plain_text', text } as const;
}
