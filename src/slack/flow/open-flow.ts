import type { ModalView } from '@slack/types';
import { readFlowChange } from '../../api/flows/flow-document.ts';
import { type AppError, sentencesOf } from '../../model/error.ts';
import { flowLines, flowPreviewRows, stageKindWords } from '../../output/flow-text.ts';
import { optionsOf } from '../app/form-inputs.ts';
import type { Click, SlackAction, SlackMenu, SlackModal } from '../app/handler-types.ts';
import { notice } from '../app/message-texts.ts';
import { openLateView, wordView } from '../app/open-view.ts';
import type { FlowParts, SlackParts } from '../app/parts.ts';
import { orElse } from '../app/show-failure.ts';
import type { ParserContext } from '../ask/grammar/parser-context.ts';
import { exampleKey, parserContextOf } from '../ask/parser-context-of.ts';
import { limits } from '../blocks/limits.ts';
import { lineBlocks } from '../blocks/message.ts';
import { context, dateMark, escapeMrkdwn } from '../blocks/mrkdwn.ts';
import { projectMenu } from '../channels/settings-form.ts';
import {
  changeOf,
  entriesOf,
  FLOW_TITLE,
  type FlowChoices,
  type FlowFormValues,
  type FlowPlace,
  flowForm,
  flowPlaceSchema,
  placeableStatuses,
  projectSection,
  wrongAtOnce,
} from './flow-form.ts';

/** The buttons and the menu of the flow. */
export const flowActions: readonly SlackAction<FlowParts>[] = [
  /** *Flow* in the settings: the flow of a project, as a form for people who can change it. Its value is the channel. */
  {
    id: 'flow-open',
    async run({ value: channel, principal: { account }, open }, parts) {
      const make = async () => {
        const known = await parserContextOf(account, { channel }, parts);
        const key = await exampleKey(known.principal, { channel }, account, parts);
        if (key === null) return notice('There is no project that you can see.');
        return viewOf({ project: key.slice(0, key.lastIndexOf('-')), channel, round: 0 }, known, parts);
      };
      const late = {
        title: FLOW_TITLE,
        meanwhile: 'Looking up the flow…',
        advice: 'Please try again.',
        make,
      };
      return openLateView(late, open, parts);
    },
  },
  /** Another project, in the form or in a view to read. */
  {
    id: 'flow-project',
    async run({ view, value: project, principal: { account } }, parts) {
      if (view === null || project === '') return [];
      const { channel, round } = flowPlaceSchema.parse(JSON.parse(view.metadata));
      const known = await parserContextOf(account, { channel }, parts);
      await view.replace(await viewOf({ project, channel, round: round + 1 }, known, parts));
      return [];
    },
  },
  /** *Preview*: the form as it was filled in, with the figures that it leads to. */
  {
    id: 'flow-preview',
    run: (click, parts) =>
      withForm(click, parts, async ({ values, choices, known }) => {
        const wrong = wrongAtOnce(values);
        if (Object.keys(wrong).length > 0) return flowForm.view(values, choices, wrong);
        const { flow, offered } = choices;
        const { flows } = parts;
        if (flow.revision !== values.revision) return changedView(values, known, parts);
        const found = await flows.preview(known.principal, values.project, changeOf(flow, values, offered));
        const lines = flowPreviewRows(found).map(([name, now, draft]) => `${name}: ${now} → *${draft}*`);
        return flowForm.view(values, {
          ...choices,
          preview: ['*Last eight weeks, now → with these changes*', ...lines],
        });
      }),
  },
  /** *Use the default*, once that was confirmed. */
  {
    id: 'flow-default',
    run: (click, parts) =>
      withForm(click, parts, async ({ values, known }) => {
        const { project, channel, round, revision } = values;
        await parts.flows.put(known.principal, project, readFlowChange({ revision, isDefault: true }));
        return viewOf({ project, channel, round: round + 1 }, known, parts);
      }),
  },
];

/** The projects to choose from there. */
export const flowProjects: SlackMenu<Pick<SlackParts, 'accounts' | 'people' | 'reporting'>> = {
  ...projectMenu,
  id: 'flow-project',
};

/** The flow of a project as a form; to read, with the reason, where it cannot be changed. `warning` is about the form. */
async function viewOf(
  place: FlowPlace,
  known: ParserContext,
  parts: FlowParts,
  warning: string | null = null,
): Promise<ModalView> {
  const choices = await choicesOf(place.project, known, parts);
  const { flow } = choices;
  const refusal = await orElse(
    parts.flows.permit(known.principal, place.project).then(() => null),
    (error) => sentencesOf(error).join(' '),
  );
  const count = placeableStatuses(flow).length;
  const limit = `A form takes 1 to ${limits.select.options} statuses, and this project has ${count}. Use REST or npx dwell flow ${flow.projectKey}.`;
  const reason = refusal ?? (count === 0 || count > limits.select.options ? limit : null);
  return reason === null
    ? flowForm.view({ ...place, ...entriesOf(flow) }, choices, warning)
    : readView(place, choices, reason);
}

