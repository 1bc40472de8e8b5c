import { expect, test } from '#jest';
import { commands } from '../../src/cli/commands/index.ts';
import { createProgressLine } from '../../src/cli/output-lines.ts';
import { runCommand } from '../../src/cli/run-command.ts';
import { unusedCliParts } from '../support/unused-cli-parts.ts';

const parts = unusedCliParts;

async function helpOf(...args: string[]): Promise<string[]> {
  const lines: string[] = [];
  expect(await runCommand(args, { ...parts, out: (line) => lines.push(line) })).toBe(0);
  return lines;
}

test('without a command, and with help, every command of the list is told', async () => {
  const help = await helpOf();
  expect(await helpOf('help')).toEqual(help);
  expect(await helpOf('--help')).toEqual(help);
  expect(await helpOf('-h')).toEqual(help);
  for (const { usage, summary } of commands) {
    expect(help).toContain(`  ${usage}`);
    expect(help).toContain(`      ${summary}`);
  }
});

test.each(commands.map((command) => [command] as const))(
  '$name --help tells how it is used',
  async (command) => {
    const told = [`Usage: npx dwell ${command.usage}`, `    ${command.summary}`];
    expect(await helpOf(command.name, '--help')).toEqual(told);
    expect(await helpOf(command.name, '--any', '-h')).toEqual(told);
  },
);

test('a word that looks like a question for help is a word behind two dashes', async () => {
  const asked: string[] = [];
  const refusal = new Error('seen');
  const importFiles = (files: readonly string[]) => {
    asked.push(...files);
    return Promise.reject(refusal);
  };
  await expect(runCommand(['import', '--', '-h'], { ...parts, importFiles, out: () => {} })).rejects.toBe(
    refusal,
  );
  expect(asked).toEqual(['-h']);
});

test('a command that is not in the list is refused with those that are', async () => {
  await expect(runCommand(['imprt'], { ...parts, out: () => {} })).rejects.toMatchObject({
    code: 'bad-request',
    details: [
      "Unknown command 'imprt'. Try: import, sync, connect, access, audience, delegates, digests, manifest, people, token, tokens, help.",
    ],
  });
});

function aLine(watched: boolean) {
  const clock = { now: 0 };
  const written: string[] = [];
  const tell = createProgressLine({ watched, write: (text) => written.push(text), now: () => clock.now });
  return { clock, written, tell };
}

test('before a person one line is overwritten, and cleared by an empty one', () => {
  const { written, tell } = aLine(true);
  tell('1 %');
  tell('');
  expect(written).toEqual(['\r\u001b[K1 %', '\r\u001b[K']);
});

test('anywhere else there is a line each ten seconds, and none to clear', () => {
  const { clock, written, tell } = aLine(false);
  for (const [at, line] of [
    [0, 'begun'],
    [9_999, 'too soon'],
    [10_000, 'ten'],
    [10_001, 'too soon'],
    [19_999, 'too soon'],
    [35_000, 'later'],
    [60_000, ''],
  ] as const) {
    clock.now = at;
    tell(line);
  }
  expect(written).toEqual(['ten\n', 'later\n']);
});
