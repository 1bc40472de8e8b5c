import { changesOf } from '../../issues/issue-fields.ts';
import type { Issue } from '../../model/issue.ts';
import type { JqlWorld } from '../jql.ts';
import { type Content, UNCERTAIN } from './field.ts';
import { readList } from './read-content.ts';

/** The id under which Jira Cloud keeps sprints where nobody has told the field's name. */
const USUAL = 'customfield_10020';

/** Where the agile API answers them, and what Data Center calls them in changelogs. */
const AGILE = 'sprint';
const OTHERS: readonly string[] = ['closedSprints', 'Sprint'];

/** The fields that hold sprints: those called Sprint, or else the usual one, and the agile API's. */
export function sprintFields({ directory }: JqlWorld): readonly string[] {
  const called = directory.fields
    .filter(({ name }) => name.trim().toLowerCase() === 'sprint')
    .map(({ id }) => id);
  return [...new Set([...(called.length > 0 ? called : [USUAL]), AGILE])];
}

/**
 * Reads the sprints of an issue, each once, from whatever fields it has them in. The agile API tells those of today
 * only, so of the past the fields that changes are logged for are believed.
 */
export function readSprints(world: JqlWorld): (issue: Issue) => Content {
  const fields = [...new Set([...sprintFields(world), ...OTHERS])];
  const readers = fields.map((field) => ({ field, read: readList([field], world) }));
  return (issue) => {
    const logged =
      world.now < issue.updated ? readers.filter(({ field }) => changesOf(issue, field).length > 0) : [];
    const contents = (logged.length > 0 ? logged : readers).map(({ read }) => read(issue));
    if (contents.includes(UNCERTAIN)) return UNCERTAIN;
    const values = contents.flatMap((one) => (one === null || one === UNCERTAIN ? [] : one));
    return [...new Map(values.map((one) => [typeof one === 'object' ? one.id : one, one])).values()];
  };
}
