import type { Status, StatusCategory } from '../../model/issue.ts';
import type { JiraStatus } from './jira-schema.ts';

/** The keys stay the same in every language of Jira; the names do not. */
const categories: Readonly<Record<string, StatusCategory>> = {
  new: 'To Do',
  indeterminate: 'In Progress',
  done: 'Done',
};

/** A status as Jira sends it; one without an id is identified by its name. */
export function readStatus(raw: JiraStatus): Status {
  const scope = raw.scope?.project?.key ?? raw.scope?.project?.id;
  return {
    id: raw.id ?? raw.name,
    name: raw.name,
    category: categories[raw.statusCategory?.key ?? ''] ?? 'Undefined',
    deleted: false,
    ...(scope ? { scope } : {}),
  };
}
