import { millisecondsInDay } from 'date-fns/constants';
import type { Change, History, Instant } from '../../model/issue.ts';

/**
 * A date beside the changelog this long after the last change is no skew of clocks, and no date of an import that was read in
 * another time zone.
 */
const LONG_AFTER_MS = millisecondsInDay;

/** What Jira says of an issue that is done, beside its changelog; null where it does not. */
interface EvidenceBeside {
  readonly created: Instant;
  readonly changes: readonly Change[];
  readonly resolved: Instant | null;
  /** When its status last moved to another category. */
  readonly categoryChanged: Instant | null;
}

/**
 * The history of an issue that is done, with a gap where a date beside the changelog contradicts it: the issue was resolved,
 * or came to its category, long after the last change of its status, and no change is known then. A resolution date that the
 * changelog explains counts for nothing, such as one that was set later, nor does one from before a change of status: it was
 * kept when the issue was opened again.
 */
export function withEvidenceBeside(
  history: History,
  { created, changes, resolved, categoryChanged }: EvidenceBeside,
): History {
  if (!history.complete) return history;
  let moved: Instant | null = null;
  for (const { field, at } of changes) if (field === 'status' && (moved === null || at > moved)) moved = at;
  const isExplained = (at: Instant) =>
    changes.some((change) => change.field === 'resolution' && Math.abs(change.at - at) <= LONG_AFTER_MS);
  const isGap = (at: Instant) => at - Math.max(moved ?? created, created) > LONG_AFTER_MS;
  const found =
    categoryChanged !== null && isGap(categoryChanged)
      ? { at: categoryChanged, what: 'its status category changed' }
      : resolved !== null && isGap(resolved) && !isExplained(resolved)
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
