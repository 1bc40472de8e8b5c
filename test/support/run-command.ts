import type { CliParts } from '../../src/cli/cli-command.ts';
import { commands } from '../../src/cli/commands/index.ts';
import { readCommandLine } from '../../src/cli/read-command-line.ts';

/** Runs one command line, or prints the help it asks for, and returns its exit code. */
export async function runCommand(
  args: readonly string[],
  parts: Omit<CliParts, 'stores' | 'doctor'>,
): Promise<number> {
  const line = readCommandLine<Omit<CliParts, 'stores' | 'doctor'>>(commands, args);
  if ('run' in line) return line.runAlone(parts) ?? line.run(parts);
  parts.out(line.help);
  return 0;
}
