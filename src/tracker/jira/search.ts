import type { Instant } from '../../model/issue.ts';
import type { FailedIssue, SearchPlace, SearchWindow } from '../live-tracker.ts';
import type { IssueJson, NamelessJson } from './listed-issues.ts';

/**
 * How much of the issues is wanted: all, with as much of the changelog as comes along, when they were updated, or
 * only which they are.
 */
export type Extent = 'whole' | 'updated' | 'keys';

/** A part of what was found, in order. */
export interface JsonPage {
  readonly issues: readonly IssueJson[];
  readonly nameless: readonly NamelessJson[];
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
  return extent === 'updated' ? ['updated'] : ['id', 'key'];
}

/** What is told of an issue: comments and the like are long, and no report is about them. */
export const wholeIssue: readonly string[] = ['*all', '-comment', '-attachment', '-worklog', '-thumbnail'];
