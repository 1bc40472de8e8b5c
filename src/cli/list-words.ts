import { badRequest } from '../model/error.ts';

/** The names of a list of people and groups, commas between them; one that names nobody is refused. */
export function listWords(option: string, text: string): readonly [string, ...string[]] {
  const [first, ...others] = text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
  if (first !== undefined) return [first, ...others];
  throw badRequest(
    `${option} '${text}' names nobody; allowed: ids of users and groups, such as ada,web-team.`,
  );
}
