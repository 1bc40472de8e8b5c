import type { AccessRule } from '../model/directory.ts';
import { badRequest } from '../model/error.ts';

/** What a rule is about; `text` is how people read it. */
export interface Target extends Pick<AccessRule, 'kind' | 'id'> {
  readonly text: string;
}

/** The project or the security level that is meant; null when nothing is. */
export function readTarget(
  words: readonly string[],
  level: string | undefined,
  usage: string,
): Target | null {
  const [project, tooMany] = words;
  if (tooMany !== undefined) throw badRequest(`'${tooMany}' is one word too many; allowed: ${usage}.`);
  if (level !== undefined) {
    if (project !== undefined) throw badRequest(`PROJECT '${project}' and --level exclude each other.`);
    const id = level.trim();
    if (id === '') throw badRequest("--level '' is no security level; allowed: its id, such as 10700.");
    return { kind: 'level', id, text: `Level ${id}` };
  }
  if (project === undefined) return null;
  const key = project.trim().toUpperCase();
  if (!/^[A-Z][A-Z0-9_]*$/.test(key)) {
    throw badRequest(
      `PROJECT '${project}' is no project key; allowed: what stands before an issue's number, such as WEB.`,
    );
  }
  return { kind: 'project', id: key, text: `Project ${key}` };
}
