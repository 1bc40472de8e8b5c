import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from '#jest';
import { commands } from '../../src/cli/commands/index.ts';
import { readCommandLine } from '../../src/cli/read-command-line.ts';
import { withGenerated } from '../support/generated-page.ts';

const page = fileURLToPath(new URL('../../docs/cli.md', import.meta.url));

/** A command as its help shows it. */
function sectionOf(name: string): string {
  const line = readCommandLine(commands, ['help', name]);
  return `### ${name}\n\n\`\`\`text\n${'help' in line ? line.help : ''}\n\`\`\`\n`;
}

test('docs/cli.md has the help of every command (UPDATE=1 writes it)', () => {
  const rows = commands.map(({ name, summary }) => `| [\`${name}\`](#${name}) | ${summary} |`);
  const table = ['| Command | What it does |', '|---|---|', ...rows, ''].join('\n');
  const text = readFileSync(page, 'utf8');
  const sections = commands.map(({ name }) => sectionOf(name)).join('\n');
  const wanted = withGenerated(text, 'commands', `${table}\n${sections}`);
  if (process.env.UPDATE === '1') writeFileSync(page, wanted);
  expect(readFileSync(page, 'utf8')).toBe(wanted);
});
