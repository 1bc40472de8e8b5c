import { type AppError, badRequest } from '../model/error.ts';

/** A piece of a query as it was written; `at` counts its characters before it. */
export interface Written {
  readonly source: string;
  readonly at: number;
}

/** Refuses a piece of a query: `why` goes on after its text and position, and `name` is the parameter it came in. */
export function refuse(name: string, piece: Written, why: string): AppError {
  return badRequest(`${name}: '${shorten(piece.source)}' at position ${piece.at} ${why}`);
}

/** A list for people; long ones end in how many more there are. */
export function listed(words: Iterable<string>): string {
  const all = [...new Set(words)];
  const shown = all.slice(0, MOST_LISTED).map(shorten).join(', ');
  return all.length > MOST_LISTED ? `${shown} and ${all.length - MOST_LISTED} more` : shown;
}

const MOST_LISTED = 40;
const LONGEST_QUOTED = 80;

function shorten(text: string): string {
  const characters = [...text];
  return characters.length > LONGEST_QUOTED ? `${characters.slice(0, LONGEST_QUOTED).join('')}…` : text;
}
