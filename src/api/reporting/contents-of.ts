import { createYieldIfDue, type YieldIfDue } from '../../concurrency/cooperative-yield.ts';
import { valueAsOf } from '../../engine/content-as-of.ts';
import { changesOf, projectKeyOf, restrictionOf, rolesOf } from '../../issues/issue-fields.ts';
import type { FieldValue, Instant, Issue } from '../../model/issue.ts';
import type { AudienceScope } from '../../model/permissions.ts';
import { issueKeysIn } from './issue-keys-in.ts';
import type { Scene } from './scene.ts';

/** What is told of issues beside their figures, as of an instant. Ids of fields. */
export interface ToldFields {
  /** What they hold then. */
  readonly now: readonly string[];
  /** All they ever held. */
  readonly ever: readonly string[];
  readonly asOf: Instant;
}

/**
 * What these issues are, for whoever decides who may read of them: the keys of other issues that stand in their fields
 * count as well.
 */
export async function contentsOf(
  issues: readonly Issue[],
  told: ToldFields,
  scene: Pick<Scene, 'issue' | 'directory'>,
): Promise<AudienceScope> {
  const projects = new Set<string>();
  const pace = createYieldIfDue();
  let [withLevel, withRoles] = [0, 0];
  for (const issue of issues) {
    const rest = pace();
    if (rest !== null) await rest;
    projects.add(projectKeyOf(issue).toUpperCase());
    if (restrictionOf(issue) !== null) withLevel += 1;
    if (rolesOf(issue) !== null) withRoles += 1;
  }
  for (const key of await keysTold(issues, told, pace)) {
    const project = projectKeyOf({ key });
    if (!projects.has(project) && (await isProject(project, key, scene))) projects.add(project);
  }
  return {
    ...{ projects: [...projects].sort(), issues: issues.length, withLevel },
    ...(withRoles > 0 ? { withRoles } : {}),
  };
}

/** What only looks like a key, such as UTF-8, is of no project. */
async function isProject(
  project: string,
  key: string,
  { issue, directory }: Pick<Scene, 'issue' | 'directory'>,
): Promise<boolean> {
  const hasRule = directory.access.some(({ kind, id }) => kind === 'project' && id.toUpperCase() === project);
  return hasRule || directory.sight?.projects.has(project) || (await issue(key)) !== null;
}

async function keysTold(
  issues: readonly Issue[],
  { now, ever, asOf }: ToldFields,
  pace: YieldIfDue,
): Promise<ReadonlySet<string>> {
  const keys = new Set<string>();
  if (now.length + ever.length === 0) return keys;
  const add = (value: FieldValue | null) => {
    if (value !== null) for (const key of issueKeysIn(value)) keys.add(key);
  };
  for (const issue of issues) {
    const rest = pace();
    if (rest !== null) await rest;
    for (const field of [...now, ...ever]) add(valueAsOf(issue, field, asOf));
    for (const field of ever) {
      for (const { from, to } of changesOf(issue, field)) for (const value of [from, to]) add(value);
    }
  }
  return keys;
}
