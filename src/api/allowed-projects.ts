import type { AllowedProject } from '../model/chat.ts';
import { badRequest } from '../model/error.ts';

/**
 * The keys of projects that were typed, with commas or blanks between them, upper case and each once; what can be none
 * is a `bad-request`.
 */
export function readProjectKeys(typed: string): readonly string[] {
  const words = typed.split(/[\s,]+/).filter((word) => word !== '');
  const wrong = words.find((word) => !/^[a-z][a-z0-9_]*$/i.test(word));
  if (wrong !== undefined) {
    throw badRequest(
      `project '${wrong}' is no key; allowed: what stands before the number of an issue, such as WEB.`,
    );
  }
  return [...new Set(words.map((word) => word.toUpperCase()))];
}

/**
 * The list with these projects in it, in the order of their keys; for each of them it is set again whether guests count. The
 * first one makes a list, which also narrows the channel: a list says all of what can be read there.
 */
export function allowProjects(
  kept: readonly AllowedProject[] | null,
  keys: readonly string[],
  withGuests: boolean,
): readonly AllowedProject[] {
  const others = (kept ?? []).filter(({ key }) => !keys.includes(key));
  return [...others, ...keys.map((key) => ({ key, withGuests }))].toSorted((a, b) =>
    a.key < b.key ? -1 : 1,
  );
}

/** The list without these projects; one that is not in it is a `bad-request`. Without a list there is nothing to take from. */
export function forbidProjects(
  kept: readonly AllowedProject[] | null,
  keys: readonly string[],
): readonly AllowedProject[] {
  const missing = keys.find((key) => !kept?.some((one) => one.key === key));
  if (missing !== undefined) {
    const allowed = kept === null || kept.length === 0 ? 'none' : kept.map(({ key }) => key).join(', ');
    throw badRequest(`project '${missing}' is not in the channel's list; in it: ${allowed}.`);
  }
  return (kept ?? []).filter(({ key }) => !keys.includes(key));
}
