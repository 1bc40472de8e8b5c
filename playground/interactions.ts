import { limits } from '../src/slack/blocks/limits.ts';
import { type Entries, type Entry, interactiveElements, missingEntries } from './block-elements.ts';
import type { Ack } from './deliver.ts';
import type { Cause } from './interaction-grants.ts';
import type { View } from './open-views.ts';
import type { Person } from './playground-options.ts';
import { isJson, type Json, objectsOf, Refusal } from './slack-json.ts';
import type { Stage } from './stage.ts';
import { wireMessage } from './wire-forms.ts';
import type { Message } from './workspace.ts';

/** Somebody of the workspace. */
export function personOf({ workspace }: Stage, user: string): Person {
  const person = workspace.person(user);
  if (!person) throw new Refusal('user_not_found');
  return person;
}

/** What every interaction tells about who did it, where, and to which app. */
function interactionParts(stage: Stage, user: string): Json {
  const { team, app } = stage.options;
  const { id, name } = personOf(stage, user);
  return {
    user: { id, username: name, name, team_id: team.id },
    team: { id: team.id, domain: team.domain },
    api_app_id: app.id,
    token: 'verification-token-nobody-checks',
    enterprise: null,
    is_enterprise_install: false,
  };
}

/** Slack's escape of the three characters that mean something in its texts. */
export function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Where an element stands: in a message, or in a view. */
export type PlaceName = { readonly channel: string; readonly ts: string } | { readonly viewId: string };

/** One element a person acts upon. */
interface ElementName {
  readonly user: string;
  /** The window of theirs in which they see it. */
  readonly tab?: string;
  readonly place: PlaceName;
  readonly actionId: string;
  /** Needed only where several blocks hold an element of this `action_id`. */
  readonly blockId?: string;
}

/** A place, found: its blocks, and how interactions name it. */
interface Place {
  readonly key: string;
  readonly blocks: readonly Json[];
  readonly parts: Json;
  readonly message?: Message;
  readonly view?: View;
}

/** The place a person acts in. */
function findPlace(stage: Stage, user: string, name: PlaceName): Place {
  if ('viewId' in name) {
    const view = stage.views.find(user, name.viewId);
    if (!view) throw new Refusal('view_not_found');
    const key = `${user} ${view.id}`;
    const state = { values: stage.inputs.valuesOf(key, view.blocks) };
    return {
      key,
      blocks: view.blocks,
      view,
      parts: { container: { type: 'view', view_id: view.id }, view: { ...view, state } },
    };
  }
  const conversation = stage.workspace.conversation(name.channel);
  const message = stage.workspace.messages(conversation.id, user).find(({ ts }) => ts === name.ts);
  if (!message) throw new Refusal('message_not_found');
  const key = `${user} ${message.channel} ${message.ts}`;
  const blocks = message.blocks ?? [];
  const ephemeral = message.onlyFor !== undefined;
  return {
    key,
    blocks,
    message,
    parts: {
      container: {
        type: 'message',
        message_ts: message.ts,
        channel_id: message.channel,
        is_ephemeral: ephemeral,
        ...(message.threadTs ? { thread_ts: message.threadTs } : {}),
      },
      channel: { id: conversation.id, name: conversation.name },
      // Slack does not show an app the ephemeral message again.
      ...(ephemeral ? {} : { message: wireMessage(message, stage.options) }),
      state: { values: stage.inputs.valuesOf(key, blocks) },
    },
  };
}

/** One element of a place. */
function findElement(
  { blocks }: Place,
  { actionId, blockId }: ElementName,
): { blockId: string; element: Json } {
  const found = interactiveElements(blocks).find(
    (each) => each.element.action_id === actionId && (blockId === undefined || each.blockId === blockId),
  );
  if (!found) throw new Refusal('element_not_found', { action_id: actionId });
  return found;
}

/** A click on a button, or a choice made in another element. */
export interface Click extends ElementName {
  /** What was chosen; a button needs none. */
  readonly entry?: Entry;
}

/** Tells the app that somebody used an element. */
export async function click(stage: Stage, made: Click): Promise<Ack> {
  const before = findPlace(stage, made.user, made.place);
  const { blockId, element } = findElement(before, made);
  if (made.entry !== undefined)
    stage.inputs.enter(before.key, { [`${blockId}.${made.actionId}`]: made.entry });
  const place = findPlace(stage, made.user, made.place);
  const original = place.message;
  const ack = await stage.deliver('interactive', {
    type: 'block_actions',
    ...interactionParts(stage, made.user),
    ...place.parts,
    trigger_id: stage.triggers.issue({ user: made.user, tab: made.tab ?? '' }),
    ...(original
      ? { response_url: stage.responseUrls.issue({ user: made.user, channel: original.channel, original }) }
      : {}),
    actions: [
      {
        action_id: made.actionId,
        block_id: blockId,
        action_ts: stage.workspace.nextTs(),
        ...actionPart(stage, element, made.entry),
      },
    ],
  });
  if (ack.outcome !== 'ok')
    stage.workspace.notify({
      kind: 'notice',
      user: made.user,
      text: `${stage.options.app.name} did not respond. Try again.`,
    });
  return ack;
}

function actionPart(stage: Stage, element: Json, entry: Entry | undefined): Json {
  const { type, text, value, style, url } = element;
  const present = Object.entries({ text, value, style, url }).filter(([, member]) => member !== undefined);
  if (type === 'button' || type === 'workflow_button') return { type, ...Object.fromEntries(present) };
  if (type === 'feedback_buttons' || type === 'icon_button') return { type, value: entry ?? value ?? '' };
  return stage.inputs.chosen(element, entry ?? null);
}

