import { editDistance } from './edit-distance.ts';

const MOST_EDITS = 2;
/** So much of a word has to be left, or every short name would be one. */
const LEAST_KEPT = 2;
const MOST_CHARACTERS = 20;

/** Which of some words was likely meant by one that is none of them, whatever its case; null where none is near. */
export function nearestOf(typed: string, words: readonly string[]): string | null {
  if (typed.length > MOST_CHARACTERS) return null;
  const [nearest] = words
    .map((word) => ({ word, edits: editDistance(typed.toLowerCase(), word.toLowerCase()) }))
    .filter(({ word, edits }) => edits <= Math.min(MOST_EDITS, word.length - LEAST_KEPT))
    .toSorted((a, b) => a.edits - b.edits);
  return nearest?.word ?? null;
}
