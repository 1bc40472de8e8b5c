import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
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
  settings: z.object({ event_subscriptions: z.object({ bot_events: z.array(z.string()) }) }),
});

/** What Slack is told about the app, read from `manifest.yml` beside `package.json`. */
export function readManifest() {
  const text = readFileSync(new URL('../manifest.yml', import.meta.url), 'utf8');
  const { display_information: display, features, settings } = manifest.parse(parse(text));
  return {
    description: display.description,
    messagesTab: features.app_home.messages_tab_enabled,
    shortcuts: features.shortcuts.map(({ callback_id: callbackId, ...shortcut }) => ({
      ...shortcut,
      callbackId,
    })),
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
