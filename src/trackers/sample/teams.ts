import type { Group } from '../../model/directory.ts';
import { type ProjectKey, people } from './people.ts';

const projects: readonly ProjectKey[] = ['WEB', 'APP', 'OPS'];

/** The team of a project as a group, such as `web-team`. */
export function groupOf(project: ProjectKey): Group {
  const name = `${project.toLowerCase()}-team`;
  const members = people.filter((one) => one.project === project).map(({ id }) => id);
  return { id: name, name, members };
}

/** Every team, and who administers the tracker. */
export const groups: readonly Group[] = [
  ...projects.map(groupOf),
  { id: 'jira-administrators', name: 'jira-administrators', members: ['ada'] },
];
