import { rowFlag } from '../../columns/column-arrays.ts';
import type { IssueColumns } from '../../columns/issue-columns.ts';
import { FIRST_VALUE } from '../../columns/value-codes.ts';
import { createYieldIfDue, type YieldIfDue } from '../../concurrency/cooperative-yield.ts';
import { valueAsOf } from '../../engine/content-as-of.ts';
import { changesOf, projectKeyOf, restrictionOf, rolesOf } from '../../issues/issue-fields.ts';
import type { FieldValue, Instant, Issue } from '../../model/issue.ts';
import type { AudienceScope } from '../../model/permissions.ts';
import { partsOf } from './chosen-issues.ts';
import { hideContent, issueKeysIn, valuesIn } from './hide-closed-keys.ts';
import type { QueryContext } from './query-context.ts';
import type { ClosedKeys } from './seen-issues.ts';

/** What is reported of issues beside their figures, as of an instant. Ids of fields. */
export interface ReportedFields {
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
  reported: ReportedFields,
  queryContext: Pick<QueryContext, 'issue' | 'directory'>,
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
      noteKeysReported(issue, reported, keys);
    }
  }
  return withProjectsOf(keys, scopeOf(projects, { issues, withLevel, withRoles }), queryContext);
}

/**
 * The same of rows: their access classes say what they are, and columns what is reported of them; null where columns do not
 * hold all that is reported. `classes`: how many are of each, where that is known. `hidden`: what the principal may not read of that. `load` reads issues as the principal may.
 */
export async function contentsOfHeld(
  { rows, classes }: { readonly rows: Uint32Array; readonly classes: readonly number[] | null },
  columns: IssueColumns,
  { now, ever, asOf }: ReportedFields,
  {
    hidden,
    load,
    queryContext,
    pace,
  }: {
    readonly hidden: ReadonlyMap<string, ClosedKeys | null>;
    readonly load: (rows: Uint32Array) => AsyncIterable<readonly Issue[]>;
    readonly queryContext: Pick<QueryContext, 'issue' | 'directory'>;
    readonly pace: YieldIfDue;
  },
): Promise<AudienceScope | null> {
  const scope = classes === null ? contentsOfRows(rows, columns) : contentsOfClasses(classes, columns);
  if (now.length + ever.length === 0) return scope;
  if (ever.length > 0 || !now.every((field) => columns.hasField(field))) return null;
  const keys = new Set<string>();
  const { flags, updated } = columns.arrays();
  const isSettled = (row: number) => ((flags[row] ?? 0) & rowFlag.odd) === 0 && (updated[row] ?? 0) <= asOf;
  for (const field of now) {
    const { codes, values } = columns.field(field);
    const met = new Uint8Array(values.size);
    for await (const part of partsOf(rows, pace)) {
      for (const row of part) if (isSettled(row)) met[codes[row] ?? 0] = 1;
    }
    const closed = hidden.get(field) ?? null;
    for (let code = FIRST_VALUE; code < met.length; code += 1) {
      const content = met[code] === 1 ? (values.at(code) ?? null) : null;
      for (const value of valuesIn(closed === null ? content : hideContent(content, closed))) {
        for (const key of issueKeysIn(value)) keys.add(key);
      }
    }
  }
  for await (const slice of load(rows.filter((row) => !isSettled(row)))) {
    for (const issue of slice) noteKeysReported(issue, { now, ever, asOf }, keys);
  }
  return withProjectsOf(keys, scope, queryContext);
}

/** What rows are of which nothing is reported beside figures. */
function contentsOfRows(rows: Uint32Array, columns: IssueColumns): AudienceScope {
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

async function withProjectsOf(
  keys: ReadonlySet<string>,
  scope: AudienceScope,
  queryContext: Pick<QueryContext, 'issue' | 'directory'>,
): Promise<AudienceScope> {
  const projects = new Set(scope.projects);
  for (const key of keys) {
    const project = projectKeyOf({ key });
    if (!projects.has(project) && (await isProject(project, key, queryContext))) projects.add(project);
  }
  return { ...scope, projects: [...projects].sort() };
}

/** What only looks like a key, such as UTF-8, is of no project. */
async function isProject(
  project: string,
  key: string,
  { issue, directory }: Pick<QueryContext, 'issue' | 'directory'>,
): Promise<boolean> {
  const hasRule = directory.access.some(({ kind, id }) => kind === 'project' && id.toUpperCase() === project);
  return hasRule || directory.sight?.projects.has(project) || (await issue(key)) !== null;
}

function noteKeysReported(issue: Issue, { now, ever, asOf }: ReportedFields, keys: Set<string>): void {
  const add = (value: FieldValue | null) => {
    if (value !== null) for (const key of issueKeysIn(value)) keys.add(key);
  };
  for (const field of [...now, ...ever]) add(valueAsOf(issue, field, asOf));
  for (const field of ever) {
    for (const { from, to } of changesOf(issue, field)) for (const value of [from, to]) add(value);
  }
}
