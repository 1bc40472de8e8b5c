import type { Instant, Issue, StatusCategory } from '../../model/issue.ts';
import { doneSince, latest } from '../../model/issues/finish-time.ts';
import { exitsFrom, timeline } from '../visits/timeline.ts';
import { valueAsOf } from './own-cells.ts';

/**
 * When an issue was finished, as it was at an instant. `at` null: it was not finished, or was created as done. `unknown`:
 * it was finished at some time from one instant to another, both included, or perhaps never (`mayBeEmpty`).
 */
type IssueFinish =
  | { readonly at: Instant | null }
  | { readonly unknown: { readonly from: Instant; readonly until: Instant; readonly mayBeEmpty: boolean } };

/** Reads it from the history; where an issue is now is what the tracker shows, whatever a cut history leaves out. */
export function issueFinish(
  issue: Issue,
  asOf: Instant,
  categoryOf: (statusId: string) => StatusCategory,
): IssueFinish {
  const { created } = issue;
  const shown = valueAsOf(issue, 'status', asOf);
  const category = shown === null ? 'Undefined' : categoryOf(shown.id);
  if (category === 'Undefined') return { unknown: { from: created, until: asOf, mayBeEmpty: true } };
  if (category !== 'Done') return { at: null };
  const { visits } = timeline(issue, 'status', asOf);
  const exits = exitsFrom(visits).flatMap(({ value, at }) =>
    at === null ? [] : [{ at, category: categoryOf(value.id) }],
  );
  const gapAt = visits.findIndex(({ known }) => !known);
  const gap = visits[gapAt];
  // An issue that came to unknown time as done may have stayed so, since the exit before it.
  const before = visits[gapAt - 1]?.value;
  const wasDone = before != null && categoryOf(before.id) === 'Done';
  const lastKnown = latest(
    exits.filter(({ at, category }) => category !== 'Done' && at <= (gap?.start ?? at)),
  );
  const since = doneSince({
    created,
    asOf,
    lost:
      gap === undefined ? null : { from: wasDone ? (lastKnown?.at ?? created) : gap.start, until: gap.end },
    agrees: visits.at(-1)?.value?.id === shown?.id,
    // Another exit may hide in unknown time after one before it.
    exits: exits.filter(({ at }) => gap === undefined || (gap.end <= at && !gap.open)),
  });
  if ('at' in since) return since;
  const { from, until, why } = since.unknown;
  return { unknown: { from, until, mayBeEmpty: why === 'cut' && from <= created } };
}
