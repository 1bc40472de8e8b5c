import { readBeside } from '../jira-json/read-beside.ts';
import type { TrackerEntry } from '../tracker.ts';

/** Entries of Jira's lists of people, fields, filters or sprints in our nouns; what cannot be read is left out. */
export function tellBeside(raw: readonly unknown[]): TrackerEntry[] {
  const told = raw.map(readBeside).filter((one) => one !== null);
  const users = told.flatMap((one) => one.users);
  const fields = told.flatMap(({ part }) => part.fields ?? []);
  const filters = told.flatMap(({ part }) => part.filters ?? []);
  const sprints = told.flatMap(({ part }) => part.sprints ?? []);
  return [
    ...(users.length === 0 ? [] : [{ kind: 'users', users } as const]),
    ...(fields.length === 0 ? [] : [{ kind: 'directory', part: { fields } } as const]),
    ...(filters.length === 0 ? [] : [{ kind: 'directory', part: { filters } } as const]),
    ...(sprints.length === 0 ? [] : [{ kind: 'directory', part: { sprints } } as const]),
  ];
}
