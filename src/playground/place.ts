import { interactiveElements } from './fill-ids.ts';
import type { Json } from './json.ts';
import type { Message } from './message.ts';
import { Refusal } from './refusal.ts';
import type { Stage } from './stage.ts';
import type { View } from './views.ts';
import { wireMessage } from './wire-message.ts';

/** Where an element stands: in a message, or in a view. */
export type PlaceName = { readonly channel: string; readonly ts: string } | { readonly viewId: string };

/** One element a person acts upon. */
export interface ElementName {
  readonly user: string;
  readonly place: PlaceName;
  readonly actionId: string;
  /** Needed only where several blocks hold an element of this `action_id`. */
  readonly blockId?: string;
}

/** A place, found: its blocks, and how interactions name it. */
export interface Place {
  readonly key: string;
  readonly blocks: readonly Json[];
  readonly parts: Json;
  readonly message?: Message;
  readonly view?: View;
}

/** The place a person acts in. */
export function findPlace(stage: Stage, user: string, name: PlaceName): Place {
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
export function findElement(
  { blocks }: Place,
  { actionId, blockId }: ElementName,
): { blockId: string; element: Json } {
  const found = interactiveElements(blocks).find(
    (each) => each.element.action_id === actionId && (blockId === undefined || each.blockId === blockId),
  );
  if (!found) throw new Refusal('element_not_found', { action_id: actionId });
  return found;
}
