import { badRequest } from '../model/error.ts';
import type { Known } from './known.ts';

/**
 * The people and groups that an option means, as rules name them. A group may be called by its name and a user by the
 * address; somebody the tracker does not know is taken at their word, for tokens and Slack have users of their own.
 */
export function viewerIds(option: string, text: string, known: Known): string[] {
  const words = text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
  if (words.length === 0) {
    throw badRequest(
      `${option} '${text}' names nobody; allowed: ids of users and groups, such as ada,web-team.`,
    );
  }
  return [...new Set(words.map((word) => viewerId(option, word, known)))];
}

/** The one person or group that a word of an option means. */
export function viewerId(option: string, word: string, { groups, users }: Known): string {
  const isGroup = groups.some(({ id }) => id === word);
  if (users.has(word) && isGroup) {
    throw badRequest(`${option} '${word}' is a user and a group; allowed: user:${word} or group:${word}.`);
  }
  if (users.has(word) || isGroup) return word;
  const named = [
    ...groups.filter(({ name }) => name.toLowerCase() === word.toLowerCase()),
    ...[...users.values()].filter(({ email }) => email?.toLowerCase() === word.toLowerCase()),
  ];
  if (named.length > 1) {
    const several = named.map(({ id }) => id).join(', ');
    throw badRequest(`${option} '${word}' is not clear; allowed: one of the ids ${several}.`);
  }
  return named[0]?.id ?? word;
}
