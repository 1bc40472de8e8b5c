import type { ReportType } from '../engine/report-type.ts';
import { anyFieldDurationExpanded } from './any-field-duration-expanded.ts';
import { statusDuration } from './status-duration.ts';
import { statusDurationExpanded } from './status-duration-expanded.ts';

/** Every report type; a new one is one file and one line here. */
export const reports: readonly ReportType[] = [
  statusDuration,
  statusDurationExpanded,
  anyFieldDurationExpanded,
];
