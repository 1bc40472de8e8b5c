import type { AnyRoute } from '../route.ts';
import { linkRoutes } from './account-link.ts';
import { answerRoutes } from './answers.ts';
import { auditLog } from './audit.ts';
import { calendarRoutes } from './calendars.ts';
import { delegationCoverage, lookUpRoutes } from './delegates.ts';
import { categoryRoutes, delegationRoutes } from './delegations.ts';
import { descriptionRoutes } from './description.ts';
import { exportRoutes } from './exports.ts';
import { flowRoutes } from './flows.ts';
import { formatRoutes } from './format-settings.ts';
import { healthz, readyz } from './health.ts';
import { issueVisits } from './issue-visits.ts';
import { aggregation, issue, issuesByIndex, issuesByToken } from './issues.ts';
import { parameterSetRoutes } from './parameter-sets.ts';
import { statusRoutes } from './statuses.ts';
import { jiraConsent, trackerEvents } from './tracker.ts';
import { weekly } from './weekly.ts';

/** Every route of the REST door, in the order of its description; a new one is a line in the file of its resource. */
export const routes: readonly AnyRoute[] = [
  issue,
  issueVisits,
  issuesByIndex,
  issuesByToken,
  aggregation,
  weekly,
  ...answerRoutes,
  ...exportRoutes,
  ...statusRoutes,
  ...flowRoutes,
  ...calendarRoutes,
  ...parameterSetRoutes,
  ...formatRoutes,
  ...lookUpRoutes,
  delegationCoverage,
  ...delegationRoutes,
  ...categoryRoutes,
  auditLog,
  ...linkRoutes,
  jiraConsent,
  trackerEvents,
  ...descriptionRoutes,
  healthz,
  readyz,
];
