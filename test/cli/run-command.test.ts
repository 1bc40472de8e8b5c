import { expect, test } from '#jest';
import { createProgressLine } from '../../src/cli/cli-command.ts';
import { commands } from '../../src/cli/commands/index.ts';
import { readCommandLine } from '../../src/cli/read-command-line.ts';
import { runCommand } from '../support/run-command.ts';
import { unusedCliParts } from '../support/unused-cli-parts.ts';

const parts = unusedCliParts;

async function helpOf(...args: string[]): Promise<string> {
  const lines: string[] = [];
  expect(await runCommand(args, { ...parts, out: (line) => lines.push(line) })).toBe(0);
  return lines.join('\n');
}

/** A text of help as it was before it was wrapped. */
const unwrapped = (text: string) => text.replace(/\s+/g, ' ');

test('without a command, and with help, every command of the list is shown with what it does', async () => {
  const help = await helpOf();
  expect(await helpOf('help')).toBe(help);
  expect(await helpOf('--help')).toBe(help);
  expect(await helpOf('help', 'help')).toBe(help);
  expect(await helpOf('help', '--help')).toBe(help);
  expect(await helpOf('-h')).toBe(help);
  for (const { name, summary } of commands) expect(unwrapped(help)).toContain(` ${name} ${summary} `);
});

test.each(commands.map((command) => [command.name, command] as const))(
  '%s --help shows its usage, what it does, its words and options one per line, and examples',
  async (_, command) => {
    const { name, usage, summary, details = '', words = {}, options, examples } = command;
    const help = await helpOf(name, '--help');
    expect(await helpOf('help', name)).toBe(help);
    expect(await helpOf(name, '--any', '-h')).toBe(help);
    expect(help.split('\n')[0]).toBe(`Usage: npx dwell ${usage}`);
    expect(unwrapped(help)).toContain(`${summary.slice(1)}. ${details}`.trim());
    for (const [word, text] of Object.entries({ ...words, ...options })) {
      const shown = word.replace(/^\[(.*?)(?:\.\.\.)?\]$/, '$1');
      expect(help.split('\n').filter((line) => line.startsWith(`  ${shown} `))).toHaveLength(1);
      expect(unwrapped(help)).toContain(`${shown} ${text}`);
    }
    expect(examples.length).toBeGreaterThan(0);
    for (const example of examples) expect(help).toContain(`\n  npx dwell ${example}`);
    for (const line of help.split('\n').slice(1)) expect(line.length).toBeLessThanOrEqual(80);
  },
);

test.each(commands.flatMap(({ name, examples }) => examples.map((example) => [name, example] as const)))(
  'an example of %s is a line that is understood: %s',
  (name, example) => {
    const line = readCommandLine(commands, example.split(' '));
    expect([example.split(' ')[0], 'run' in line]).toEqual([name, true]);
  },
);

test('a word that looks like a question for help is a word after two dashes', async () => {
  const asked: string[] = [];
  const refusal = new Error('seen');
  const importFiles = (files: readonly string[]) => {
    asked.push(...files);
    return Promise.reject(refusal);
  };
  await expect(runCommand(['import', '--', '-h'], { ...parts, importFiles })).rejects.toBe(refusal);
  expect(asked).toEqual(['-h']);
});

const every =
  'doctor, import, sync, connect, backup, restore, resume, access, audience, audit, delegates, digests, flow, manifest, mcp, people, person, secrets, statuses, store, token, tokens, help';

test.each([
  [['imprt'], 'Unknown command "imprt". Try: import.'],
  [['tokenn'], 'Unknown command "tokenn". Try: token, tokens.'],
  [['nonsense'], `Unknown command "nonsense". Try: ${every}.`],
  [['help', 'nonsense'], `Unknown command "nonsense". Try: ${every}.`],
  [['--verbose'], "Unknown option '--verbose'. Try: help."],
  [['tokens', '--of', 'x'], "Unknown option '--of'. Try: --off, --on."],
  [["--it's"], "Unknown option '--it's'. Try: help."],
  [['connect', 'now'], "Unexpected argument 'now'. Try: connect."],
  [['connect', '--json'], "Unknown option '--json'. Try: connect."],
  [['tokens', '--json=yes'], '--json takes no value. Try: tokens [--off ID | --on ID].'],
  [['tokens', '--off', '--json'], '--off needs a value. Try: tokens [--off ID | --on ID].'],
])('%j is refused in one sentence with what to try', async (args, detail) => {
  await expect(runCommand(args, parts)).rejects.toMatchObject({ code: 'bad-request', details: [detail] });
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
