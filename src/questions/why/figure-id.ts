import { createHash } from 'node:crypto';
import { AppError } from '../../model/error.ts';

/** Kinds of figures that can be explained. */
const kinds = [
  'status',
  'total',
  'age',
  'usual',
  'column',
  'issue',
  'cell',
  'finished',
  'carried',
  'added',
  'cycle',
  'average',
  'within',
] as const;

/** What a figure is, and the texts that tell which one. */
export interface FigureName {
  readonly kind: (typeof kinds)[number];
  readonly words: readonly string[];
}

/** The short stable text of a figure. No word holds a colon but the last, which may be any text. */
export function figureId(kind: FigureName['kind'], ...words: readonly string[]): string {
  return [kind, ...words].join(':');
}

/** Reads it back; `not-found` for a text that no figure has. */
export function readFigureId(id: string): FigureName {
  const [first, ...words] = id.split(':');
  const kind = kinds.find((one) => one === first);
  if (kind === undefined) throw unknownFigure();
  return { kind, words };
}

/** A short text in place of one that may be long and hold anything, such as the id of a column. */
export function shortName(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 12);
}

/** The answer has no such figure, or has it no more. */
export function unknownFigure(): AppError {
  return new AppError('not-found', 'This figure is not in the answer', [
    'The answer has no such figure, or has it no more. Ask the question again and choose one of its figures.',
  ]);
}
