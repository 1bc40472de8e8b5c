import type { Method } from '../method.ts';
import { pageOf } from '../page-of.ts';
import { Refusal } from '../refusal.ts';
import { wireMessage } from '../wire-message.ts';

/** A message and the replies in its thread, oldest first. */
export const conversationsReplies: Method = {
  name: 'conversations.replies',
  run: (args, { workspace, options }) => {
    const { id } = workspace.conversation(args.required('channel'));
    const ts = args.required('ts');
    const thread = workspace.messages(id).filter((message) => message.ts === ts || message.threadTs === ts);
    if (thread.length === 0) throw new Refusal('thread_not_found');
    const { page, nextCursor } = pageOf(thread, args, 1_000);
    return {
      messages: page.map((message) =>
        wireMessage(message, options, {
          replies: message.ts === ts ? thread.length - 1 : 0,
          withMetadata: args.flag('include_all_metadata'),
        }),
      ),
      has_more: nextCursor !== '',
      response_metadata: { next_cursor: nextCursor },
    };
  },
};
