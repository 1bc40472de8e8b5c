import { badRequest } from '../model/error.ts';
import type { Rights } from './command.ts';

/**
 * The people and groups that are meant, as rules name them. A group may be called by its name and a user by the
 * address; somebody the imports do not know is taken at their word, for tokens and Slack have users of their own.
 */
export async function viewerIds(text: string, rights: Rights): Promise<string[]> {
  const words = text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
  if (words.length === 0) {
    throw badRequest(`--to '${text}' names nobody; allowed: ids of users and groups, such as ada,web-team.`);
  }
  const { groups } = await rights.directory();
  const users = await rights.users();
  const ids = words.map((word) => {
    const isGroup = groups.some(({ id }) => id === word);
    if (users.has(word) && isGroup) {
      throw badRequest(`--to '${word}' is a user and a group; allowed: user:${word} or group:${word}.`);
    }
    if (users.has(word) || isGroup) return word;
    const named = [
      ...groups.filter(({ name }) => name.toLowerCase() === word.toLowerCase()),
      ...[...users.values()].filter(({ email }) => email?.toLowerCase() === word.toLowerCase()),
    ];
    if (named.length > 1) {
      const several = named.map(({ id }) => id).join(', ');
      throw badRequest(`--to '${word}' is not clear; allowed: one of the ids ${several}.`);
    }
    return named[0]?.id ?? word;
  });
  return [...new Set(ids)];
}
