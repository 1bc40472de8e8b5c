import * as assignee from './assignee-reports.ts';
import { durationBetweenStatuses } from './between-statuses.ts';
import * as blocked from './blocked-reports.ts';
import * as field from './field-reports.ts';
import type { Define } from './question.ts';
import * as status from './status-reports.ts';

/** The definition of every report type, by its id, in the order in which the product lists them. */
export const definitions: Readonly<Record<string, Define>> = {
  statusDuration: status.statusDuration,
  assigneeDuration: assignee.assigneeDuration,
  statusDurationByAssignee: assignee.statusDurationByAssignee,
  assigneeDurationByStatus: assignee.assigneeDurationByStatus,
  groupDuration: assignee.groupDuration,
  durationBetweenStatuses,
  statusDurationByTimePeriod: status.statusDurationByTimePeriod,
  timePeriodDurationByStatus: status.timePeriodDurationByStatus,
  anyFieldDuration: field.anyFieldDuration,
  statusCount: status.statusCount,
  transitionCount: status.transitionCount,
  firstTransitionToStatusDate: status.firstTransitionToStatusDate,
  lastTransitionToStatusDate: status.lastTransitionToStatusDate,
  firstTransitionFromStatusDate: status.firstTransitionFromStatusDate,
  lastTransitionFromStatusDate: status.lastTransitionFromStatusDate,
  currentStateAge: status.currentStateAge,
  blockedDuration: blocked.blockedDuration,
  blockedDurationByStatus: blocked.blockedDurationByStatus,
  blockedCount: blocked.blockedCount,
  statusDurationExpanded: field.statusDurationExpanded,
  anyFieldDurationExpanded: field.anyFieldDurationExpanded,
  blockedDurationExpanded: blocked.blockedDurationExpanded,
};

/** Reports with a line per visit; they are of issues by key. */
export const visitReports: readonly string[] = [
  'statusDurationExpanded',
  'anyFieldDurationExpanded',
  'blockedDurationExpanded',
];

/** Reports of dates, which have no statistics. */
export const dateReports: readonly string[] = [
  'firstTransitionToStatusDate',
  'lastTransitionToStatusDate',
  'firstTransitionFromStatusDate',
  'lastTransitionFromStatusDate',
];
