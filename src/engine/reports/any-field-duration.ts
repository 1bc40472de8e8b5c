import type { FieldValue, Issue } from '../../model/issue.ts';
import type { Column } from '../../model/table.ts';
import type { MeasureContext, ReportType, Subject } from '../measure/report-type.ts';
import type { Visit } from '../measure/timeline.ts';
import {
  columnOf,
  createTally,
  openVisit,
  sinceOf,
  unknownOfAll,
  visitsOf,
} from '../measure/value-columns.ts';

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
  columns: { kernel: 'history', subjectOf: valueSubject },
  measure(issue, context) {
    const timelines = context.historyFields.map((field) => ({
      ...visitsOf(issue, field.id, context),
      subjectOf: ({ value }: Visit) => valueSubject(issue, field, value, context),
    }));
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

function valueSubject(
  issue: Issue,
  field: Column,
  value: FieldValue | null,
  { historyFields, nameOf }: MeasureContext,
): Subject {
  const id = value === null ? ':empty' : value.id;
  const title = value === null ? 'Empty' : nameOf(issue, field.id, value);
  const isOne = historyFields.length === 1;
  return isOne ? { id, title } : { id: `${field.id}:${id}`, title: `${field.title}: ${title}` };
}
