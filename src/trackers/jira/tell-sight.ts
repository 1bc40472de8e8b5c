import type { Browsable, FoundSight } from '../live-tracker.ts';
import type { OpenProjects } from './open-projects.ts';

/** A sight before it is known how many requests it took. */
export type Told = Omit<FoundSight, 'requests'>;

/** What was found out about projects, and about issues one by one. */
export function foundSight(
  about: Browsable,
  open: OpenProjects,
  singly: { readonly issues: ReadonlySet<string>; readonly unasked: number },
): Told {
  return {
    projects: open.whole,
    closedProjects: new Set(about.projects.filter((key) => !open.whole.has(key))),
    partly: open.partly,
    issues: singly.issues,
    unasked: open.unasked + singly.unasked,
  };
}

/** Of whom Jira knows nothing. */
export function foundNothing({ projects }: Browsable): Told {
  const none = new Set<string>();
  return { projects: none, closedProjects: new Set(projects), partly: none, issues: none, unasked: 0 };
}
