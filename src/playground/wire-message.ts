import type { Json } from './json.ts';
import type { Message, SlackFile } from './message.ts';
import type { PlaygroundOptions } from './options.ts';

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
