import type { Method } from '../method.ts';
import { Refusal } from '../refusal.ts';
import { wireConversation } from '../wire-conversation.ts';

/** Makes the app a member of a public channel. */
export const conversationsJoin: Method = {
  name: 'conversations.join',
  run: (args, { workspace }) => {
    const channel = workspace.conversation(args.required('channel'));
    if (channel.direct) throw new Refusal('method_not_supported_for_channel_type');
    const already = workspace.isMember(channel.id);
    workspace.join(channel.id);
    return {
      channel: wireConversation(channel, workspace),
      ...(already ? { warning: 'already_in_channel' } : {}),
    };
  },
};
