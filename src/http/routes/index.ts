import type { AnyRoute } from '../route.ts';
import { calendarById } from './calendar-by-id.ts';
import { calendarCreate } from './calendar-create.ts';
import { calendarUpdate } from './calendar-update.ts';
import { calendars } from './calendars.ts';
import { calendarsSearch } from './calendars-search.ts';
import { docs } from './docs.ts';
import { exportAbort } from './export-abort.ts';
import { exportById } from './export-by-id.ts';
import { exportByTicket } from './export-by-ticket.ts';
import { exportDownload } from './export-download.ts';
import { exportQueue } from './export-queue.ts';
import { exportStatus } from './export-status.ts';
import { exports } from './exports.ts';
import { formatSettings } from './format-settings.ts';
import { formatSettingsUpdate } from './format-settings-update.ts';
import { healthz } from './healthz.ts';
import { issue } from './issue.ts';
import { issueExpanded } from './issue-expanded.ts';
import { issues } from './issues.ts';
import { issuesAggregation } from './issues-aggregation.ts';
import { issuesV2 } from './issues-v2.ts';
import { openapi } from './openapi.ts';
import { parameterSetById } from './parameter-set-by-id.ts';
import { parameterSetCreate } from './parameter-set-create.ts';
import { parameterSetUpdate } from './parameter-set-update.ts';
import { parameterSetValidate } from './parameter-set-validate.ts';
import { parameterSets } from './parameter-sets.ts';
import { parameterSetsSearch } from './parameter-sets-search.ts';
import { parametersValidate } from './parameters-validate.ts';
import { readyz } from './readyz.ts';
import { smallExport } from './small-export.ts';
import { statuses } from './statuses.ts';

/** Every route of the REST door; a new one is one file and one line here. */
export const routes: readonly AnyRoute[] = [
  issue,
  issueExpanded,
  issues,
  issuesV2,
  issuesAggregation,
  exportStatus,
  exportQueue,
  smallExport,
  exports,
  exportById,
  exportAbort,
  exportDownload,
  exportByTicket,
  statuses,
  calendars,
  calendarsSearch,
  calendarById,
  calendarCreate,
  calendarUpdate,
  parameterSets,
  parameterSetsSearch,
  parameterSetById,
  parameterSetCreate,
  parameterSetUpdate,
  parametersValidate,
  parameterSetValidate,
  formatSettings,
  formatSettingsUpdate,
  openapi,
  docs,
  healthz,
  readyz,
];
