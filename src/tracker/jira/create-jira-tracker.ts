import type { LiveTracker } from '../live-tracker.ts';
import type { JiraClient } from './jira-client.ts';

/** Jira as a tracker. `jql`: which issues; null: all that our account may see. */
export function createJiraTracker(_client: JiraClient, _wish: { readonly jql: string | null }): LiveTracker {
  throw new Error('to come');
}
