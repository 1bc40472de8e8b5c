import type { AudienceScope } from '../../model/permissions.ts';
import type { Provenance } from '../../model/table.ts';

/** Of no issue. */
export const noContents: AudienceScope = { projects: [], issues: 0, withLevel: 0 };

/** What issues two parts of an answer tell of, which have none in common; null as soon as nobody can tell of one. */
export function mergeContents(one: AudienceScope | null, other: AudienceScope | null): AudienceScope | null {
  if (one === null || other === null) return null;
  return {
    projects: projectsOf(one, other),
    issues: one.issues + other.issues,
    withLevel: eachKnown(one, other, (a, b) => a + b),
    ...rolesIn(one, other, (a, b) => a + b),
  };
}

/**
 * The same of parts that may tell of the same issues: projects are exact, and there are issues with a level exactly
 * when one of the parts has some; how many there are is at least so many.
 */
export function joinContents(one: AudienceScope | null, other: AudienceScope | null): AudienceScope | null {
  if (one === null || other === null) return null;
  return {
    projects: projectsOf(one, other),
    issues: Math.max(one.issues, other.issues),
    withLevel: eachKnown(one, other, Math.max),
    ...rolesIn(one, other, Math.max),
  };
}

function eachKnown(
  one: AudienceScope,
  other: AudienceScope,
  figure: (a: number, b: number) => number,
): AudienceScope['withLevel'] {
  return one.withLevel === null || other.withLevel === null ? null : figure(one.withLevel, other.withLevel);
}

function rolesIn(
  one: AudienceScope,
  other: AudienceScope,
  figure: (a: number, b: number) => number,
): Pick<AudienceScope, 'withRoles'> {
  const withRoles = figure(one.withRoles ?? 0, other.withRoles ?? 0);
  return withRoles > 0 ? { withRoles } : {};
}

function projectsOf(one: AudienceScope, other: AudienceScope): readonly string[] {
  return [...new Set([...one.projects, ...other.projects])].sort();
}

/** Where the figures of two slices of the same issues come from. */
export function joinProvenance(one: Provenance, other: Provenance): Provenance {
  const { contents: first = null, ...both } = one;
  const contents = mergeContents(first, other.contents ?? null);
  return {
    ...both,
    issues: one.issues + other.issues,
    cutHistories: one.cutHistories + other.cutHistories,
    complete: one.complete && other.complete,
    ...(contents === null ? {} : { contents }),
  };
}
