import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';

const manifest = z.object({
  display_information: z.object({ description: z.string() }),
  features: z.object({
    app_home: z.object({ messages_tab_enabled: z.boolean() }),
    slash_commands: z.array(
      z.object({
        command: z.string(),
        description: z.string(),
        usage_hint: z.string().default(''),
        should_escape: z.boolean(),
      }),
    ),
  }),
});

/** What Slack is told about the app, read from `manifest.yml` beside `package.json`. */
export function readManifest() {
  const text = readFileSync(new URL('../manifest.yml', import.meta.url), 'utf8');
  const { display_information: display, features } = manifest.parse(parse(text));
  return {
    description: display.description,
    messagesTab: features.app_home.messages_tab_enabled,
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
