import { changesOf, ownUpdate } from '../../issues/issue-fields.ts';
import type { Instant, Issue } from '../../model/issue.ts';
import { lostTime } from '../history/lost-time.ts';
import type { JqlWorld } from '../jql.ts';
import { UNCERTAIN } from './field.ts';

/**
 * When the tracker says that an issue was updated, and before that when it was last changed as far as it had come; a
 * lost change may have come after the last one known.
 */
export function readUpdated(issue: Issue, { now }: JqlWorld): Instant | typeof UNCERTAIN {
  const told = ownUpdate(issue) ?? issue.updated;
  if (told <= now) return told;
  const last = issue.changes.reduce(
    (latest, { at }) => (at <= now ? Math.max(latest, at) : latest),
    issue.created,
  );
  const lost = lostTime(issue, now);
  return lost !== null && lost.until > last + 1 ? UNCERTAIN : last;
}

/**
 * When an issue was resolved as it stood then. Trackers tell the last time only; what came before it is found in the
 * history of the resolution, where there is one.
 */
export function readResolved(issue: Issue, world: JqlWorld): Instant | null | typeof UNCERTAIN {
  const { resolved, updated } = issue;
  const { now } = world;
  const told = resolved !== null && resolved <= now ? resolved : null;
  if (now >= updated || changesOf(issue, 'resolution').length === 0) return told;
  let since: Instant | null | typeof UNCERTAIN = null;
  for (const { known, value, start } of world.visitsOf(issue, 'resolution')) {
    if (!known) since = UNCERTAIN;
    else if (value === null) since = null;
    else if (since === null) since = start;
  }
  return since === UNCERTAIN && told !== null ? told : since;
}
