import type { Directory } from '../../model/directory.ts';
import type { Instant, Issue } from '../../model/issue.ts';
import { describeCompany } from './describe-company.ts';
import { buildIssue, type Draft, type Edit } from './issue-fields.ts';
import { liveThrough } from './issue-life.ts';
import { drawNature, listSeeds } from './issue-seeds.ts';
import { createWorld, type World } from './sample-world.ts';
import { companyName, projects } from './seed-data.ts';

/** An invented company and its work, as a tracker would know it. */
interface Sample {
  /** By creation; keys are dense per project. */
  readonly issues: readonly Issue[];
  readonly directory: Directory;
  /** What they were made from. */
  readonly world: World;
}

const FIRST_ENTRY = 10_001;

/** Of so many old issues the help desk kept so many changes. */
const CUT = 4;
const KEPT = 2;

/**
 * The same for the same seed and day on every machine. `today` is a UTC midnight; everything lies before it. Within a
 * calendar month a later day only adds to what an earlier one showed.
 */
export function generateSample({ seed, today }: { readonly seed: number; readonly today: Instant }): Sample {
  const world = createWorld(seed, today);
  const used = new Set<string>();
  const drafts = listSeeds(world).map((one): Draft => {
    const nature = drawNature(one, used, world);
    const { first, edits } = liveThrough(one, nature, world);
    return { ...one, first: [...first, ...nature.settings], edits };
  });
  const entryOf = numberEdits(drafts);
  const issues = drafts.map((one) => buildIssue(one, entryOf));
  const old = issues.filter(
    ({ project, status, changes }) =>
      project.id === projects.OPS.id &&
      status.id === '6' &&
      new Set(changes.map(({ entry }) => entry)).size > KEPT,
  );
  const cut = new Map(old.slice(0, CUT).map((issue) => [issue, cutHistory(issue)]));
  return { issues: issues.map((issue) => cut.get(issue) ?? issue), directory: describeCompany(world), world };
}

/** Entry ids rise with time over all issues, as if one database had handed them out. */
function numberEdits(drafts: readonly Draft[]): Map<Edit, string> {
  const edits = drafts.flatMap((one) => one.edits).sort((a, b) => a.at - b.at);
  return new Map(edits.map((edit, i) => [edit, String(FIRST_ENTRY + i)]));
}

/** What another tracker would have kept of an issue. */
function cutHistory(issue: Issue): Issue {
  const entries = new Set([...new Set(issue.changes.map(({ entry }) => entry))].slice(-KEPT));
  const changes = issue.changes.filter(({ entry }) => entries.has(entry));
  return {
    ...issue,
    changes,
    history: {
      complete: false,
      unknownFrom: null,
      unknownUntil: changes[0]?.at ?? null,
      reason: `moved in from ${companyName}'s old help desk, which kept only its last ${changes.length} changes`,
    },
  };
}
