import { draftOf } from '../draft.ts';
import type { Method } from '../method.ts';
import { Refusal } from '../refusal.ts';
import { wireMessage } from '../wire-message.ts';

/** Changes a message of the app. */
export const chatUpdate: Method = {
  name: 'chat.update',
  run: (args, { workspace, options }) => {
    const { id } = workspace.conversation(args.required('channel'));
    const old = workspace.find(id, args.required('ts'));
    // An ephemeral message has no ts this method knows: only its response_url changes it.
    if (!old || old.onlyFor !== undefined) throw new Refusal('message_not_found');
    if (!old.byApp) throw new Refusal('cant_update_message');
    // Blocks that are not spoken of stay; an empty list takes them away.
    const blocks = args.json('blocks') ?? old.blocks;
    const message = workspace.replace(old, draftOf(args.text('text'), blocks));
    return { channel: id, ts: message.ts, text: message.text, message: wireMessage(message, options) };
  },
};
