import { checkBlocks } from '../../src/slack/blocks/check-blocks.ts';
import { isJson, objectsOf, problemsRefusal, Refusal } from '../slack-json.ts';
import type { Method } from '../slack-method.ts';
import { wireMessage } from '../wire-forms.ts';
import { draftOf } from '../workspace.ts';

/** What the app writes: messages, what it changes in them, and what it shows below links. */
export const chatMethods: readonly Method[] = [
  /** Posts a message of the app. */
  {
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
  },
  /** Posts a message of the app that one person sees. */
  {
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
  },
  /** Changes a message of the app. */
  {
    name: 'chat.update',
    run: (args, { workspace, options }) => {
      const { id } = workspace.conversation(args.required('channel'));
      const old = workspace.find(id, args.required('ts'));
      // An ephemeral message has no ts this method knows: only its response_url changes it.
      if (!old || old.onlyFor !== undefined) throw new Refusal('message_not_found');
      if (!old.byApp) throw new Refusal('cant_update_message');
      // Blocks that are not spoken of stay; an empty list takes them away.
      const blocks = args.json('blocks') ?? old.blocks;
      const message = workspace.replace(old, draftOf(args.text('text'), blocks));
      return { channel: id, ts: message.ts, text: message.text, message: wireMessage(message, options) };
    },
  },
  /** Deletes a message of the app. */
  {
    name: 'chat.delete',
    run: (args, { workspace }) => {
      const { id } = workspace.conversation(args.required('channel'));
      const message = workspace.find(id, args.required('ts'));
      if (!message || message.onlyFor !== undefined) throw new Refusal('message_not_found');
      if (!message.byApp) throw new Refusal('cant_delete_message');
      workspace.remove(message);
      return { channel: id, ts: message.ts };
    },
  },
  /** The address of a message. */
  {
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
  },
  /** Shows something of the app below links of a message. */
  {
    name: 'chat.unfurl',
    run: (args, { workspace }) => {
      const { id } = workspace.conversation(args.required('channel'));
      const unfurls = args.json('unfurls');
      const message = workspace.find(id, args.required('ts'));
      if (!message || message.onlyFor !== undefined) throw new Refusal('cannot_unfurl_message');
      if (!isJson(unfurls)) throw new Refusal('invalid_unfurls_format');
      const shown = Object.entries(unfurls).map(([url, unfurl]) => {
        if (!isJson(unfurl)) throw new Refusal('invalid_unfurls_format');
        if (!message.text.includes(url.replaceAll('&', '&amp;'))) throw new Refusal('cannot_find_link');
        const problems = checkBlocks(unfurl.blocks, 'message');
        if (problems.length > 0) throw problemsRefusal('invalid_blocks', problems);
        return [url, objectsOf(unfurl.blocks)];
      });
      workspace.unfurl(message, Object.fromEntries(shown));
      return {};
    },
  },
];
