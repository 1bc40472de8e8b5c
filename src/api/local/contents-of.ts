import { projectKeyOf } from '../../model/access.ts';
import type { Contents } from '../../model/contents.ts';
import type { Issue } from '../../model/issue.ts';

/** What these issues are, for whoever decides who may read of them. */
export function contentsOf(issues: readonly Issue[]): Contents {
  const projects = new Set<string>();
  let withLevel = 0;
  for (const issue of issues) {
    projects.add(projectKeyOf(issue).toUpperCase());
    if (hasLevel(issue)) withLevel += 1;
  }
  return { projects: [...projects].sort(), issues: issues.length, withLevel };
}

function hasLevel({ fields }: Issue): boolean {
  const { security } = fields;
  return Array.isArray(security)
    ? security.length > 0
    : security !== undefined && security !== null && security !== '';
}
