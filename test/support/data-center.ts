import { exportFile, isAssignedTo, jiraIssue, movesTo, searchResult } from './jira-export.ts';

/** Who works at a company whose Data Center gave keys of their own to all but its first person: logins by key. */
export const dataCenterPeople: Readonly<Record<string, string>> = {
  ada: 'ada',
  JIRAUSER10002: 'bob',
  JIRAUSER10003: 'carl',
  JIRAUSER10004: 'dora',
};

/**
 * Files of an export of that Data Center: DC-1, which Bob had from 10:00 on 2 March 2026 (UTC) until it was done at 18:00
 * the same day, and the list of people.
 */
export function dataCenterExport(): readonly string[] {
  const issue = jiraIssue('DC-1', { created: '2026-03-02T09:00:00Z' })
    .at('2026-03-02T10:00:00Z', isAssignedTo('JIRAUSER10002'), movesTo('In Progress'))
    .at('2026-03-02T18:00:00Z', movesTo('Done'), isAssignedTo(null))
    .onDataCenter();
  const people = Object.entries(dataCenterPeople).map(([key, name]) => ({
    key,
    name,
    displayName: `${name.charAt(0).toUpperCase()}${name.slice(1)}`,
  }));
  return [exportFile(searchResult(issue)), exportFile(people, 'people.json')];
}
