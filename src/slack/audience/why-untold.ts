import { refusalOf } from '../exports/refusal.ts';

/** Why Slack does not tell who reads in a channel, and what would help: a whole sentence or two. */
export function whyUntold(error: unknown): string {
  const code = refusalOf(error);
  switch (code) {
    case null:
      return 'Slack does not tell at the moment who is in this channel. Please try again later.';
    case 'missing_scope':
      return 'I lack the permission to see who is in this channel. An admin has to install the app again with the scopes `channels:read`, `groups:read` and `mpim:read`.';
    case 'channel_not_found':
    case 'not_in_channel':
      return 'I cannot see who is in this channel. Type `/invite @Dwell` there and try again.';
    default:
      return `Slack does not tell who is in this channel: it refused with the word ${code}.`;
  }
}
