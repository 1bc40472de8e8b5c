import type { KnownBlock } from '@slack/types';
import { z } from 'zod';
import type { FlowChange, FlowOfProject } from '../../api/flows/flow-document.ts';
import { type StageKind, stageKinds } from '../../model/flow.ts';
import { flowOriginText } from '../../output/flow-text.ts';
import { shorten } from '../../output/readable-text.ts';
import { defineForm, field, type Wrong } from '../app/define-form.ts';
import { entered, input, optionOf, plainText } from '../app/form-inputs.ts';
import { someOf } from '../blocks/message.ts';
import { actions, button, context, escapeMrkdwn, section } from '../blocks/mrkdwn.ts';

/** The title of its views. */
export const FLOW_TITLE = 'Flow';

/** The place of a view: its project, the channel of the settings, and how often it was filled in from the flow again. */
export const flowPlaceSchema = z.object({ project: z.string(), channel: z.string(), round: z.int() });
export type FlowPlace = z.output<typeof flowPlaceSchema>;

/** The choices of the form, and the flow that it is about. */
export interface FlowChoices {
  readonly flow: FlowOfProject;
  /** The names that its menus have beside statuses; what a flow has and a form does not offer stays as it is. */
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
  const statuses = placeableStatuses(flow);
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

/** The values that become a flow. */
type FlowEntries = Omit<FlowFormValues, keyof FlowPlace>;

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

/** The statuses (ids) that a form has in each of its menus. */
type StatusesByKind = Readonly<Record<StageKind, readonly string[]>>;

type Stage = FlowOfProject['stages'][number];
type NamedStatus = Stage['statuses'][number];

/** The longest name of a stage. */
const MAX_NAME = 60;

/** The statuses of a flow by the kind of their stage, as the form shows them. */
function statusesByKind({ stages }: Pick<FlowOfProject, 'stages'>): StatusesByKind {
  const of = (kind: StageKind) =>
    stages.filter((one) => one.kind === kind).flatMap(({ statuses }) => statuses.map(({ id }) => id));
  return { queue: of('queue'), active: of('active'), waiting: of('waiting'), done: of('done') };
}

/** Every status that a form can put into a stage: those of stages in their order, then the others. */
export function placeableStatuses({ stages, variants, unplaced }: FlowOfProject): readonly NamedStatus[] {
  const all = [...stages, ...variants.flatMap((one) => one.stages)].flatMap(({ statuses }) => statuses);
  return [...new Map([...all, ...unplaced].map((status) => [status.id, status])).values()];
}

/**
 * The stages of a flow after its statuses were sorted into kinds. Stages whose statuses stay together stay, also where all of
 * them get another kind; a status that leaves its stage gets one of its own if it is active or waiting, else it goes to the
 * stages before the start, or to those that are done. Where nothing was moved the stages are those of the flow.
 */
function placeStatuses(flow: FlowOfProject, chosen: StatusesByKind): FlowOfProject['stages'] {
  const before = statusesByKind(flow);
  const isSame = (kind: StageKind) =>
    before[kind].length === chosen[kind].length && chosen[kind].every((id) => before[kind].includes(id));
  if (stageKinds.every(isSame)) return flow.stages;

  const kinds = new Map(stageKinds.flatMap((kind) => chosen[kind].map((id) => [id, kind] as const)));
  const names = new Set(flow.stages.map(({ name }) => name));
  const placed: Stage[] = [];
  const loose: Record<'queue' | 'done', NamedStatus[]> = { queue: [], done: [] };
  const placeAlone = (status: NamedStatus, kind: StageKind) => {
    if (isStarted(kind)) placed.push({ name: newName(status, names), kind, statuses: [status] });
    else loose[kind].push(status);
  };
  for (const stage of flow.stages) {
    const left = stage.statuses.filter(({ id }) => kinds.has(id));
    const [kind, ...others] = new Set(left.map(({ id }) => kinds.get(id) ?? stage.kind));
    if (kind === undefined) continue;
    if (others.length === 0 && (kind === stage.kind || isStarted(kind))) {
      placed.push({ ...stage, kind, statuses: left });
      continue;
    }
    const stay = left.filter(({ id }) => kinds.get(id) === stage.kind);
    if (stay.length > 0) placed.push({ ...stage, statuses: stay });
    for (const status of left) {
      const own = kinds.get(status.id);
      if (own !== undefined && own !== stage.kind) placeAlone(status, own);
    }
  }
  const known = new Set(flow.stages.flatMap(({ statuses }) => statuses.map(({ id }) => id)));
  for (const status of placeableStatuses(flow)) {
    const kind = known.has(status.id) ? undefined : kinds.get(status.id);
    if (kind !== undefined) placeAlone(status, kind);
  }
  const inOrder = [
    ...placed.filter(({ kind }) => kind === 'queue'),
    ...placed.filter(({ kind }) => isStarted(kind)),
    ...placed.filter(({ kind }) => kind === 'done'),
  ];
  const queue = inOrder.findLastIndex(({ kind }) => kind === 'queue');
  const end = inOrder.findIndex(({ kind }) => kind === 'done');
  const withQueue = withLoose(inOrder, queue, { name: 'To Do', kind: 'queue', statuses: loose.queue }, names);
  const shift = withQueue.length - inOrder.length;
  const done = { name: 'Done', kind: 'done', statuses: loose.done } as const;
  return withLoose(withQueue, end < 0 ? end : end + shift, done, names);
}

function isStarted(kind: StageKind): kind is 'active' | 'waiting' {
  return kind === 'active' || kind === 'waiting';
}

/** The stages with more statuses in the one at an index; with -1 in a new one, before or after the others. */
function withLoose(
  stages: readonly Stage[],
  index: number,
  loose: Stage,
  names: ReadonlySet<string>,
): readonly Stage[] {
  if (loose.statuses.length === 0) return stages;
  const stage = stages[index];
  if (stage !== undefined)
    return stages.with(index, { ...stage, statuses: [...stage.statuses, ...loose.statuses] });
  const name = names.has(loose.name) ? `${loose.name} (${loose.kind})` : loose.name;
  return loose.kind === 'queue' ? [{ ...loose, name }, ...stages] : [...stages, { ...loose, name }];
}

/** The name of a stage for one status; it is taken from then on. */
function newName({ id, name }: NamedStatus, names: Set<string>): string {
  const short = shorten(name, MAX_NAME);
  const found = names.has(short) ? `${shorten(name, MAX_NAME - id.length - 3)} (${id})` : short;
  names.add(found);
  return found;
}

/** A target as it can be entered. */
const TARGET_EXAMPLE = '85% within 8 days';

/** The target in a text, without a share of 85%; null for an empty one, undefined for other texts. */
function readTarget(text: string): FlowOfProject['target'] | undefined {
  if (text.trim() === '') return null;
  const found = /^(?:(\d{1,2}) ?% (?:with)?in )?(\d{1,4}(?:\.\d+)?) ?d(?:ays?)?$/i.exec(text.trim());
  if (found === null) return undefined;
  const [percent, days] = [Number(found[1] ?? 85), Number(found[2])];
  return percent > 0 && days > 0 ? { percent, days } : undefined;
}

/** A flow as a form shows it. */
export function entriesOf(flow: FlowOfProject): FlowEntries {
  const { blockedBy, notCounted } = flow;
  return {
    ...statusesByKind(flow),
    revision: flow.revision,
    start: flow.stages.find(({ name }) => name === flow.start)?.statuses[0]?.id ?? '',
    pauses: flow.pauses,
    target: flow.target === null ? '' : `${flow.target.percent}% within ${flow.target.days} days`,
    blockers: [...(blockedBy.flag ? ['flag'] : []), ...(blockedBy.links ? ['links'] : [])],
    blockedStatuses: blockedBy.statuses.map(({ id }) => id),
    resolutions: notCounted.resolutions,
    issueTypes: notCounted.issueTypes,
    subtasks: notCounted.subtasks,
  };
}

/** The change of a flow that was entered; what the form does not show stays. */
export function changeOf(
  flow: FlowOfProject,
  entries: FlowEntries,
  offered: FlowChoices['offered'],
): FlowChange {
  const { revision, start, pauses, blockers, blockedStatuses, subtasks } = entries;
  const stages = placeStatuses(flow, entries);
  const startStage = stages.find(({ statuses }) => statuses.some(({ id }) => id === start));
  const startAt = startStage === undefined ? -1 : stages.indexOf(startStage);
  const kindOfEnd = flow.stages.find(({ name }) => name === flow.end)?.kind;
  const endAt = stages.findIndex(({ name, kind }) => name === flow.end && kind === kindOfEnd);
  const chosen = (name: keyof FlowChoices['offered']) => [
    ...flow.notCounted[name].filter((one) => !offered[name].includes(one)),
    ...entries[name],
  ];
  const ids = (some: readonly NamedStatus[]) => some.map(({ id }) => id);
  const sentStages = (some: FlowOfProject['stages']) =>
    some.map(({ name, kind, statuses }) => ({ name, kind, statuses: ids(statuses) }));
  return {
    revision,
    isDefault: flow.isDefault,
    stages: sentStages(stages),
    start: startStage?.name,
    end: endAt > startAt ? stages[endAt]?.name : undefined,
    pauses,
    target: readTarget(entries.target) ?? null,
    blockedBy: {
      flag: blockers.includes('flag'),
      links: blockers.includes('links'),
      statuses: [...blockedStatuses],
    },
    notCounted: {
      resolutions: chosen('resolutions'),
      issueTypes: chosen('issueTypes'),
      subtasks,
    },
    variants: flow.variants.map((one) => ({
      issueTypes: [...one.issueTypes],
      stages: sentStages(one.stages),
      start: one.start ?? undefined,
      end: one.end ?? undefined,
      pauses: one.pauses,
      target: one.target,
    })),
  };
}
