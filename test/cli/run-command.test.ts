import { expect, test } from '@jest/globals';
import { commands } from '../../src/cli/commands/index.ts';
import { runCommand } from '../../src/cli/run-command.ts';

const parts = { tokens: undefined as never, importFiles: undefined as never, progress: () => {} };

async function helpOf(...args: string[]): Promise<string[]> {
  const lines: string[] = [];
  expect(await runCommand(args, { ...parts, out: (line) => lines.push(line) })).toBe(0);
  return lines;
}

test('without a command, and with help, every command of the list is told', async () => {
  const help = await helpOf();
  expect(await helpOf('help')).toEqual(help);
  expect(await helpOf('--help')).toEqual(help);
  for (const { usage, summary } of commands) {
    expect(help).toContain(`  ${usage}`);
    expect(help).toContain(`      ${summary}`);
  }
});

test('a command that is not in the list is refused with those that are', async () => {
  await expect(runCommand(['imprt'], { ...parts, out: () => {} })).rejects.toMatchObject({
    code: 'bad-request',
    details: ["Command 'imprt' is not known; allowed: import, token, tokens, help."],
  });
});
