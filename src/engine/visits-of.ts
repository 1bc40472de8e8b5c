import type { Instant, Issue } from '../model/issue.ts';
import type { CurrentValue, UnknownTime } from '../model/table.ts';
import type { MeasureContext } from './report-type.ts';
import { type Timeline, timeline, type Visit } from './timeline.ts';
import { trimVisits } from './trim.ts';
import { statusSubjects } from './value-columns.ts';

/** The visits of one field that a report with this context speaks about. */
export function visitsOf(issue: Issue, field: string, context: MeasureContext): Timeline {
  const whole = timeline(issue, field, context.asOf);
  const { from, to } = context.trim;
  return from === null && to === null ? whole : { ...whole, visits: trimVisits(whole.visits, context.trim) };
}

/** The visit an issue is in at the as-of instant; null where that is unknown or trimmed away. */
export function openVisit(visits: readonly Visit[]): Visit | null {
  const last = visits.at(-1);
  return last?.open && last.known ? last : null;
}

/** The value the issue has at the as-of instant; none where that is unknown, empty or trimmed away. */
export function currentOf(
  issue: Issue,
  visits: readonly Visit[],
  field: string,
  context: MeasureContext,
): CurrentValue[] {
  const last = openVisit(visits);
  if (last === null || last.value === null) return [];
  return [{ columnId: last.value.id, title: context.nameOf(issue, field, last.value), since: sinceOf(last) }];
}

/** The columns of the status the issue is in at the as-of instant. */
export function currentStatus(
  issue: Issue,
  visits: readonly Visit[],
  context: MeasureContext,
): CurrentValue[] {
  const last = openVisit(visits);
  if (last === null || last.value === null) return [];
  return statusSubjects(issue, last.value, context).map(({ id, title }) => ({
    columnId: id,
    title,
    since: sinceOf(last),
  }));
}

/** When a visit began; null where a cut history does not tell. */
export function sinceOf(visit: Visit): Instant | null {
  return visit.begun ? visit.start : null;
}

/** The time in which one of several fields is not known. Their gaps are of one cut and lie within each other. */
export function unknownOfAll(
  fields: readonly (readonly Visit[])[],
  context: MeasureContext,
): UnknownTime | null {
  const gaps = fields.flatMap((visits) => unknownOf(visits, context) ?? []);
  if (gaps.length === 0) return null;
  const from = Math.min(...gaps.map((gap) => gap.from));
  const until = Math.max(...gaps.map((gap) => gap.until));
  return { from, until, ms: context.calendar.between(from, until) };
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
