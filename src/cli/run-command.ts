import { badRequestAs } from '../model/error.ts';
import { CALL, type CliParts, runWithHelp } from './cli-command.ts';
import { commands } from './commands/index.ts';

const helpWords: readonly string[] = ['help', '--help', '-h'];

/**
 * Runs one command line and returns its exit code. Without a command, or with `help`, it lists the commands, and
 * with `--help` behind a command how that is used.
 */
export async function runCommand(args: readonly string[], parts: CliParts): Promise<number> {
  const [name, ...rest] = args;
  if (name === undefined || helpWords.includes(name)) {
    for (const line of helpLines()) parts.out(line);
    return 0;
  }
  const command = commands.find((one) => one.name === name);
  if (command === undefined) {
    const names = commands.map((one) => one.name).join(', ');
    throw badRequestAs('unknown-command', `Unknown command '${name}'. Try: ${names}, help.`);
  }
  return runWithHelp(command, rest, parts);
}

/** What every command does, derived from the list. */
export function helpLines(): string[] {
  return [
    `Usage: ${CALL} COMMAND`,
    '',
    ...commands.flatMap(({ usage, summary }) => [`  ${usage}`, `      ${summary}`]),
    '  help',
    '      show this; COMMAND --help shows one command',
  ];
}
