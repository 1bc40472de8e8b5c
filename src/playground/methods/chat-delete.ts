import type { Method } from '../method.ts';
import { Refusal } from '../refusal.ts';

/** Deletes a message of the app. */
export const chatDelete: Method = {
  name: 'chat.delete',
  run: (args, { workspace }) => {
    const { id } = workspace.conversation(args.required('channel'));
    const message = workspace.find(id, args.required('ts'));
    if (!message || message.onlyFor !== undefined) throw new Refusal('message_not_found');
    if (!message.byApp) throw new Refusal('cant_delete_message');
    workspace.remove(message);
    return { channel: id, ts: message.ts };
  },
};
