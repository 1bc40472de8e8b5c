import type { Issue } from '../model/issue.ts';
import type { CurrentValue, UnknownTime } from '../model/table.ts';
import type { MeasureContext } from './report-type.ts';
import { type Timeline, timeline, type Visit } from './timeline.ts';
import { trimVisits } from './trim.ts';

/** The visits of one field that a report with this context speaks about. */
export function visitsOf(issue: Issue, field: string, context: MeasureContext): Timeline {
  const { visits, contradictions } = timeline(issue, field, context.asOf);
  return { visits: trimVisits(visits, context.trim), contradictions };
}

/** The visit an issue is in at the as-of instant; null where that is unknown, empty or trimmed away. */
export function currentOf(
  issue: Issue,
  visits: readonly Visit[],
  field: string,
  context: MeasureContext,
): CurrentValue | null {
  const last = visits.at(-1);
  if (last === undefined || !last.open || last.value === null) return null;
  return { columnId: last.value.id, title: context.nameOf(issue, field, last.value), since: last.start };
}

/** The time nothing is known of, if there is any. A history has at most one such stretch. */
export function unknownOf(visits: readonly Visit[], context: MeasureContext): UnknownTime | null {
  const unknown = visits.find((visit) => !visit.known);
  if (unknown === undefined) return null;
  return {
    from: unknown.start,
    until: unknown.end,
    ms: context.calendar.between(unknown.start, unknown.end),
  };
}
