import { millisecondsInDay } from 'date-fns/constants';
import type { Change, History, Instant } from '../../model/issue.ts';

/**
 * A date beside the changelog this long after the last change is no skew of clocks, and no date of an import that was read in
 * another time zone.
 */
const LONG_AFTER_MS = millisecondsInDay;

/** The facts about an issue that Jira shows beside its changelog; null where it does not. */
interface EvidenceBeside {
  readonly created: Instant;
  readonly changes: readonly Change[];
  readonly resolved: Instant | null;
  /** The last time at which its status moved to another category. */
  readonly categoryChanged: Instant | null;
}

/**
 * The history of an issue that is done, with a gap where the dates beside the changelog contradict it: the issue was resolved,
 * or came to its category, long after the last change of its status, and no change is known then. One date that agrees with
 * the last change suffices: sites write the date of the category again when they migrate, import issues or move a status to
 * another category, and a resolution may be edited later. A resolution date says nothing if the changelog explains it by a
 * change of the resolution, or if it is from before the last change: it was kept when the issue was opened again.
 */
export function withEvidenceBeside(
  history: History,
  { created, changes, resolved, categoryChanged }: EvidenceBeside,
): History {
  if (!history.complete) return history;
  let moved: Instant | null = null;
  for (const { field, at } of changes) if (field === 'status' && (moved === null || at > moved)) moved = at;
  const last = Math.max(moved ?? created, created);
  const isLongAfter = (at: Instant) => at - last > LONG_AFTER_MS;
  const isExplained = (at: Instant) =>
    changes.some((change) => change.field === 'resolution' && Math.abs(change.at - at) <= LONG_AFTER_MS);
  if (categoryChanged !== null && !isLongAfter(categoryChanged)) return history;
  if (resolved !== null && Math.abs(resolved - last) <= LONG_AFTER_MS) return history;
  const found =
    categoryChanged !== null
      ? { at: categoryChanged, what: 'its status category changed' }
      : resolved !== null && isLongAfter(resolved) && !isExplained(resolved)
        ? { at: resolved, what: 'it was resolved' }
        : null;
  if (found === null) return history;
  const day = new Date(found.at).toISOString().slice(0, 10);
  return {
    complete: false,
    unknownFrom: moved,
    unknownUntil: found.at,
    reason: `${found.what} on ${day}, and its changelog has no change of status then`,
  };
}
