import { yieldToOthers } from '../../concurrency/cooperative-yield.ts';
import type { Issue } from '../../model/issue.ts';
import { syncCommand } from '../../model/sync.ts';
import type { Ask } from './ask-under-lease.ts';
import type { SyncParts } from './sync-parts.ts';

/** The issues updated last tell most: a copy of a site lacks what happened since. */
const SAMPLE = 20;

const CHUNK_ISSUES = 500;

/** Whether a site that answers is the one whose issues are kept, going by those issues; `why` it is not. */
type Recognized =
  | { readonly kind: 'same' }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'other'; readonly why: string };

/**
 * Looks for some issues that are kept at the site that answers now. It is the same site where at least half of them are
 * there by id, key and instant of creation, none of them in an older version than is kept; another one where an id is
 * that of an issue created at another instant.
 */
export async function recognizeSite(
  { tracker, issues }: Pick<SyncParts, 'tracker' | 'issues'>,
  ask: Ask,
): Promise<Recognized> {
  const kept = new Map<string, Issue>();
  for (const key of await issues.recentKeys(SAMPLE)) {
    const issue = await issues.issue(key);
    if (issue?.id !== undefined) kept.set(issue.id, issue);
  }
  if (kept.size === 0) return { kind: 'unknown' };
  const { entries } = await ask(() => tracker.loadIds([...kept.keys()]));
  let known = 0;
  let older = 0;
  for (const entry of entries) {
    const before = entry.kind === 'issue' ? kept.get(entry.issue.id ?? '') : undefined;
    if (entry.kind !== 'issue' || before === undefined) continue;
    const { id, key, created, fields } = entry.issue;
    if (created !== before.created) {
      const [there, here] = [created, before.created].map((at) => new Date(at).toISOString());
      return {
        kind: 'other',
        why: `there the issue with id ${id} was created at ${there}, and here at ${here}`,
      };
    }
    if (Number(fields.updated) < Number(before.fields.updated)) older += 1;
    else if (key === before.key) known += 1;
  }
  // One may have been deleted since; a copy of a site lacks what was done on it later.
  const isWhole = known >= Math.max(1, kept.size - 1);
  return { kind: older === 0 && isWhole ? 'same' : 'unknown' };
}

/** Why nothing is shown while another site answers than the one whose issues are kept, and what to do. */
export function otherSiteText(kept: string, there: string, recognized: Recognized | null): string {
  const other = recognized?.kind === 'other' ? `, which is another Jira: ${recognized.why}` : '';
  const moved =
    other === ''
      ? ` If it is the same Jira at a new address, run \`${syncCommand} --accept-address\`: nothing is lost. If not, set`
      : ' Set';
  return `This DATA_DIR holds the issues of '${kept}', and the site that answers now is '${there}'${other}.${moved} the address back, or choose another DATA_DIR for the other site.`;
}

/** Has all that is kept lead to the new address of its site. */
export async function moveSite(
  { issues }: Pick<SyncParts, 'issues'>,
  ask: Ask,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<void> {
  const moved = (issue: Issue): Issue =>
    issue.link?.startsWith(`${from}/`) ? { ...issue, link: to + issue.link.slice(from.length) } : issue;
  const last = await issues.revision();
  for (let revision = 0; revision < last; ) {
    const chunk = await issues.changedSince(revision, CHUNK_ISSUES);
    const affected = chunk.issues.map(({ issue }) => issue).filter((issue) => moved(issue) !== issue);
    if (affected.length > 0) await issues.putIssues(affected, moved);
    revision = chunk.revision;
    // Others get their turn, and the lease stays ours.
    await ask(yieldToOthers);
  }
  // Its list of statuses is known by the address, and is read again.
  await issues.putStatuses([], from);
}
