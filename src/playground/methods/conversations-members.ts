import type { Method } from '../method.ts';
import { pageOf } from '../page-of.ts';

/** Who is in a place. */
export const conversationsMembers: Method = {
  name: 'conversations.members',
  run: (args, { workspace, options }) => {
    const { id, direct } = workspace.conversation(args.required('channel'));
    const people = direct ? [direct.id] : workspace.membersOf(id);
    const members = [...people, ...(workspace.isMember(id) ? [options.app.botUserId] : [])];
    const { page, nextCursor } = pageOf(members, args, 100);
    return { members: page, response_metadata: { next_cursor: nextCursor } };
  },
};
