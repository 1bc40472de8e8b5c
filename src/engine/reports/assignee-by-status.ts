import { reportIds } from '../../model/report-ids.ts';
import { ABSENT } from '../columns/value-codes.ts';
import { eachOverlap, NONE, overlapMs } from '../visits/field-visits.ts';
import {
  assigneeLevel,
  assigneeSubject,
  noKeys,
  statusLevel,
  twoLevelColumn,
} from './measuring/report-keys.ts';
import type {
  Arrange,
  Current,
  IssueReport,
  Measure,
  MeasureContext,
  ReportKeys,
  ReportType,
  Vocabulary,
} from './measuring/report-type.ts';

/** Measures the time per pair of assignee and status. */
const assigneeByStatus: Measure = (cursor, { assignees, statuses, inner }, sink) => {
  const { assignees: withAssignee, statuses: inStatus } = cursor;
  const take = (i: number, j: number) => {
    const [person, status] = [withAssignee.codes[i], inStatus.codes[j]];
    const ms = overlapMs(withAssignee, i, inStatus, j);
    const first = (assignees.slots[assignees.at[person] ?? 0] ?? 0) * inner;
    const end = statuses.at[status + 1] ?? 0;
    for (let slot = statuses.at[status] ?? 0; slot < end; slot += 1) {
      sink.add(first + (statuses.slots[slot] ?? 0), ms, 1, status, person);
    }
  };
  return () => eachOverlap(cursor, take);
};

/** The pairs of the current assignee and the current status, one per slot of the status. */
const currentPair: Current = (
  { assignees: withAssignee, statuses: inStatus },
  { assignees, statuses, inner },
) => {
  if (withAssignee.open === NONE || inStatus.open === NONE) return [];
  const [person, status] = [
    withAssignee.codes[withAssignee.open] ?? ABSENT,
    inStatus.codes[inStatus.open] ?? ABSENT,
  ];
  const [withSince, inSince] = [withAssignee.since(withAssignee.open), inStatus.since(inStatus.open)];
  const since = withSince === null || inSince === null ? null : Math.max(withSince, inSince);
  const first = (assignees.slots[assignees.at[person] ?? 0] ?? 0) * inner;
  return Array.from(statuses.slots.subarray(statuses.at[status], statuses.at[status + 1]), (slot) => ({
    key: first + slot,
    since,
    status,
    other: person,
  }));
};

/** Time per assignee, divided by status. */
export const statusDurationByAssignee: IssueReport = {
  id: reportIds.statusDurationByAssignee,
  title: 'Status Duration per Assignee',
  shape: 'issue',
  options: [],
  requires: [],
  sharesOut: true,
  kind: 'duration',
  levels: ['user', 'status'],
  composite: true,
  fields: 'assignee',
  hasVisits: true,
  readsCut: () => true,
  keys: (vocabulary, context) => pairKeys(vocabulary, context, (assignee, status) => [assignee, status]),
  measure: assigneeByStatus,
  current: currentPair,
};

/** Time per status, divided by assignee. */
export const assigneeDurationByStatus: ReportType = {
  ...statusDurationByAssignee,
  id: reportIds.assigneeDurationByStatus,
  title: 'Assignee Duration per Status',
  levels: ['status', 'user'],
  keys: (vocabulary, context) => pairKeys(vocabulary, context, (assignee, status) => [status, assignee]),
};

function pairKeys(vocabulary: Vocabulary, context: MeasureContext, arrange: Arrange): ReportKeys {
  const statuses = statusLevel(vocabulary, context);
  const assignees = assigneeLevel(vocabulary, (assignee) => [assigneeSubject(assignee, context)]);
  const inner = Math.max(1, statuses.codes.size);
  return {
    ...noKeys,
    statuses: statuses.codes,
    assignees: assignees.codes,
    inner,
    keys: assignees.codes.size * inner,
    columnOf: (key, status, other) =>
      twoLevelColumn(
        ...arrange(
          assignees.subjectAt(other, Math.floor(key / inner)),
          statuses.subjectAt(status, key % inner),
        ),
        'duration',
      ),
  };
}
