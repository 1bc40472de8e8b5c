import { memo } from '../cache/memo.ts';
import type { Browsable, FoundSight, SingleIssue } from '../trackers/live-tracker.ts';
import type { BrowsableIssues } from './browsable-of.ts';

/** What the tracker was asked about; it keeps no issue alive. */
export interface AskedAbout {
  readonly projects: ReadonlySet<string>;
  /** Ids of levels by the keys of issues. */
  readonly levels: ReadonlyMap<string, string | null>;
  readonly lastId: number;
}

/** What is new since then. `asked` is then and now together. */
interface More {
  readonly about: Browsable;
  readonly asked: AskedAbout;
}

/** The same value for the same issues: many askers ask about them. */
export const askedAbout = memo((about: BrowsableIssues): AskedAbout => {
  const levels = new Map(about.singles.map(({ key, level }) => [key, level]));
  return { projects: new Set(about.projects), levels, lastId: about.lastId };
});

/**
 * What has come since the tracker was asked: projects, issues with their levels, and issues of projects that are open
 * issue by issue; null: the very issues are the same.
 */
export function sinceThen(then: AskedAbout, now: BrowsableIssues, sight: FoundSight): More | null {
  const asked = askedAbout(now);
  if (asked === then) return null;
  const projects = now.projects.filter((key) => !then.projects.has(key));
  const fresh = new Set(projects);
  const singles = now.singles.filter(
    ({ key, level, project }) =>
      then.levels.get(key) !== level &&
      (fresh.has(project) || sight.projects.has(project) || sight.partly.has(project)),
  );
  const young: SingleIssue[] = [];
  for (const project of sight.partly) young.push(...now.unlevelledAfter(project, then.lastId));
  return { about: { ...now, projects, singles: [...singles, ...young] }, asked };
}

/** A sight with what was found out about what is new. */
export function withMore(before: FoundSight, { about }: More, found: FoundSight): FoundSight {
  const asked = new Set(about.singles.map(({ key }) => key));
  const issues = new Set([...before.issues].filter((key) => !asked.has(key)));
  const open = union(before.projects, found.projects);
  return {
    projects: open,
    closedProjects: union(before.closedProjects, found.closedProjects),
    partly: union(before.partly, found.partly),
    issues: union(issues, found.issues),
    unasked: before.unasked + found.unasked,
    requests: before.requests,
  };
}

function union(some: ReadonlySet<string>, others: ReadonlySet<string>): ReadonlySet<string> {
  return others.size === 0 ? some : new Set([...some, ...others]);
}
