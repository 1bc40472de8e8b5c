import type { IssueColumns } from '../../columns/issue-columns.ts';
import { createYieldIfDue } from '../../concurrency/cooperative-yield.ts';
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
  slices: AsyncIterable<readonly Issue[]> | Iterable<readonly Issue[]>,
  told: ToldFields,
  scene: Pick<Scene, 'issue' | 'directory'>,
): Promise<AudienceScope> {
  const projects = new Set<string>();
  const keys = new Set<string>();
  const pace = createYieldIfDue();
  let [issues, withLevel, withRoles] = [0, 0, 0];
  for await (const slice of slices) {
    for (const issue of slice) {
      const rest = pace();
      if (rest !== null) await rest;
      projects.add(projectKeyOf(issue).toUpperCase());
      issues += 1;
      if (restrictionOf(issue) !== null) withLevel += 1;
      if (rolesOf(issue) !== null) withRoles += 1;
      noteKeysTold(issue, told, keys);
    }
  }
  for (const key of keys) {
    const project = projectKeyOf({ key });
    if (!projects.has(project) && (await isProject(project, key, scene))) projects.add(project);
  }
  return scopeOf(projects, { issues, withLevel, withRoles });
}

/** The same of rows of which nothing is told beside figures: their access classes say it. */
export function contentsOfRows(rows: Uint32Array, columns: IssueColumns): AudienceScope {
  const { accessClass } = columns.arrays();
  const counts = new Uint32Array(columns.classes.all.length);
  for (let i = 0; i < rows.length; i += 1) {
    const code = accessClass[rows[i] ?? 0] ?? 0;
    counts[code] = (counts[code] ?? 0) + 1;
  }
  return contentsOfClasses(counts, columns);
}

/** The same of so many issues of each access class. */
export function contentsOfClasses(counts: ArrayLike<number>, { classes }: IssueColumns): AudienceScope {
  const projects = new Set<string>();
  let [issues, withLevel, withRoles] = [0, 0, 0];
  for (const [code, { projectKey, restriction, roles }] of classes.all.entries()) {
    const count = counts[code] ?? 0;
    if (count === 0) continue;
    projects.add(projectKey.toUpperCase());
    issues += count;
    if (restriction !== null) withLevel += count;
    if (roles !== null) withRoles += count;
  }
  return scopeOf(projects, { issues, withLevel, withRoles });
}

function scopeOf(
  projects: ReadonlySet<string>,
  { issues, withLevel, withRoles }: Record<'issues' | 'withLevel' | 'withRoles', number>,
): AudienceScope {
  return {
    ...{ projects: [...projects].sort(), issues, withLevel },
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

function noteKeysTold(issue: Issue, { now, ever, asOf }: ToldFields, keys: Set<string>): void {
  const add = (value: FieldValue | null) => {
    if (value !== null) for (const key of issueKeysIn(value)) keys.add(key);
  };
  for (const field of [...now, ...ever]) add(valueAsOf(issue, field, asOf));
  for (const field of ever) {
    for (const { from, to } of changesOf(issue, field)) for (const value of [from, to]) add(value);
  }
}
