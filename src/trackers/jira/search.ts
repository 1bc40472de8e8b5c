import type { Instant } from '../../model/issue.ts';
import type { FailedIssue, SearchPlace, SearchWindow, UnshownIssue } from '../live-tracker.ts';
import { JiraOverload } from './jira-failures.ts';
import type { IssueJson, NamelessJson } from './listed-issues.ts';

/**
 * How much of the issues is wanted: all, with as much of the changelog as comes along, when they were updated and
 * where they stand, or only which they are.
 */
export type Extent = 'whole' | 'updated' | 'keys';

/** A part of what was found, in order. */
export interface JsonPage {
  readonly issues: readonly IssueJson[];
  readonly nameless: readonly NamelessJson[];
  /** Those of which Jira shows no more than id and key, even by themselves. */
  readonly failed: readonly UnshownIssue[];
  readonly next: SearchPlace | null;
}

/** What is searched, oldest first. */
export interface Query extends Pick<SearchWindow, 'by'> {
  /** The JQL of it, or of as much of it as is not before an instant. */
  jqlFrom(from: Instant | null): Promise<string>;
}

/** Issues asked for by id; those that are not there, or that our account may not see, are neither. */
export interface JsonIssues {
  readonly issues: readonly IssueJson[];
  readonly failed: readonly FailedIssue[];
}

/** Finding issues, which Cloud and Data Center do in different ways. */
export interface JiraSearch {
  /** A place that is no longer good is `bad-request`. An issue may be told twice. */
  page(query: Query, place: SearchPlace | null, extent: Extent): Promise<JsonPage>;
  /** About how many there are; null where that is refused. */
  count(jql: string): Promise<number | null>;
  /** Up to 100 issues by id. */
  byIds(ids: readonly string[]): Promise<JsonIssues>;
}

/** The fields that an extent asks for. */
export function fieldsOf(extent: Extent): readonly string[] {
  if (extent === 'whole') return wholeIssue;
  return extent === 'updated' ? surveyed : bareIssue;
}

/** What of an issue changes with everything that reports are about; trackers are known to keep `updated` as it was. */
const surveyed: readonly string[] = ['updated', 'status', 'assignee'];

/** The least that can be asked of an issue: nothing of it has to be put together for that. */
export const bareIssue: readonly string[] = ['id', 'key'];

/** An issue of which Jira shows no more than this. */
export function unshown({ id, key }: IssueJson, reason: string): UnshownIssue {
  return { id, key: key.toUpperCase(), reason };
}

/** Not even id and key are shown of what comes next: nobody can go on, so at least it is said where that is. */
export function untoldEven({ message, cause }: JiraOverload, lastId: string | null): JiraOverload {
  const where = lastId === null ? 'at its first issue' : `right after the issue with the id ${lastId}`;
  return new JiraOverload(`${message} The search is ${where}.`, { cause });
}

/** What is told of an issue: comments and the like are long, and no report is about them. */
export const wholeIssue: readonly string[] = ['*all', '-comment', '-attachment', '-worklog', '-thumbnail'];
