import type { Change, Issue } from './issue.ts';

/** What an issue that is kept in another way than as a list may be asked instead of its changes. */
export const changesByField = Symbol('changes by field');

/** An issue that tells the changes of one field without making up all the others. */
export interface TellsChangesByField {
  [changesByField](field: string): readonly Change[];
}

/** The changes of one field, in the order in which they are told. */
export function changesOf(issue: Issue, field: string): readonly Change[] {
  if (tellsChangesByField(issue)) return issue[changesByField](field);
  return issue.changes.filter((change) => change.field === field);
}

function tellsChangesByField(issue: Issue): issue is Issue & TellsChangesByField {
  return changesByField in issue;
}
