import { badRequest } from '../model/error.ts';
import type { Known } from './known.ts';
import { listWords } from './list-words.ts';
import { type Viewer, viewersCalled } from './viewers-called.ts';

/**
 * The people and groups that an option means, as rules name them. Somebody the tracker does not know is taken at their
 * word, for tokens and Slack have users of their own.
 */
export function viewerIds(option: string, text: string, known: Known): string[] {
  return [...new Set(listWords(option, text).map((word) => viewerId(option, word, known)))];
}

/** The one person or group that a word of an option means. */
export function viewerId(option: string, word: string, known: Known): string {
  return knownViewerId(option, word, known) ?? word;
}

/** The same; null for somebody the tracker does not know. */
export function knownViewerId(option: string, word: string, known: Known): string | null {
  const [viewer, ...others] = viewersCalled(word, known);
  if (viewer === undefined) return null;
  const ids = [viewer, ...others].map((one) => idOf(one, known));
  if (others.length > 0) {
    const isOneId = others.every(({ id }) => id === viewer.id);
    const why = isOneId
      ? `is a user and a group; allowed: ${ids.join(' or ')}`
      : `is not clear; allowed: one of the ids ${ids.join(', ')}`;
    throw badRequest(`${option} '${word}' ${why}.`);
  }
  // Whoever says which of both is meant may have a reason that is not known yet.
  return /^(user|group):/.test(word) ? `${viewer.kind}:${viewer.id}` : idOf(viewer, known);
}

/** The id, and whose it is where a user and a group have the same. */
function idOf({ kind, id }: Viewer, { groups, users }: Known): string {
  return users.has(id) && groups.some((group) => group.id === id) ? `${kind}:${id}` : id;
}
