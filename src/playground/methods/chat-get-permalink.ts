import type { Method } from '../method.ts';
import { Refusal } from '../refusal.ts';

/** The address of a message. */
export const chatGetPermalink: Method = {
  name: 'chat.getPermalink',
  run: (args, { workspace, options }) => {
    const { id } = workspace.conversation(args.required('channel'));
    const message = workspace.find(id, args.required('message_ts'));
    if (!message || message.onlyFor !== undefined) throw new Refusal('message_not_found');
    return {
      channel: id,
      permalink: `https://${options.team.domain}.slack.com/archives/${id}/p${message.ts.replace('.', '')}`,
    };
  },
};
