import type { JqlWorld } from '../jql.ts';

/** The id under which Jira Cloud keeps sprints where nobody has told the field's name. */
const USUAL = 'customfield_10020';

/** The fields that hold sprints: those called Sprint, or else the usual one. */
export function sprintFields({ directory }: JqlWorld): readonly string[] {
  const called = directory.fields
    .filter(({ name }) => name.trim().toLowerCase() === 'sprint')
    .map(({ id }) => id);
  return called.length > 0 ? called : [USUAL];
}
