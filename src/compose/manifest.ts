import { readFileSync } from 'node:fs';
import { parse, parseDocument } from 'yaml';
import { z } from 'zod';

const manifest = z.object({
  display_information: z.object({ description: z.string() }),
  features: z.object({
    app_home: z.object({ messages_tab_enabled: z.boolean() }),
    shortcuts: z.array(
      z.object({
        name: z.string(),
        type: z.enum(['global', 'message']),
        callback_id: z.string(),
        description: z.string(),
      }),
    ),
    slash_commands: z.array(
      z.object({
        command: z.string(),
        description: z.string(),
        usage_hint: z.string().default(''),
        should_escape: z.boolean(),
      }),
    ),
  }),
  oauth_config: z.object({ scopes: z.object({ bot: z.array(z.string()) }) }),
  settings: z.object({ event_subscriptions: z.object({ bot_events: z.array(z.string()) }) }),
});

let known: ReturnType<typeof parseManifest> | null = null;

/** The description of the app for Slack, read once from `manifest.yml` beside `package.json`. */
export function readManifest() {
  known ??= parseManifest();
  return known;
}

function parseManifest() {
  const {
    display_information: display,
    features,
    oauth_config: oauth,
    settings,
  } = manifest.parse(parse(readText()));
  return {
    description: display.description,
    messagesTab: features.app_home.messages_tab_enabled,
    shortcuts: features.shortcuts.map(({ callback_id: callbackId, ...shortcut }) => ({
      ...shortcut,
      callbackId,
    })),
    scopes: oauth.scopes.bot,
    events: settings.event_subscriptions.bot_events,
    commands: features.slash_commands.map(
      ({ command, description, usage_hint: usageHint, should_escape: shouldEscape }) => ({
        command,
        description,
        usageHint,
        shouldEscape,
      }),
    ),
  };
}

/**
 * The manifest as Slack takes it: as it is for Socket Mode, or for requests to an address (without a slash at the end).
 * Everything comes there on one path, the options of menus included.
 */
export function manifestFor(address: string | null): string {
  const text = readText();
  if (address === null) return text;
  const url = `${address}/slack/events`;
  const document = parseDocument(text);
  const { features } = manifest.parse(document.toJS());
  for (const index of features.slash_commands.keys()) {
    document.setIn(['features', 'slash_commands', index, 'url'], url);
  }
  document.setIn(['settings', 'event_subscriptions', 'request_url'], url);
  document.setIn(['settings', 'interactivity', 'request_url'], url);
  document.setIn(['settings', 'interactivity', 'message_menu_options_url'], url);
  document.setIn(['settings', 'socket_mode_enabled'], false);
  return document.toString({ lineWidth: 120 });
}

function readText(): string {
  return readFileSync(new URL('../../manifest.yml', import.meta.url), 'utf8');
}
