import type { ReportType } from '../engine/report-type.ts';
import { anyFieldDuration } from './any-field-duration.ts';
import { anyFieldDurationExpanded } from './any-field-duration-expanded.ts';
import { assigneeDuration } from './assignee-duration.ts';
import { assigneeDurationByStatus } from './assignee-duration-by-status.ts';
import { currentStateAge } from './current-state-age.ts';
import { durationBetweenStatuses } from './duration-between-statuses.ts';
import { firstTransitionFromStatusDate } from './first-transition-from-status-date.ts';
import { firstTransitionToStatusDate } from './first-transition-to-status-date.ts';
import { groupDuration } from './group-duration.ts';
import { lastTransitionFromStatusDate } from './last-transition-from-status-date.ts';
import { lastTransitionToStatusDate } from './last-transition-to-status-date.ts';
import { statusCount } from './status-count.ts';
import { statusDuration } from './status-duration.ts';
import { statusDurationByAssignee } from './status-duration-by-assignee.ts';
import { statusDurationByTimePeriod } from './status-duration-by-time-period.ts';
import { statusDurationExpanded } from './status-duration-expanded.ts';
import { timePeriodDurationByStatus } from './time-period-duration-by-status.ts';
import { transitionCount } from './transition-count.ts';

/** Every report type; a new one is one file and one line here. */
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
  statusDurationExpanded,
  anyFieldDurationExpanded,
];
