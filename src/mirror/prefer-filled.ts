import type { Mirror } from './mirror.ts';

/**
 * The first mirror once it has been filled, the second until then. Looked at anew with every question, so that a
 * running Dwell turns to the imported issues as soon as an import is done; a question keeps the one it started with.
 */
export function preferFilled(first: Mirror, second: Mirror): () => Promise<Mirror> {
  return async () => ((await first.filledAt()) === null ? second : first);
}
