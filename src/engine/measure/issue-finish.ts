import { doneSince, latest, type WorkKind } from '../../model/flow.ts';
import type { Instant, Issue } from '../../model/issue.ts';
import { exitsFrom, timeline } from '../visits/timeline.ts';
import { valueAsOf } from './own-cells.ts';

/**
 * The instant at which an issue was finished. `at` is null if it is not finished or was created as done. `unknown`: it
 * was finished at some instant from `from` until `until`, both included, or perhaps never (`mayBeEmpty`).
 */
type IssueFinish =
  | { readonly at: Instant | null }
  | { readonly unknown: { readonly from: Instant; readonly until: Instant; readonly mayBeEmpty: boolean } };

/**
 * Finds the finish in the history as of an instant. The current status is the one that the tracker shows, even if a cut
 * history ends with another.
 */
export function issueFinish(
  issue: Issue,
  asOf: Instant,
  kindOf: (statusId: string) => WorkKind,
): IssueFinish {
  const { created } = issue;
  const shown = valueAsOf(issue, 'status', asOf);
  const kind = shown === null ? 'unknown' : kindOf(shown.id);
  if (kind === 'unknown') return { unknown: { from: created, until: asOf, mayBeEmpty: true } };
  if (kind !== 'done') return { at: null };
  const { visits } = timeline(issue, 'status', asOf);
  const exits = exitsFrom(visits).flatMap(({ value, at }) =>
    at === null ? [] : [{ at, kind: kindOf(value.id) }],
  );
  const gapAt = visits.findIndex(({ known }) => !known);
  const gap = visits[gapAt];
  // If the issue was done when its unknown time began, it may have been finished as early as its last exit from a
  // status that is not done.
  const before = visits[gapAt - 1]?.value;
  const wasDone = before != null && kindOf(before.id) === 'done';
  const lastKnown = latest(exits.filter(({ at, kind }) => kind !== 'done' && at <= (gap?.start ?? at)));
  const since = doneSince({
    created,
    asOf,
    lost:
      gap === undefined ? null : { from: wasDone ? (lastKnown?.at ?? created) : gap.start, until: gap.end },
    agrees: visits.at(-1)?.value?.id === shown?.id,
    // Exits before the unknown time do not count, since a later exit may be hidden in it.
    exits: exits.filter(({ at }) => gap === undefined || (gap.end <= at && !gap.open)),
  });
  if ('at' in since) return since;
  const { from, until, why } = since.unknown;
  return { unknown: { from, until, mayBeEmpty: why === 'cut' && from <= created } };
}
