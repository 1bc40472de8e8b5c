import type { ReportType, Subject } from '../engine/report-type.ts';
import type { Visit } from '../engine/timeline.ts';
import {
  columnOf,
  createTally,
  openVisit,
  sinceOf,
  unknownOfAll,
  visitsOf,
} from '../engine/value-columns.ts';

/**
 * Time per value of any field: one column per value met, and one for the time without any. Of several fields each
 * column names its own.
 */
export const anyFieldDuration: ReportType = {
  id: 'anyFieldDuration',
  title: 'Any Field Duration',
  shape: 'issue',
  kind: 'duration',
  levels: ['value'],
  composite: false,
  measure(issue, context) {
    const several = context.historyFields.length > 1;
    const timelines = context.historyFields.map((field) => {
      const subjectOf = ({ value }: Visit): Subject => {
        const id = value === null ? ':empty' : value.id;
        const title = value === null ? 'Empty' : context.nameOf(issue, field.id, value);
        return several ? { id: `${field.id}:${id}`, title: `${field.title}: ${title}` } : { id, title };
      };
      return { ...visitsOf(issue, field.id, context), subjectOf };
    });
    const tally = createTally();
    for (const { visits, subjectOf } of timelines) {
      for (const visit of visits.filter(({ known }) => known)) {
        tally.add(
          columnOf(subjectOf(visit), 'duration'),
          context.calendar.between(visit.start, visit.end),
          1,
        );
      }
    }
    return {
      ...tally.measured(),
      current: timelines.flatMap(({ visits, subjectOf }) => {
        const last = openVisit(visits);
        if (last === null) return [];
        const { id, title } = subjectOf(last);
        return [{ columnId: id, title, since: sinceOf(last) }];
      }),
      unknown: unknownOfAll(
        timelines.map(({ visits }) => visits),
        context,
      ),
      contradictions: timelines.reduce((sum, one) => sum + one.contradictions, 0),
    };
  },
};
