const invite =
  'I am not in this channel. Type `/invite @Dwell` there and ask again, or ask in a direct message with the app.';
const rules =
  'The rules of this workspace keep me from posting here. Ask in another channel, or in a direct message with the app.';
const reinstall =
  'I lack a permission. An admin has to install the app again with the scopes chat:write, files:write and files:read.';
const token = 'Slack does not accept the token of the app any more. An admin has to install the app again.';
const files =
  'The rules of this workspace do not let me upload this file. Ask for another format, or ask an admin to allow it.';
const space = 'The workspace has no room for this file. Ask for fewer issues, or ask an admin to make room.';

/** What Slack's words mean for somebody who wants a file, and what to do: whole sentences. */
const explanations: Readonly<Record<string, string>> = {
  not_in_channel: invite,
  channel_not_found: invite,
  is_archived: 'This channel is archived. Ask in another channel.',
  restricted_action: rules,
  restricted_action_read_only_channel: rules,
  restricted_action_thread_only_channel: rules,
  restricted_action_non_threadable_channel: rules,
  restricted_action_thread_locked: 'This thread is locked. Ask in the channel instead.',
  posting_to_general_channel_denied: rules,
  posting_to_channel_denied: rules,
  messages_tab_disabled: 'I cannot be written to directly here. Ask in a channel that I am in.',
  thread_not_found: 'The thread is gone. Ask in the channel instead.',
  missing_scope: reinstall,
  no_permission: reinstall,
  not_allowed_token_type: reinstall,
  access_denied: reinstall,
  not_authed: token,
  invalid_auth: token,
  account_inactive: token,
  token_revoked: token,
  token_expired: token,
  file_upload_disabled: files,
  file_uploads_disabled: files,
  file_uploads_except_images_disabled: files,
  blocked_file_type: files,
  file_upload_size_restricted: space,
  storage_limit_reached: space,
  upload_413: space,
};

/** Why Slack refused, in words, with what to do. */
export function explainRefusal(code: string): string {
  return Object.hasOwn(explanations, code)
    ? (explanations[code] ?? '')
    : `Slack refused with the word ${code}. Please tell an admin.`;
}
