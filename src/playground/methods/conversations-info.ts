import type { Method } from '../method.ts';
import { wireConversation } from '../wire-conversation.ts';

/** One place. */
export const conversationsInfo: Method = {
  name: 'conversations.info',
  run: (args, { workspace }) => ({
    channel: wireConversation(workspace.conversation(args.required('channel')), workspace),
  }),
};
