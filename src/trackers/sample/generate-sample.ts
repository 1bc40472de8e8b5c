import type { Directory } from '../../model/directory.ts';
import type { Instant, Issue, Status, User } from '../../model/issue.ts';
import type { Absence } from './absences.ts';
import { listArrivals } from './arrivals.ts';
import { buildIssue } from './build-issue.ts';
import { cutOldest } from './cut-history.ts';
import { describeCompany } from './describe-company.ts';
import { type Draft, draftIssue } from './draft.ts';
import type { Office } from './office.ts';
import { users } from './people.ts';
import type { Edit } from './settings.ts';
import type { Sprint } from './sprints.ts';
import { statuses } from './statuses.ts';
import { createWorld } from './world.ts';

/** An invented company and its work, as a tracker would know it. */
export interface Sample {
  /** By creation; keys are dense per project. */
  readonly issues: readonly Issue[];
  readonly statuses: readonly Status[];
  readonly users: readonly User[];
  readonly offices: readonly Office[];
  /** The web team's, up to the one after the running one. */
  readonly sprints: readonly Sprint[];
  /** Those of the time the issues span, and what is planned for the next months. */
  readonly absences: readonly Absence[];
  readonly directory: Directory;
}

const FIRST_ENTRY = 10_001;

/**
 * The same for the same seed and day on every machine. `today` is a UTC midnight; everything lies before it.
 * Within a calendar month a later day only adds to what an earlier one told.
 */
export function generateSample({ seed, today }: { readonly seed: number; readonly today: Instant }): Sample {
  const world = createWorld(seed, today);
  const used = new Set<string>();
  const drafts = listArrivals(world).map((birth) => draftIssue(birth, used, world));
  const entryOf = numberEdits(drafts);
  return {
    issues: cutOldest(drafts.map((one) => buildIssue(one, entryOf))),
    statuses,
    users,
    offices: Object.values(world.offices),
    sprints: world.sprints,
    absences: world.absences,
    directory: describeCompany(world),
  };
}

/** Entry ids rise with time over all issues, as if one database had handed them out. */
function numberEdits(drafts: readonly Draft[]): Map<Edit, string> {
  const edits = drafts.flatMap((one) => one.edits).sort((a, b) => a.at - b.at);
  return new Map(edits.map((edit, i) => [edit, String(FIRST_ENTRY + i)]));
}
