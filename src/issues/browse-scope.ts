import type { BrowseScope } from '../model/permissions.ts';

/** Whether the project with a key, in whatever case, is closed to somebody. */
export type IsClosed = (projectKey: string) => boolean;

/** Which projects are closed to somebody with this scope; null: there is none. */
export function closedTo(scope: BrowseScope): IsClosed | null {
  if ('openProjects' in scope) {
    const open = new Set(scope.openProjects);
    return (key) => !open.has(key.toUpperCase());
  }
  if (scope.everything || scope.closedProjects.length === 0) return null;
  const closed = new Set(scope.closedProjects);
  return (key) => closed.has(key.toUpperCase());
}

/**
 * Whether everything that could be seen then can be seen now. It is unknown where the tracker has taken the place of
 * the rules since, or they its place: no.
 */
export function stillCovers(then: BrowseScope, now: BrowseScope): boolean {
  if ('openProjects' in now) {
    return (
      'openProjects' in then &&
      isWithin(then.openProjects, now.openProjects) &&
      isWithin(then.openIssues, now.openIssues)
    );
  }
  if (now.everything) return true;
  return (
    !('openProjects' in then) &&
    !then.everything &&
    isWithin(now.closedProjects, then.closedProjects) &&
    isWithin(then.openLevels, now.openLevels)
  );
}

function isWithin(some: readonly string[], all: readonly string[]): boolean {
  const known = new Set(all);
  return some.every((one) => known.has(one));
}
