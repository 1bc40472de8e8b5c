import type { Status } from '../../model/issue.ts';
import { namesOf } from './read-status.ts';

/** A status that can be watched, as it is typed: one of a review where there is one, in quotes where it has blanks. */
export function exampleStatus(statuses: readonly Status[]): string {
  const open = namesOf(statuses);
  const name = open.find((one) => /review/i.test(one)) ?? open[0] ?? 'STATUS';
  return /\s/.test(name) ? `"${name}"` : name;
}
