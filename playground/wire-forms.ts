import type { Person, PlaygroundOptions } from './playground-options.ts';
import { type Json, Refusal } from './slack-json.ts';
import type { Conversation, Message, SlackFile, Workspace } from './workspace.ts';

/** A message in the form Slack's API and its payloads show it. */
export function wireMessage(
  message: Message,
  { app, team, url }: PlaygroundOptions,
  { replies = 0, withMetadata = false }: { readonly replies?: number; readonly withMetadata?: boolean } = {},
): Json {
  return {
    ...(withMetadata && message.metadata ? { metadata: message.metadata } : {}),
    type: 'message',
    user: message.user,
    ts: message.ts,
    text: message.text,
    team: team.id,
    ...(message.byApp
      ? {
          bot_id: app.botId,
          app_id: app.id,
          bot_profile: { id: app.botId, app_id: app.id, name: app.name, team_id: team.id },
        }
      : {}),
    ...(message.blocks ? { blocks: message.blocks } : {}),
    ...(message.files ? { files: message.files.map((file) => wireFile(file, url())), upload: false } : {}),
    ...(message.threadTs ? { thread_ts: message.threadTs } : {}),
    ...(replies > 0 ? { thread_ts: message.ts, reply_count: replies } : {}),
    ...(message.unfurls
      ? {
          attachments: Object.entries(message.unfurls).map(([url, blocks], i) => ({
            id: i + 1,
            from_url: url,
            app_unfurl_url: url,
            is_app_unfurl: true,
            blocks,
          })),
        }
      : {}),
    ...(message.edited ? { edited: { user: message.user, ts: message.ts } } : {}),
  };
}

/** A file in the form Slack's API shows it. */
export function wireFile({ content: _, altText, ...file }: SlackFile, baseUrl: string): Json {
  const address = `${baseUrl.replace(/\/$/, '')}/playground/files/${file.id}/${encodeURIComponent(file.name)}`;
  return {
    ...file,
    ...(altText ? { alt_txt: altText } : {}),
    timestamp: file.created,
    pretty_type: file.filetype.toUpperCase(),
    mode: 'hosted',
    is_external: false,
    is_public: true,
    url_private: address,
    url_private_download: `${address}?download`,
    permalink: address,
  };
}

/** A person in the form Slack's API shows them. */
export function wireUser(person: Person, { team, now }: PlaygroundOptions): Json {
  const teamId = person.foreignTeam ?? team.id;
  return {
    id: person.id,
    team_id: teamId,
    name: person.name,
    deleted: person.deactivated ?? false,
    real_name: person.realName,
    tz: person.tz,
    tz_label: person.tz,
    tz_offset: zoneOffsetSeconds(person.tz, now()),
    profile: { real_name: person.realName, display_name: person.name, email: person.email, team: teamId },
    is_admin: person.admin ?? false,
    is_owner: false,
    is_restricted: person.guest ?? false,
    is_ultra_restricted: person.guest ?? false,
    is_bot: person.bot ?? false,
    is_app_user: false,
    is_email_confirmed: !person.unconfirmed,
    ...(person.foreignTeam === undefined ? {} : { is_stranger: false }),
    updated: 0,
  };
}

/** The app's own user in the same form. */
export function wireBotUser({ app, team }: PlaygroundOptions): Json {
  return {
    id: app.botUserId,
    team_id: team.id,
    name: app.name.toLowerCase(),
    deleted: false,
    real_name: app.name,
    tz: 'Etc/UTC',
    tz_offset: 0,
    profile: {
      real_name: app.name,
      display_name: app.name,
      api_app_id: app.id,
      bot_id: app.botId,
      team: team.id,
    },
    is_admin: false,
    is_owner: false,
    is_bot: true,
  };
}

/** Anybody of the workspace by id. */
export function wireUserById(id: string, options: PlaygroundOptions): Json {
  if (id === options.app.botUserId) return wireBotUser(options);
  const person = options.people.find((each) => each.id === id);
  if (!person) throw new Refusal('user_not_found');
  return wireUser(person, options);
}

function zoneOffsetSeconds(timeZone: string, at: number): number {
  const text = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' }).format(at);
  const [, sign = '+', hours = '0', minutes = '0'] = /GMT([+-])(\d\d):(\d\d)/.exec(text) ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours) * 3_600 + Number(minutes) * 60);
}

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
