import type { FieldValue } from '../../model/issue.ts';

/** Fields every issue has and no key of another issue is in; looking there would only take time. */
const keyless: readonly string[] = [
  ...['assignee', 'created', 'creator', 'duedate', 'issuetype', 'priority', 'project'],
  ...['reporter', 'resolution', 'resolutiondate', 'status', 'updated'],
];

/** Whether the field with an id may hold keys of other issues. */
export function mayHoldKeys(field: string): boolean {
  return !keyless.includes(field) && !field.startsWith('calc:');
}

const none: readonly string[] = [];

const issueKey = /^([A-Z][A-Z0-9_]*)-[1-9]\d*$/i;

/** The keys of issues among what a value holds (upper case): parents, epics, links. Several are written as a list. */
export function issueKeysIn({ id, name }: FieldValue): readonly string[] {
  // Most values are names and numbers, and this is asked of each value of each change.
  if (!id.includes('-') && !name.includes('-')) return none;
  return [...partsOf(id), ...partsOf(name)].filter(isIssueKey).map((key) => key.toUpperCase());
}

/** A text in which each key that `isHidden` says is told by `instead`. */
export function withoutKeys(text: string, isHidden: (key: string) => boolean, instead: string): string {
  return partsOf(text)
    .map((part) => (isIssueKey(part) && isHidden(part.toUpperCase()) ? instead : part))
    .join(', ');
}

function isIssueKey(text: string): boolean {
  return issueKey.test(text);
}

function partsOf(text: string): readonly string[] {
  return text.split(', ');
}
