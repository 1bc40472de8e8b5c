import { badRequest } from '../model/error.ts';
import type { CliParts } from './command.ts';
import { commands } from './commands/index.ts';

/** Runs one command line and returns its exit code; without a command, or with `help`, tells what there is. */
export async function runCommand(args: readonly string[], parts: CliParts): Promise<number> {
  const [name, ...rest] = args;
  if (name === undefined || name === 'help' || name === '--help') {
    for (const line of helpLines()) parts.out(line);
    return 0;
  }
  const command = commands.find((one) => one.name === name);
  if (command === undefined) {
    const names = commands.map((one) => one.name).join(', ');
    throw badRequest(`Command '${name}' is not known; allowed: ${names}, help.`);
  }
  return command.run(rest, parts);
}

/** What every command does, derived from the list. */
export function helpLines(): string[] {
  return [
    'Usage: npm run --silent dwell -- COMMAND',
    '',
    ...commands.flatMap(({ usage, summary }) => [`  ${usage}`, `      ${summary}`]),
    '  help',
    '      tell this',
  ];
}
