import { nearestOf } from '../questions/parse/names-meant.ts';
import type { CommandLine } from './command.ts';

/** The word behind a slash command that was likely meant; null where none is near. */
export function nearWord(typed: string, root: string, commands: readonly CommandLine[]): string | null {
  return nearestOf(
    typed,
    commands.flatMap((one) => (one.root === root && one.word !== null ? [one.word] : [])),
  );
}
