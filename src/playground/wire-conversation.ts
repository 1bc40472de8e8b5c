import type { Json } from './json.ts';
import type { Conversation, Workspace } from './workspace.ts';

/** A place in the form Slack's API shows it. */
export function wireConversation({ id, name, topic, direct }: Conversation, workspace: Workspace): Json {
  if (direct) return { id, is_im: true, is_channel: false, user: direct.id, is_open: true, created: 0 };
  return {
    id,
    name,
    name_normalized: name,
    is_channel: true,
    is_im: false,
    is_private: false,
    is_archived: false,
    is_general: name === 'general',
    is_member: workspace.isMember(id),
    num_members: workspace.people.length,
    topic: { value: topic, creator: '', last_set: 0 },
    purpose: { value: '', creator: '', last_set: 0 },
    created: 0,
  };
}
