import type { Issue } from '../../model/issue.ts';
import type { Scope } from '../../model/permissions.ts';
import type { Asker } from '../../model/request.ts';
import { type Rights, rightsOf } from '../access-rules.ts';

/** What an asker's scope is looked at with. `issue`: any issue by key, whoever may see it. */
interface StillOpenParts {
  readonly asker: Asker;
  readonly rights: Rights;
  readonly issue: (key: string) => Promise<Issue | null>;
}

/**
 * How far an asker sees, beside what was open to them then and has not been closed: projects that have no issues here
 * any more, issues that are gone, and issues that need no permission of their own now, their level having been lifted.
 */
export async function stillOpen(
  then: Scope,
  now: Scope,
  { asker, rights, issue }: StillOpenParts,
): Promise<Scope> {
  const { sight } = rights;
  if (!('openProjects' in now && 'openProjects' in then) || sight === null) return now;
  const maySee = rightsOf(asker, rights);
  const openIssues = new Set(now.openIssues);
  for (const key of then.openIssues) {
    if (openIssues.has(key)) continue;
    const here = await issue(key);
    if (here === null || maySee(here)) openIssues.add(key);
  }
  const gone = then.openProjects.filter((key) => !sight.closedProjects.has(key));
  return { openProjects: [...new Set([...now.openProjects, ...gone])], openIssues: [...openIssues] };
}
