import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';

const manifest = z.object({
  features: z.object({
    slash_commands: z.array(
      z.object({ command: z.string(), description: z.string(), usage_hint: z.string().default('') }),
    ),
  }),
});

/** The slash commands Slack is told about, read from the manifest beside `package.json`. */
export function slashCommandsOf(file: string) {
  const text = readFileSync(new URL(`../${file}`, import.meta.url), 'utf8');
  const { slash_commands: declared } = manifest.parse(parse(text)).features;
  return declared.map(({ command, description, usage_hint: usageHint }) => ({
    command,
    description,
    usageHint,
  }));
}