function readView(place: FlowPlace, choices: FlowChoices, reason: string): ModalView {
  const { flow } = choices;
  const stages = flow.stages.map(({ name, kind, statuses }) => {
    const others = statuses.length === 1 && statuses[0]?.name === name ? [] : statuses;
    const text = escapeMrkdwn(others.map((one) => one.name).join(', '));
    return `*${escapeMrkdwn(name)}* (${stageKindWords[kind]})${text === '' ? '' : `: ${text}`}`;
  });
  const lines = flowLines(flow).map(([label, text]) => `*${escapeMrkdwn(label)}:* ${escapeMrkdwn(text)}`);
  const { blocks, text } = lineBlocks([...stages, ...lines]);
  const shown = [projectSection(choices), ...blocks, context(escapeMrkdwn(reason))];
  return { ...wordView(FLOW_TITLE, { text, blocks: shown }), private_metadata: JSON.stringify(place) };
}

async function choicesOf(
  project: string,
  { principal, valuesOf, nameOf }: ParserContext,
  { flows }: Pick<FlowParts, 'flows'>,
): Promise<FlowChoices> {
  const flow = await flows.flow(principal, project);
  const offer = async (own: readonly string[], ofField: string) => {
    const names = new Set([...own, ...(await valuesOf(ofField))]);
    const options = optionsOf([...names].map((name) => [name, name]));
    return options.slice(0, limits.select.options).flatMap(({ value }) => value ?? []);
  };
  const last = flow.changes.at(-1);
  return {
    flow,
    offered: {
      resolutions: await offer(flow.notCounted.resolutions, 'resolution'),
      issueTypes: await offer(flow.notCounted.issueTypes, 'issuetype'),
    },
    changed:
      last === undefined
        ? null
        : `Last changed by ${escapeMrkdwn(await nameOf(last.by))}, ${dateMark(last.at)}.`,
    preview: null,
  };
}

/** A form that was clicked in. */
interface OpenForm {
  readonly values: FlowFormValues;
  readonly choices: FlowChoices;
  readonly known: ParserContext;
}

/** Shows what a click in the form leads to in its place: what is wrong with its entries, or the flow where it was changed. */
async function withForm(
  { view, principal: { account } }: Click,
  parts: FlowParts,
  make: (form: OpenForm) => Promise<ModalView>,
): Promise<readonly []> {
  if (view === null) return [];
  const values = flowForm.read(view);
  const known = await parserContextOf(account, { channel: values.channel }, parts);
  const choices = await choicesOf(values.project, known, parts);
  const again = (error: AppError) => flowForm.again(values, choices, error).again;
  const shown = await orElse(
    make({ values, choices, known }),
    (error) => (error.code === 'conflict' ? changedView(values, known, parts) : again(error)),
    'bad-request',
    'conflict',
  );
  if (shown !== undefined) await view.replace(shown);
  return [];
}

/** The flow as others have changed it since the form was opened. */
function changedView(
  { project, channel, round }: FlowPlace,
  known: ParserContext,
  parts: FlowParts,
): Promise<ModalView> {
  const warning =
    'The flow was changed since you opened this form, so nothing was saved. This is the flow as it is now.';
  return viewOf({ project, channel, round: round + 1 }, known, parts, warning);
}

/** The submitted flow. */
export const saveFlow: SlackModal<FlowParts> = flowForm.modal({
  meanwhile: 'Saving…',
  wrongAtOnce,
  placeOf: ({ channel }) => ({ channel, threadTs: null }),
  async answer(values, { principal: { account } }, parts) {
    const known = await parserContextOf(account, { channel: values.channel }, parts);
    const { flow, offered } = await choicesOf(values.project, known, parts);
    const saved = notice(
      `Saved. The flow of ${escapeMrkdwn(values.project)} counts from the next question on, for all of the past.`,
    );
    return orElse(
      parts.flows.put(known.principal, values.project, changeOf(flow, values, offered)).then(() => saved),
      async (error) => ({
        ...notice(sentencesOf(error).join(' ')),
        again: await changedView(values, known, parts),
      }),
      'conflict',
    );
  },
  choices: async ({ project, channel }, { principal: { account } }, parts) =>
    choicesOf(project, await parserContextOf(account, { channel }, parts), parts),
});
