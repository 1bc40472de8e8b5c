import type { AnyRoute } from '../route.ts';
import { calendarById } from './calendar-by-id.ts';
import { calendarCreate } from './calendar-create.ts';
import { calendarUpdate } from './calendar-update.ts';
import { calendars } from './calendars.ts';
import { calendarsSearch } from './calendars-search.ts';
import { categories } from './categories.ts';
import { categoryCreate } from './category-create.ts';
import { categoryDelete } from './category-delete.ts';
import { categoryUpdate } from './category-update.ts';
import { delegatesOf } from './delegates-of.ts';
import { delegationById } from './delegation-by-id.ts';
import { delegationChain } from './delegation-chain.ts';
import { delegationCoverage } from './delegation-coverage.ts';
import { delegationCreate } from './delegation-create.ts';
import { delegationUpdate } from './delegation-update.ts';
import { delegationVersions } from './delegation-versions.ts';
import { delegations } from './delegations.ts';
import { delegatorsOf } from './delegators-of.ts';
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
import { issuesWeekly } from './issues-weekly.ts';
import { jiraConsent } from './jira-consent.ts';
import { jiraEvents } from './jira-events.ts';
import { link } from './link.ts';
import { linkAccept } from './link-accept.ts';
import { openapi } from './openapi.ts';
import {
  parameterSetById,
  parameterSetCreate,
  parameterSetDelete,
  parameterSets,
  parameterSetsSearch,
  parameterSetUpdate,
  parameterSetValidate,
  parametersValidate,
} from './parameter-sets.ts';
import { readyz } from './readyz.ts';
import { smallExport } from './small-export.ts';
import { sprintReport } from './sprint-report.ts';
import { statuses } from './statuses.ts';

/** Every route of the REST door; a new one is one file and one line here. */
export const routes: readonly AnyRoute[] = [
  issue,
  issueExpanded,
  issues,
  issuesV2,
  issuesAggregation,
  issuesWeekly,
  sprintReport,
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
  parameterSetDelete,
  parametersValidate,
  parameterSetValidate,
  formatSettings,
  formatSettingsUpdate,
  delegatesOf,
  delegatorsOf,
  delegationChain,
  delegationCoverage,
  delegations,
  delegationById,
  delegationVersions,
  delegationCreate,
  delegationUpdate,
  categories,
  categoryCreate,
  categoryUpdate,
  categoryDelete,
  link,
  linkAccept,
  jiraConsent,
  jiraEvents,
  openapi,
  docs,
  healthz,
  readyz,
];
