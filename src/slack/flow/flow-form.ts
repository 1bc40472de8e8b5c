import type { KnownBlock } from '@slack/types';
import { z } from 'zod';
import type { FlowOfProject } from '../../api/flows/flow-document.ts';
import { type StageKind, stageKinds } from '../../model/flow.ts';
import { flowOriginText } from '../../output/flow-text.ts';
import { defineForm, field, type Wrong } from '../app/define-form.ts';
import { entered, input, optionOf, plainText } from '../app/form-inputs.ts';
import { someOf } from '../blocks/message.ts';
import { actions, button, context, escapeMrkdwn, section } from '../blocks/mrkdwn.ts';
import { readTarget, statusesOf, TARGET_EXAMPLE } from './flow-of-form.ts';

/** The title of its views. */
export const FLOW_TITLE = 'Flow';

/** The place of a view: its project, the channel of the settings, and how often it was filled in from the flow again. */
export const flowPlaceSchema = z.object({ project: z.string(), channel: z.string(), round: z.int() });
export type FlowPlace = z.output<typeof flowPlaceSchema>;

/** The choices of the form, and the flow that it is about. */
export interface FlowChoices {
  readonly flow: FlowOfProject;
  /** The names that its menus have beside statuses. */
  readonly offered: Readonly<Record<'resolutions' | 'issueTypes', readonly string[]>>;
  /** The last change of the flow, its author and its time, in a sentence (mrkdwn); null: there was none. */
  readonly changed: string | null;
  /** The figures with the entries of the form, in lines (mrkdwn); null: they were not wanted yet. */
  readonly preview: readonly string[] | null;
}

/** The project, where its flow comes from, and a menu of the others. */
export function projectSection({ flow, changed }: FlowChoices): KnownBlock {
  const { projectKey } = flow;
  const origin = [flowOriginText(flow), ...(changed === null ? [] : [changed])].join(' ');
  return section(`*${escapeMrkdwn(projectKey)}*\n${origin}`, {
    type: 'external_select',
    action_id: 'flow-project',
    min_query_length: 0,
    placeholder: plainText('Another project'),
    initial_option: optionOf(projectKey, projectKey),
  });
}

const kindLabels: Readonly<Record<StageKind, string>> = {
  queue: 'Before the start',
  active: 'Active',
  waiting: 'Waiting',
  done: 'Done',
};

const pauseBox = input.checkbox('Pause it while an issue is back before the start', 'on');
const subtasksBox = input.checkbox('Sub-tasks do not count', 'on');
const blockerBoxes = input.checkboxes([
  optionOf('A flag', 'flag'),
  optionOf('A link: blocked by an issue that is not done', 'links'),
]);

/** The flow of a project. The form carries its revision: a flow that others changed meanwhile is not overwritten. */
export const flowForm = defineForm({
  id: 'flow',
  title: FLOW_TITLE,
  submit: 'Save',
  refused: 'Nothing was saved.',
  carried: flowPlaceSchema.extend({ revision: z.int() }),
  carry: ({ project, channel, round, revision }) => ({ project, channel, round, revision }),
  generation: ({ round }) => round,
  reads: {
    queue: entered.list,
    active: entered.list,
    waiting: entered.list,
    done: entered.list,
    start: entered.text,
    pauses: entered.check.default(false),
    target: entered.text,
    blockers: entered.list,
    blockedStatuses: entered.list,
    resolutions: entered.list,
    issueTypes: entered.list,
    subtasks: entered.check.default(false),
  },
  rows: (_, choices: FlowChoices) => {
    const { flow, offered, preview } = choices;
    const statuses = statusOptions(flow);
    const { menuForSeveral } = input;
    const namesMenu = (names: readonly string[]) => menuForSeveral(names.map((name) => optionOf(name, name)));
    return [
      projectSection(choices),
      field('queue', kindLabels.queue, menuForSeveral(statuses), { optional: true }),
      field('active', kindLabels.active, menuForSeveral(statuses), { optional: true }),
      field('waiting', kindLabels.waiting, menuForSeveral(statuses), {
        optional: true,
        hint: 'Work waits for someone here, such as for a review or a release.',
      }),
      field('done', kindLabels.done, menuForSeveral(statuses), {
        about: ['end'],
        hint: 'A status in none of these four menus counts by its category.',
      }),
      field('start', 'Clock starts in', input.menu(statuses), {
        about: ['start'],
        hint: 'Choose an active or a waiting status.',
      }),
      field('pauses', 'Clock', pauseBox, { optional: true }),
      field('target', 'Target', input.text({ maxLength: 40, placeholder: TARGET_EXAMPLE }), {
        optional: true,
        about: ['target'],
        hint: 'Share of the finished issues, and days from start to done. Empty: as in the last 90 days.',
      }),
      field('blockers', 'Blocked by', blockerBoxes, { optional: true }),
      field('blockedStatuses', 'Blocked in', menuForSeveral(statuses), {
        optional: true,
        about: ['blockedBy.statuses'],
      }),
      ...(offered.resolutions.length === 0
        ? []
        : [
            field('resolutions', 'Resolutions that do not count', namesMenu(offered.resolutions), {
              optional: true,
              hint: 'An issue that ends with one of these is not finished work.',
            }),
          ]),
      ...(offered.issueTypes.length === 0
        ? []
        : [
            field('issueTypes', 'Issue types that do not count', namesMenu(offered.issueTypes), {
              optional: true,
            }),
          ]),
      field('subtasks', 'Sub-tasks', subtasksBox, { optional: true }),
      ...hiddenParts(flow).map(context),
      actions(
        button('Preview', 'flow-preview', flow.projectKey),
        ...(flow.isDefault
          ? []
          : [{ ...button('Use the default', 'flow-default', flow.projectKey), confirm }]),
      ),
      ...(preview === null
        ? [context('*Preview* shows the last eight weeks with these changes, before you save.')]
        : [section(preview.join('\n'))]),
    ];
  },
});

