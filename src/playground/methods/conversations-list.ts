import type { Method } from '../method.ts';
import { pageOf } from '../page-of.ts';
import { wireConversation } from '../wire-conversation.ts';

/** The places of the asked types; public channels unless said otherwise. */
export const conversationsList: Method = {
  name: 'conversations.list',
  run: (args, { workspace }) => {
    const types = (args.text('types') ?? 'public_channel').split(',').map((type) => type.trim());
    const asked = workspace
      .conversations()
      .filter(({ direct }) => types.includes(direct ? 'im' : 'public_channel'));
    const { page, nextCursor } = pageOf(asked, args, 100);
    return {
      channels: page.map((each) => wireConversation(each, workspace)),
      response_metadata: { next_cursor: nextCursor },
    };
  },
};
