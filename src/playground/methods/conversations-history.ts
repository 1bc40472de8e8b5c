import type { Method } from '../method.ts';
import { pageOf } from '../page-of.ts';
import { Refusal } from '../refusal.ts';
import { wireMessage } from '../wire-message.ts';

/** The messages of a place, newest first, without ephemeral ones and without replies in threads. */
export const conversationsHistory: Method = {
  name: 'conversations.history',
  run: (args, { workspace, options }) => {
    const { id } = workspace.conversation(args.required('channel'));
    if (!workspace.isMember(id)) throw new Refusal('not_in_channel');
    const all = workspace.messages(id);
    const from = Number(args.text('oldest') ?? 0);
    const to = Number(args.text('latest') ?? Number.POSITIVE_INFINITY);
    const inclusive = args.flag('inclusive');
    const asked = all
      .filter(({ threadTs, ts }) => threadTs === undefined || threadTs === ts)
      .filter(
        ({ ts }) => (Number(ts) > from && Number(ts) < to) || (inclusive && [from, to].includes(Number(ts))),
      )
      .toReversed();
    const { page, nextCursor } = pageOf(asked, args, 100);
    return {
      messages: page.map((message) =>
        wireMessage(message, options, {
          replies: all.filter(({ threadTs }) => threadTs === message.ts).length,
          withMetadata: args.flag('include_all_metadata'),
        }),
      ),
      has_more: nextCursor !== '',
      response_metadata: { next_cursor: nextCursor },
    };
  },
};
