import { badRequest } from '../../model/error.ts';
import type { Issue } from '../../model/issue.ts';
import type { Column } from '../../model/table.ts';

/** Titles of the fields every Jira has; any other field is shown under its id. */
const titles: Readonly<Record<string, string>> = {
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
};

const instants: readonly string[] = ['created', 'updated', 'resolutiondate'];

/** The asked-for fields as columns; a field that none of the issues has is the asker's mistake and is named. */
export function fieldColumns(asked: readonly string[], issues: readonly Issue[]): Column[] {
  const known = new Set(issues.flatMap((issue) => Object.keys(issue.fields)));
  const byLowerCase = new Map([...known].map((id) => [id.toLowerCase(), id]));
  const ids = asked.map((field) => {
    const id = byLowerCase.get(field.toLowerCase());
    if (id === undefined) {
      throw badRequest(
        `fields '${field}' is not a field of these issues; allowed: ${[...known].sort().join(', ')}.`,
      );
    }
    return id;
  });
  return [...new Set(ids)]
    .filter((id) => id !== 'summary')
    .map((id) => ({
      id,
      title: titles[id] ?? id,
      kind: instants.includes(id) ? 'instant' : 'text',
      part: 'field',
    }));
}
