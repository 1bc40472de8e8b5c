import type { FieldName } from '../../model/directory.ts';
import { SPRINT, STORY_POINTS } from './settings.ts';

/** What people call the fields of the issues. */
export const fieldNames: readonly FieldName[] = [
  { id: 'summary', name: 'Summary' },
  { id: 'status', name: 'Status' },
  { id: 'assignee', name: 'Assignee' },
  { id: 'reporter', name: 'Reporter' },
  { id: 'issuetype', name: 'Issue Type' },
  { id: 'priority', name: 'Priority' },
  { id: 'labels', name: 'Labels' },
  { id: 'components', name: 'Components' },
  { id: 'fixVersions', name: 'Fix versions' },
  { id: 'resolution', name: 'Resolution' },
  { id: 'duedate', name: 'Due date' },
  { id: 'created', name: 'Created' },
  { id: 'updated', name: 'Updated' },
  { id: 'resolutiondate', name: 'Resolved' },
  { id: 'security', name: 'Security Level' },
  { id: STORY_POINTS, name: 'Story Points' },
  { id: SPRINT, name: 'Sprint' },
];
