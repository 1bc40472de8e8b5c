import { chunksOf, type IssueChunk, rememberByChunk } from '../issues/issue-chunks.ts';
import { projectKeyOf, restrictionOf } from '../issues/issue-fields.ts';
import type { Issue } from '../model/issue.ts';
import type { Browsable, SingleIssue } from '../trackers/live-tracker.ts';
import { likenessOf } from './likeness-of.ts';

/** What of some issues somebody may be allowed to see. */
export interface BrowsableIssues extends Browsable {
  /** The greatest number that is the id of an issue. */
  readonly lastId: number;
  /** Issues without a level of a project with greater ids. */
  readonly unlevelledAfter: (project: string, id: number) => Iterable<SingleIssue>;
}

/**
 * What of these issues somebody may be allowed to see; the same value for the same array. An issue of which only the
 * key is known cannot be asked about, and is left out.
 */
export const browsableOf = rememberByChunk(meet, join);

/** A chunk's. */
interface Met {
  /** Issues without a level by project. */
  readonly projects: ReadonlyMap<string, number>;
  readonly singles: readonly SingleIssue[];
  readonly lastId: number;
}

function join(parts: readonly Met[], issues: readonly Issue[]): BrowsableIssues {
  const projects = new Map<string, number>();
  for (const part of parts) {
    for (const [key, count] of part.projects) projects.set(key, (projects.get(key) ?? 0) + count);
  }
  const after = (project: string, id: number) =>
    unlevelledIn(
      chunksOf(issues).filter(
        (_, i) => (parts[i]?.projects.get(project) ?? 0) > 0 && (parts[i]?.lastId ?? 0) > id,
      ),
      project,
      id,
    );
  return {
    projects: [...projects.keys()],
    singles: parts.flatMap(({ singles }) => singles),
    unlevelled: (project) => after(project, -1),
    unlevelledIn: (project) => projects.get(project) ?? 0,
    unlevelledAfter: after,
    lastId: parts.reduce((last, part) => Math.max(last, part.lastId), 0),
  };
}

function* unlevelledIn(chunks: readonly IssueChunk[], wanted: string, after: number): Generator<SingleIssue> {
  for (const chunk of chunks.toReversed()) {
    for (const issue of chunk.toReversed()) {
      if (projectKeyOf(issue).toUpperCase() !== wanted || restrictionOf(issue) !== null) continue;
      const single = singleOf(issue, wanted, null);
      if (single !== null && Number(single.id) > after) yield single;
    }
  }
}

function meet(issues: readonly Issue[]): Met {
  const projects = new Map<string, number>();
  const singles: SingleIssue[] = [];
  let lastId = 0;
  for (const issue of issues) {
    const project = projectKeyOf(issue).toUpperCase();
    const level = restrictionOf(issue);
    const id = Number(issue.id ?? 0);
    if (id > lastId) lastId = id;
    projects.set(project, (projects.get(project) ?? 0) + (level === null ? 1 : 0));
    const single = level === null ? null : singleOf(issue, project, level);
    if (single !== null) singles.push(single);
  }
  return { projects, singles, lastId };
}

function singleOf(issue: Issue, project: string, level: string | null): SingleIssue | null {
  const { id } = issue;
  if (id === undefined) return null;
  return { id, key: issue.key.toUpperCase(), project, level, likeness: () => likenessOf(issue) };
}
