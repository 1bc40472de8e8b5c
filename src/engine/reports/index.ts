import { anyFieldDuration } from './any-field-duration.ts';
import { assigneeDurationByStatus, statusDurationByAssignee } from './assignee-by-status.ts';
import { blockedCount, blockedDuration, blockedDurationByStatus } from './blocked-duration.ts';
import { currentStateAge } from './current-state-age.ts';
import { durationBetweenStatuses } from './duration-between-statuses.ts';
import type { ReportType } from './measuring/report-type.ts';
import { statusDurationByTimePeriod, timePeriodDurationByStatus } from './status-by-period.ts';
import { statusCount, statusDuration } from './status-duration.ts';
import { assigneeDuration, groupDuration } from './time-by-assignee.ts';
import { transitionCount } from './transition-count.ts';
import {
  firstTransitionFromStatusDate,
  firstTransitionToStatusDate,
  lastTransitionFromStatusDate,
  lastTransitionToStatusDate,
} from './transition-dates.ts';
import { anyFieldDurationExpanded, blockedDurationExpanded, statusDurationExpanded } from './visit-lines.ts';

/** All report types. To add one, define it in a file of this folder and list it here. */
export const reports: readonly ReportType[] = [
  statusDuration,
  assigneeDuration,
  statusDurationByAssignee,
  assigneeDurationByStatus,
  groupDuration,
  durationBetweenStatuses,
  statusDurationByTimePeriod,
  timePeriodDurationByStatus,
  anyFieldDuration,
  statusCount,
  transitionCount,
  firstTransitionToStatusDate,
  lastTransitionToStatusDate,
  firstTransitionFromStatusDate,
  lastTransitionFromStatusDate,
  currentStateAge,
  blockedDuration,
  blockedDurationByStatus,
  blockedCount,
  statusDurationExpanded,
  anyFieldDurationExpanded,
  blockedDurationExpanded,
];

/** The report types as doors know them. */
export const reportTypeFacts = reports.map(({ id, title, shape, options, requires }) => ({
  id,
  title,
  shape,
  options,
  requires,
}));
