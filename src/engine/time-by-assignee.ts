import type { DelegateTime } from '../model/delegation.ts';
import type { FieldValue, Issue } from '../model/issue.ts';
import type { CurrentValue } from '../model/table.ts';
import { cutByStandIns } from './cut-by-stand-ins.ts';
import { overlaps } from './overlaps.ts';
import type { MeasureContext, Measured } from './report-type.ts';
import { delegateAt } from './stand-in-at.ts';
import { createTally } from './tally.ts';
import type { Visit } from './timeline.ts';
import { columnOf, type Subject } from './value-columns.ts';
import { openVisit, sinceOf, unknownOfAll, visitsOf } from './visits-of.ts';

/** What the time with an assignee counts for; `standIn` tells who stood in for them then, null that nobody did. */
type SubjectsOf = (assignee: FieldValue | null, standIn: DelegateTime | null) => readonly Subject[];

/**
 * The time an issue was with whom, told per subject an assignee counts for: themselves, who stood in for them, or the
 * groups they are in. Who stood in is told of any instant once, so that no time is credited twice. Time the issue
 * spent in statuses that were not selected is left out.
 */
export function timeByAssignee(issue: Issue, context: MeasureContext, subjectsOf: SubjectsOf): Measured {
  const assignees = visitsOf(issue, 'assignee', context);
  const statuses = visitsOf(issue, 'status', context);
  const tally = createTally();
  const add = (visit: Visit, standIn: DelegateTime | null, ms: number) => {
    for (const subject of subjectsOf(visit.value, standIn)) {
      tally.addPart(columnOf(subject, 'duration'), ms, visit);
    }
  };
  for (const { first, second, start, end } of overlaps(assignees.visits, statuses.visits)) {
    if (second.value === null || !context.countsStatus(issue, second.value.id)) continue;
    const stretches = stretchesOf(first, context);
    // Whoever credits nobody is not to pay for it.
    if (stretches.length === 0) {
      add(first, null, context.calendar.between(start, end));
      continue;
    }
    const span = { start, end, open: first.open && second.open };
    for (const piece of cutByStandIns(span, stretches)) {
      add(first, piece.standIn, context.calendar.between(piece.start, piece.end));
    }
  }
  return {
    ...tally.measured(),
    statuses: statuses.visits.flatMap(({ value }) => value ?? []),
    current: currentAssignee(openVisit(assignees.visits), context, subjectsOf),
    unknown: unknownOfAll([assignees.visits, statuses.visits], context),
    contradictions: assignees.contradictions,
  };
}

function stretchesOf({ value }: Visit, context: MeasureContext): readonly DelegateTime[] {
  return value === null ? [] : context.delegateTimes(value.id);
}

/** What the time counts for now, and since when: the visit began, or later somebody began or ended to stand in. */
function currentAssignee(
  visit: Visit | null,
  context: MeasureContext,
  subjectsOf: SubjectsOf,
): CurrentValue[] {
  if (visit === null) return [];
  const { standIn, since } = delegateAt(visit.end, stretchesOf(visit, context));
  const began = since !== null && since > visit.start ? since : sinceOf(visit);
  return subjectsOf(visit.value, standIn).map(({ id, title }) => ({ columnId: id, title, since: began }));
}
