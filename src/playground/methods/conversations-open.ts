import type { Method } from '../method.ts';
import { Refusal } from '../refusal.ts';

/** The direct conversation with one person. */
export const conversationsOpen: Method = {
  name: 'conversations.open',
  run: (args, { workspace }) => {
    const user = args.text('users') ?? workspace.conversation(args.required('channel')).direct?.id ?? '';
    if (!workspace.person(user)) throw new Refusal('user_not_found');
    return { channel: { id: workspace.directOf(user) } };
  },
};
