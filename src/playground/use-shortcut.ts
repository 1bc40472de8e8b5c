import type { Ack } from './ack.ts';
import { interactionParts } from './payload-parts.ts';
import { findPlace } from './place.ts';
import type { Stage } from './stage.ts';

/** Somebody picks a shortcut; a message shortcut is picked on a message. */
export interface ShortcutUse {
  readonly user: string;
  readonly callbackId: string;
  readonly message?: { readonly channel: string; readonly ts: string };
}

/** Tells the app which shortcut was picked. */
export async function useShortcut(stage: Stage, { user, callbackId, message }: ShortcutUse): Promise<Ack> {
  const { workspace, triggers, responseUrls } = stage;
  const shared = {
    ...interactionParts(stage, user),
    callback_id: callbackId,
    trigger_id: triggers.issue(user),
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
