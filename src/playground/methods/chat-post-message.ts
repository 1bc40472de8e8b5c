import { draftOf } from '../draft.ts';
import { isJson } from '../json.ts';
import type { Method } from '../method.ts';
import { Refusal } from '../refusal.ts';
import { wireMessage } from '../wire-message.ts';

/** Posts a message of the app. */
export const chatPostMessage: Method = {
  name: 'chat.postMessage',
  run: (args, { workspace, options }) => {
    const { id } = workspace.conversation(args.required('channel'));
    if (!workspace.isMember(id)) throw new Refusal('not_in_channel');
    const threadTs = args.text('thread_ts');
    if (threadTs !== undefined && !workspace.find(id, threadTs)) throw new Refusal('thread_not_found');
    const draft = draftOf(args.text('text'), args.json('blocks'));
    const metadata = args.json('metadata');
    const message = workspace.post(id, {
      ...draft,
      ...(threadTs ? { threadTs } : {}),
      ...(isJson(metadata) ? { metadata } : {}),
    });
    return { channel: id, ts: message.ts, message: wireMessage(message, options) };
  },
};
