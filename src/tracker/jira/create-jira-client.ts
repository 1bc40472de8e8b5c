import type { Consent } from './consent.ts';
import type { JiraAccess, JiraSurroundings } from './jira-access.ts';
import type { JiraClient } from './jira-client.ts';

/** A client of Jira, and how people agree to it where it is an app. */
export function createJiraClient(
  _access: JiraAccess,
  _surroundings: JiraSurroundings,
): { readonly client: JiraClient; readonly consent: Consent | null } {
  throw new Error('to come');
}
