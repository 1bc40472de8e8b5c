import { AppError } from '../../model/error.ts';

/** The remedy where Jira does not show the permissions of others, for an admin of Jira or the operator of Dwell. */
export const permissionCure =
  "Give Dwell's Jira account the global permission 'Administer Jira' (Data Center: also 'Browse Users'), or set JIRA_RIGHTS=rules and use `npx dwell access`.";

/** Dwell's account is not allowed to read who can see what, so nothing can be shown; `message` is for the log. */
export function missingPermission(message: string, options: ErrorOptions = {}): AppError {
  return new AppError('tracker-permission-missing', message, [permissionCure], options);
}
