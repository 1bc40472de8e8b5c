import { compareText } from '../issues/ids-and-names.ts';
import { projectKeyOf } from '../issues/issue-fields.ts';
import type { Issue } from '../model/issue.ts';

/** Earlier created first; at one instant by key: the project's text, then the number, so that 9 comes before 10. */
export function compareByCreation(a: Issue, b: Issue): number {
  return a.created - b.created || compareText(projectKeyOf(a), projectKeyOf(b)) || numberOf(a) - numberOf(b);
}

function numberOf({ key }: Issue): number {
  return Number(key.slice(key.lastIndexOf('-') + 1));
}
