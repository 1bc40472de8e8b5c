import { badRequest } from '../../model/error.ts';
import type { Issue } from '../../model/issue.ts';
import type { Column } from '../../model/table.ts';

/** Titles of the fields every Jira has; any other field is shown under its id. */
const titles = new Map(
  Object.entries({
    assignee: 'Assignee',
    components: 'Components',
    created: 'Created',
    creator: 'Creator',
    duedate: 'Due Date',
    fixVersions: 'Fix Versions',
    issuetype: 'Issue Type',
    labels: 'Labels',
    parent: 'Parent',
    priority: 'Priority',
    project: 'Project',
    reporter: 'Reporter',
    resolution: 'Resolution',
    resolutiondate: 'Resolved',
    status: 'Status',
    updated: 'Updated',
    versions: 'Affects Versions',
  }),
);

const instants: readonly string[] = ['created', 'updated', 'resolutiondate'];

/** The asked-for fields as columns. */
export function fieldColumns(asked: readonly string[], issues: readonly Issue[]): Column[] {
  const known = issues.flatMap((issue) => Object.keys(issue.fields));
  return resolveFields('fields', asked, known)
    .filter((id) => id !== 'summary')
    .map((id) => ({
      id,
      title: titles.get(id) ?? id,
      kind: instants.includes(id) ? 'instant' : 'text',
      part: 'field',
    }));
}

/** The fields whose history is asked for: those the issues have, and those a change mentions. */
export function historyFieldIds(asked: readonly string[], issues: readonly Issue[]): string[] {
  const known = issues.flatMap((issue) => [
    ...Object.keys(issue.fields),
    ...issue.changes.map((change) => change.field),
  ]);
  return resolveFields('historyFields', asked, known);
}

/** Ids in their own spelling, each once; a field that none of the issues has is the asker's mistake and is named. */
function resolveFields(parameter: string, asked: readonly string[], known: readonly string[]): string[] {
  const byLowerCase = new Map(known.map((id) => [id.toLowerCase(), id]));
  const ids = asked.map((field) => {
    const id = byLowerCase.get(field.toLowerCase());
    if (id !== undefined) return id;
    const allowed = [...new Set(known)].sort().join(', ');
    throw badRequest(`${parameter} '${field}' is not a field of these issues; allowed: ${allowed}.`);
  });
  return [...new Set(ids)];
}