const confirm = {
  title: plainText('Use the default?'),
  text: plainText('The categories of statuses decide again.'),
  confirm: plainText('Use the default'),
  deny: plainText('Cancel'),
};

/** Statuses of one name have their ids. */
function statusOptions(flow: FlowOfProject) {
  const statuses = statusesOf(flow);
  const counts = Map.groupBy(statuses, ({ name }) => name);
  return statuses.map(({ id, name }) =>
    optionOf(counts.get(name)?.length === 1 ? name : `${name} (${id})`, id),
  );
}

/** The parts of a flow that the form cannot show, and what becomes of them, in sentences (mrkdwn). */
function hiddenParts(flow: FlowOfProject): readonly string[] {
  const { stages, variants, end, projectKey } = flow;
  const several = stages.filter(({ statuses }) => statuses.length > 1);
  const isDetailed = !flow.isDefault && several.length > 0;
  const isOtherEnd = end !== null && end !== stages.find(({ kind }) => kind === 'done')?.name;
  const stageText = ({ name, statuses }: (typeof stages)[number]) =>
    `*${escapeMrkdwn(name)}* (${escapeMrkdwn(someOf(statuses.map((one) => one.name)))})`;
  const types = variants.flatMap(({ issueTypes }) => issueTypes);
  const parts = [
    ...(isDetailed
      ? [
          `Stages of several statuses, which stay as long as these stay together: ${someOf(several.map(stageText))}.`,
        ]
      : []),
    ...(isOtherEnd ? [`The clock ends with *${escapeMrkdwn(end)}*.`] : []),
    ...(types.length === 0
      ? []
      : [`Issue types with stages of their own, which stay: ${escapeMrkdwn(someOf(types))}.`]),
  ];
  return parts.length === 0
    ? []
    : [`${parts.join(' ')} To change that, use REST or \`npx dwell flow ${escapeMrkdwn(projectKey)}\`.`];
}

/** The values of the form. */
export type FlowFormValues = ReturnType<typeof flowForm.read>;

/** The problems that the entries alone show, by the menu. */
export function wrongAtOnce(values: FlowFormValues): Wrong {
  const twice = stageKinds.flatMap((kind, i): (readonly [string, string])[] => {
    const other = stageKinds.slice(0, i).find((one) => values[one].some((id) => values[kind].includes(id)));
    return other === undefined
      ? []
      : [[kind, `A status here is also in "${kindLabels[other]}". Choose one of the two.`]];
  });
  const isStarted = [...values.active, ...values.waiting].includes(values.start);
  return {
    ...Object.fromEntries(twice),
    ...(isStarted ? {} : { start: 'Choose a status that is active or waiting above.' }),
    ...(readTarget(values.target) === undefined ? { target: `Try: ${TARGET_EXAMPLE}.` } : {}),
  };
}
