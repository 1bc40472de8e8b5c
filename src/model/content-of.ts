import type { FieldContent, Issue } from './issue.ts';

/** What an issue that is kept in another way than as a record may be asked instead of its fields. */
export const contentByField = Symbol('content by field');

/** An issue that tells the content of one field without making up all the others. */
export interface TellsContentByField {
  [contentByField](field: string): FieldContent | undefined;
}

/** The current content of one field; undefined where the issue does not have the field. */
export function contentOf(issue: Pick<Issue, 'fields'>, field: string): FieldContent | undefined {
  if (tellsContentByField(issue)) return issue[contentByField](field);
  return Object.hasOwn(issue.fields, field) ? issue.fields[field] : undefined;
}

function tellsContentByField(issue: object): issue is TellsContentByField {
  return contentByField in issue;
}
