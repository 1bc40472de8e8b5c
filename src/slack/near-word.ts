import type { SlashCommand } from './command.ts';
import { editDistance } from './edit-distance.ts';

const MOST_EDITS = 2;
/** So much of a word has to be left, or every short name would be one. */
const LEAST_KEPT = 2;
const MOST_CHARACTERS = 20;

/** The word behind a slash command that was likely meant; null where none is near. */
export function nearWord(typed: string, root: string, commands: readonly SlashCommand[]): string | null {
  if (typed.length > MOST_CHARACTERS) return null;
  const [nearest] = commands
    .flatMap((one) => (one.root === root && one.word !== null ? [one.word] : []))
    .map((word) => ({ word, edits: editDistance(typed.toLowerCase(), word) }))
    .filter(({ word, edits }) => edits <= Math.min(MOST_EDITS, word.length - LEAST_KEPT))
    .toSorted((a, b) => a.edits - b.edits);
  return nearest?.word ?? null;
}
