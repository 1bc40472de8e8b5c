import { draftOf } from '../draft.ts';
import type { Method } from '../method.ts';
import { Refusal } from '../refusal.ts';

/** Posts a message of the app that one person sees. */
export const chatPostEphemeral: Method = {
  name: 'chat.postEphemeral',
  run: (args, { workspace }) => {
    const { id, direct } = workspace.conversation(args.required('channel'));
    const user = args.required('user');
    if (!workspace.isMember(id)) throw new Refusal('not_in_channel');
    if (!workspace.person(user) || (direct && direct.id !== user)) throw new Refusal('user_not_in_channel');
    const threadTs = args.text('thread_ts');
    const draft = draftOf(args.text('text'), args.json('blocks'));
    const message = workspace.post(id, { ...draft, onlyFor: user, ...(threadTs ? { threadTs } : {}) });
    return { message_ts: message.ts };
  },
};
