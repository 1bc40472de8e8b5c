import { Refusal } from '../slack-json.ts';
import { type Method, pageOf } from '../slack-method.ts';
import { wireBotUser, wireConversation, wireMessage, wireUser, wireUserById } from '../wire-forms.ts';

/** The places of the workspace, who is in them, and what was written there. */
export const conversationMethods: readonly Method[] = [
  /** The places of the asked types; public channels unless said otherwise. */
  {
    name: 'conversations.list',
    run: (args, { workspace }) => {
      const types = (args.text('types') ?? 'public_channel').split(',').map((type) => type.trim());
      const matching = workspace
        .conversations()
        .filter(({ direct }) => types.includes(direct ? 'im' : 'public_channel'));
      const { page, nextCursor } = pageOf(matching, args, 100);
      return {
        channels: page.map((each) => wireConversation(each, workspace)),
        response_metadata: { next_cursor: nextCursor },
      };
    },
  },
  /** One place. */
  {
    name: 'conversations.info',
    run: (args, { workspace }) => ({
      channel: wireConversation(workspace.conversation(args.required('channel')), workspace),
    }),
  },
  /** Who is in a place. */
  {
    name: 'conversations.members',
    run: (args, { workspace, options }) => {
      const { id, direct } = workspace.conversation(args.required('channel'));
      const people = direct ? [direct.id] : workspace.membersOf(id);
      const members = [...people, ...(workspace.isMember(id) ? [options.app.botUserId] : [])];
      const { page, nextCursor } = pageOf(members, args, 100);
      return { members: page, response_metadata: { next_cursor: nextCursor } };
    },
  },
  /** The direct conversation with one person. */
  {
    name: 'conversations.open',
    run: (args, { workspace }) => {
      const user = args.text('users') ?? workspace.conversation(args.required('channel')).direct?.id ?? '';
      if (!workspace.person(user)) throw new Refusal('user_not_found');
      return { channel: { id: workspace.directOf(user) } };
    },
  },
  /** Makes the app a member of a public channel. */
  {
    name: 'conversations.join',
    run: (args, { workspace }) => {
      const channel = workspace.conversation(args.required('channel'));
      if (channel.direct) throw new Refusal('method_not_supported_for_channel_type');
      const already = workspace.isMember(channel.id);
      workspace.join(channel.id);
      return {
        channel: wireConversation(channel, workspace),
        ...(already ? { warning: 'already_in_channel' } : {}),
      };
    },
  },
  /** The messages of a place, newest first, without ephemeral ones and without replies in threads. */
  {
    name: 'conversations.history',
    run: (args, { workspace, options }) => {
      const { id } = workspace.conversation(args.required('channel'));
      if (!workspace.isMember(id)) throw new Refusal('not_in_channel');
      const all = workspace.messages(id);
      const from = Number(args.text('oldest') ?? 0);
      const to = Number(args.text('latest') ?? Number.POSITIVE_INFINITY);
      const inclusive = args.flag('inclusive');
      const matching = all
        .filter(({ threadTs, ts }) => threadTs === undefined || threadTs === ts)
        .filter(
          ({ ts }) =>
            (Number(ts) > from && Number(ts) < to) || (inclusive && [from, to].includes(Number(ts))),
        )
        .toReversed();
      const { page, nextCursor } = pageOf(matching, args, 100);
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
  },
  /** A message and the replies in its thread, oldest first. */
  {
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
  },
];

/** The members of the workspace. */
export const userMethods: readonly Method[] = [
  /** The members of the workspace, the app's user among them. */
  {
    name: 'users.list',
    run: (args, { options }) => {
      const everyone = [...options.people.map((person) => wireUser(person, options)), wireBotUser(options)];
      const { page, nextCursor } = pageOf(everyone, args, 1_000);
      return { members: page, cache_ts: 0, response_metadata: { next_cursor: nextCursor } };
    },
  },
  /** One member of the workspace. */
  {
    name: 'users.info',
    run: (args, { options }) => ({ user: wireUserById(args.required('user'), options) }),
  },
  /** The member with this e-mail address; Slack does not find those who are deactivated. */
  {
    name: 'users.lookupByEmail',
    run: (args, { options }) => {
      const email = args.required('email').toLowerCase();
      const person = options.people.find((each) => !each.deactivated && each.email.toLowerCase() === email);
      if (!person) throw new Refusal('users_not_found');
      return { user: wireUser(person, options) };
    },
  },
];
