import type { Json } from './json.ts';
import type { Conversation, Workspace } from './workspace.ts';

/** A place in the form Slack's API shows it. */
export function wireConversation({ id, name, topic, direct }: Conversation, workspace: Workspace): Json {
  if (direct) return { id, is_im: true, is_channel: false, user: direct.id, is_open: true, created: 0 };
  const channel = workspace.channels.find((each) => each.id === id);
  return {
    id,
    name,
    name_normalized: name,
    is_channel: true,
    is_im: false,
    is_private: channel?.isPrivate ?? false,
    is_shared: channel?.sharedWith !== undefined,
    is_org_shared: channel?.sharedWith === 'organisation',
    is_ext_shared: channel?.sharedWith === 'others',
    is_pending_ext_shared: false,
    is_archived: false,
    is_general: name === 'general',
    is_member: workspace.isMember(id),
    num_members: workspace.membersOf(id).length,
    topic: { value: topic, creator: '', last_set: 0 },
    purpose: { value: '', creator: '', last_set: 0 },
    created: 0,
  };
}
