import { millisecondsInDay } from 'date-fns/constants';
import type { Instant } from '../../model/issue.ts';
import type { AudienceScope } from '../../model/permissions.ts';
import type { Provenance } from '../../model/table.ts';

/** Of no issue. */
export const emptyScope: AudienceScope = { projects: [], issues: 0, withLevel: 0 };

/** What issues two parts of an answer tell of, which have none in common; null as soon as nobody can tell of one. */
export function addScopes(one: AudienceScope | null, other: AudienceScope | null): AudienceScope | null {
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
export function mergeScopes(one: AudienceScope | null, other: AudienceScope | null): AudienceScope | null {
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
  const contents = addScopes(first, other.contents ?? null);
  return {
    ...both,
    issues: one.issues + other.issues,
    cutHistories: one.cutHistories + other.cutHistories,
    complete: one.complete && other.complete,
    ...(contents === null ? {} : { contents }),
  };
}

/** A tracker that is still read is never left alone for longer. */
const STALE_MS = 2 * millisecondsInDay;

/**
 * When the data ends, where that is before the end of what was asked about; else null. `until` is when a time that is
 * over ended; without one the answer speaks of the instant itself, and two days are allowed.
 */
export function dataEndsBefore(
  until: Instant | null,
  { asOf, dataAsOf }: Pick<Provenance, 'asOf' | 'dataAsOf'>,
): Instant | null {
  if (dataAsOf === null) return null;
  const needed = until !== null && until <= asOf ? until : asOf - STALE_MS;
  return dataAsOf < needed ? dataAsOf : null;
}

/** Whether the data reaches to the end of what was asked about. */
export function reaches(provenance: Pick<Provenance, 'asOf' | 'dataAsOf'>, until: Instant | null): boolean {
  return dataEndsBefore(until, provenance) === null;
}

/** Whether it is known of every issue if it belongs to the answer, and if the principal may see it. */
export function isDecided({ undecided, unasked = 0 }: Provenance): boolean {
  return undecided + unasked === 0;
}

/**
 * Several reports that tell of now must tell of one instant, and so have to be asked for it by name. What they answer
 * was asked for at that instant all the same, as long as nobody else named one (`asked` is null).
 */
export function withAskedAt(provenance: Provenance, asked: Instant | null): Provenance {
  return asked === null ? { ...provenance, askedAt: provenance.asOf } : provenance;
}
