import { jiraStanding } from '../jira-json/jira-schema.ts';
import { parseInstant } from '../jira-json/parse-instant.ts';
import { readIssue } from '../jira-json/read-issue.ts';
import { readPerson } from '../jira-json/read-person.ts';
import { readStatus } from '../jira-json/read-status.ts';
import { nulProblem } from '../jira-json/unusable-reason.ts';
import type { FoundIssue } from '../live-tracker.ts';
import type { TrackerEntry } from '../tracker.ts';
import type { IssueJson, NamelessJson } from './listed-issues.ts';
import type { WholeIssue } from './whole-changelogs.ts';

/** An issue after what it mentions, or that it cannot be used. `site`: where people browse it. */
export function issueEntries({ issue: json, histories, lack }: WholeIssue, site: string): TrackerEntry[] {
  if (json.unlike !== null) return [unusableEntry(json, site)];
  const changelog = { startAt: 0, total: histories.length, histories };
  const raw = { ...json, changelog };
  const read = readIssue(raw, { lack });
  if ('reason' in read) return [rejectedEntry(json, site, read.reason)];
  const why = nulProblem({ ...read, id: json.id }, raw);
  if (why !== null) return [rejectedEntry(json, site, why)];
  const { statuses, users, mentioned } = read;
  // The site is where people browse; an app sends its requests to another host.
  const issue = { ...read.issue, id: json.id, link: `${site}/browse/${read.issue.key}` };
  return [
    { kind: 'statuses', statuses, list: null },
    { kind: 'users', users },
    ...(mentioned === null ? [] : [{ kind: 'directory', part: mentioned } as const]),
    { kind: 'issue', issue },
  ];
}

/** An entry of Jira that is no issue. */
export function unusableEntry(json: IssueJson | NamelessJson, site: string): TrackerEntry {
  return rejectedEntry(json, site, json.unlike ?? 'it is not an issue');
}

function rejectedEntry({ key }: IssueJson | NamelessJson, site: string, reason: string): TrackerEntry {
  return { kind: 'rejected', source: site, key: key?.toUpperCase() ?? null, reason };
}

/** The identity of a found issue. One without an instant is taken for the oldest: it cannot be used, yet it exists. */
export function foundIssue({ id, key, fields }: IssueJson): FoundIssue {
  return { id, key: key.toUpperCase(), updated: parseInstant(fields.updated) ?? 0 };
}

/** The same of an issue of a survey, with where it stands. */
export function surveyedIssue(json: IssueJson): FoundIssue {
  const { status, assignee } = jiraStanding.parse(json.fields);
  return {
    ...foundIssue(json),
    ...(status === undefined ? {} : { status: readStatus(status).id }),
    ...(assignee === undefined ? {} : { assignee: readPerson(assignee)?.id ?? null }),
  };
}

/** The same for an issue with all its fields. */
export function foundWhole(json: IssueJson): FoundIssue {
  return { ...surveyedIssue(json), created: parseInstant(json.fields.created) ?? 0 };
}
