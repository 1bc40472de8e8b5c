import { badRequest } from '../model/error.ts';
import type { CliParts, Command } from './cli-command.ts';
import { commands } from './commands/index.ts';

/** How the command line is called from the project's folder. */
const CALL = 'npm run --silent dwell --';

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
    throw badRequest(`Command '${name}' is not known; allowed: ${names}, help.`);
  }
  if (asksForHelp(rest)) {
    for (const line of usageLines(command)) parts.out(line);
    return 0;
  }
  return command.run(rest, parts);
}

/** Behind `--` stand words that are meant as they are. */
function asksForHelp(args: readonly string[]): boolean {
  const end = args.indexOf('--');
  return args.slice(0, end === -1 ? args.length : end).some((one) => one === '--help' || one === '-h');
}

function usageLines({ usage, summary }: Command): string[] {
  return [`Usage: ${CALL} ${usage}`, `    ${summary}`];
}

/** What every command does, derived from the list. */
export function helpLines(): string[] {
  return [
    `Usage: ${CALL} COMMAND`,
    '',
    ...commands.flatMap(({ usage, summary }) => [`  ${usage}`, `      ${summary}`]),
    '  help',
    '      tell this; COMMAND --help tells of one command',
  ];
}