/** Something typed into a menu whose options come from the app. */
export interface OptionQuery extends ElementName {
  readonly query: string;
}

/** The options the app offers; `failed` where Slack would show that none could be loaded. */
type OfferedOptions =
  | { readonly options: readonly Json[]; readonly groups: readonly Json[] }
  | { readonly failed: string };

/** Asks the app for the options of an external menu. */
export async function requestOptions(stage: Stage, query: OptionQuery): Promise<OfferedOptions> {
  const place = findPlace(stage, query.user, query.place);
  const { blockId } = findElement(place, query);
  const ack = await stage.deliver('interactive', {
    type: 'block_suggestion',
    ...interactionParts(stage, query.user),
    ...place.parts,
    action_id: query.actionId,
    block_id: blockId,
    value: query.query,
  });
  if (ack.outcome !== 'ok') return { failed: ack.outcome };
  const body = isJson(ack.body) ? ack.body : {};
  const groups = objectsOf(body.option_groups);
  const options = objectsOf(body.options);
  const all = [...options, ...groups.flatMap((group) => objectsOf(group.options))];
  if (all.length > limits.select.options) return { failed: 'too_many_options' };
  stage.inputs.offer(all);
  return { options, groups };
}

/** Somebody picks a shortcut; a message shortcut is picked on a message. */
export interface ShortcutUse {
  readonly user: string;
  readonly tab?: string;
  readonly callbackId: string;
  readonly message?: { readonly channel: string; readonly ts: string };
}

/** Tells the app which shortcut was picked. */
export async function useShortcut(
  stage: Stage,
  { user, tab = '', callbackId, message }: ShortcutUse,
): Promise<Ack> {
  const { workspace, triggers, responseUrls } = stage;
  const shared = {
    ...interactionParts(stage, user),
    callback_id: callbackId,
    trigger_id: triggers.issue({ user, tab }),
    action_ts: workspace.nextTs(),
  };
  if (!message) return stage.deliver('interactive', { type: 'shortcut', ...shared });
  const place = findPlace(stage, user, message);
  return stage.deliver('interactive', {
    type: 'message_action',
    ...shared,
    channel: place.parts.channel,
    message: place.parts.message,
    message_ts: message.ts,
    response_url: responseUrls.issue({ user, channel: message.channel }),
  });
}

/** Somebody submits the modal they see. */
export interface Submission {
  readonly user: string;
  /** The window of theirs; one has none where there is only one. */
  readonly tab?: string;
  /** The topmost modal unless named. */
  readonly viewId?: string;
  readonly entries?: Entries;
}

/** What came of it: an acknowledgement, unless Slack itself kept the person back; errors by `block_id`. */
export interface Submitted {
  readonly ack: Ack | null;
  readonly errors: Readonly<Record<string, string>>;
}

/** What Slack writes into a modal whose app did not answer properly. */
const trouble = { '': 'We had some trouble connecting. Try again?' };

/** Submits a modal and does what the app answers: errors, update, push, clear, or nothing (the modal closes). */
export async function submitView(
  stage: Stage,
  { user, tab = '', viewId, entries = {} }: Submission,
): Promise<Submitted> {
  const view = openView(stage, { user, tab }, viewId);
  stage.inputs.enter(`${user} ${view.id}`, entries);
  const place = findPlace(stage, user, { viewId: view.id });
  const missing = missingEntries(view.blocks, stage.inputs.valuesOf(place.key, view.blocks));
  if (Object.keys(missing).length > 0) return { ack: null, errors: missing };
  const ack = await stage.deliver('interactive', {
    type: 'view_submission',
    ...interactionParts(stage, user),
    view: place.parts.view,
    trigger_id: stage.triggers.issue({ user, tab }),
    response_urls: [],
  });
  if (ack.outcome !== 'ok') return { ack, errors: trouble };
  try {
    return { ack, errors: followAnswer(stage, { user, tab }, view, isJson(ack.body) ? ack.body : {}) };
  } catch (error) {
    if (error instanceof Refusal) return { ack, errors: trouble };
    throw error;
  }
}

function followAnswer({ views }: Stage, cause: Cause, view: View, answer: Json): Record<string, string> {
  const action = answer.response_action;
  if (action === 'errors' && isJson(answer.errors))
    return Object.fromEntries(Object.entries(answer.errors).map(([block, words]) => [block, String(words)]));
  if (action === 'update') views.update({ id: view.id }, answer.view);
  else if (action === 'push') views.push(cause, answer.view);
  else if (views.stackOf(cause.user, cause.tab).some(({ id }) => id === view.id))
    views.close(cause, action === 'clear');
  return {};
}

/** Closes the topmost modal, or the whole stack where the app asked for that; the app hears of it if it wished. */
export async function closeView(stage: Stage, user: string, tab = ''): Promise<Ack | null> {
  const view = openView(stage, { user, tab }, undefined);
  const place = findPlace(stage, user, { viewId: view.id });
  const cleared = view.clear_on_close === true;
  stage.views.close({ user, tab }, cleared);
  if (view.notify_on_close !== true) return null;
  return stage.deliver('interactive', {
    type: 'view_closed',
    ...interactionParts(stage, user),
    view: place.parts.view,
    is_cleared: cleared,
  });
}

function openView({ views }: Stage, { user, tab }: Cause, id: string | undefined): View {
  const stack = views.stackOf(user, tab);
  const view = id === undefined ? stack.at(-1) : stack.find((each) => each.id === id);
  if (!view) throw new Refusal('view_not_found');
  return view;
}
