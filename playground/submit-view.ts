import { type Entries, missingEntries } from './block-elements.ts';
import type { Ack } from './deliver.ts';
import type { Cause } from './interaction-grants.ts';
import { findPlace, interactionParts } from './interactions.ts';
import type { View } from './open-views.ts';
import { isJson, type Json } from './slack-json.ts';
import { Refusal } from './slack-refusal.ts';
import type { Stage } from './stage.ts';

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
