import { reportIds } from '../../model/report-ids.ts';
import { NONE } from '../visits/field-visits.ts';
import { columnOf, fixedKeys } from './measuring/report-keys.ts';
import type { ReportType } from './measuring/report-type.ts';

const columns = [columnOf({ id: 'age', title: 'Age' }, 'duration')];

/** Time since the issue entered its current status; earlier visits to it do not count. */
export const currentStateAge: ReportType = {
  id: reportIds.currentStateAge,
  title: 'Current State Age',
  shape: 'issue',
  options: [],
  requires: [],
  sharesOut: false,
  kind: 'duration',
  levels: ['metric'],
  composite: false,
  fields: 'status',
  hasVisits: true,
  readsCut: () => false,
  keys: () => fixedKeys(columns),
  // There is no age if a cut history does not show when the current visit began.
  measure:
    ({ statuses: visits }, _plan, sink) =>
    () => {
      if (visits.since(visits.open) !== null && visits.open !== NONE)
        sink.add(0, visits.ms(visits.open), 1, 0, 0);
    },
  current: ({ statuses: visits }) =>
    visits.open === NONE ? [] : [{ key: 0, since: visits.since(visits.open), status: 0, other: 0 }],
};
