import type { OpenedTracker, TrackerSurroundings } from '../tracker-kind.ts';
import { createJiraClient } from './create-jira-client.ts';
import { createJiraTracker } from './create-jira-tracker.ts';
import type { JiraSettings } from './jira-access.ts';
import { readEvent } from './read-event.ts';

/** The addresses of Atlassian's own services, without a slash at the end. */
const atlassian = { auth: 'https://auth.atlassian.com', api: 'https://api.atlassian.com' };

/** Opens Jira with its webhooks, and with the consent of an admin where an app reads it. */
export function openJira(access: JiraSettings, surroundings: TrackerSurroundings): OpenedTracker {
  const { client, consent } = createJiraClient(access, { ...surroundings, atlassian });
  return {
    ...createJiraTracker(client, { jql: access.jql, now: surroundings.now }),
    consent,
    webhooks: {
      setting: 'JIRA_WEBHOOK_SECRET',
      secret: access.webhookSecret,
      // As WebSub names it (W3C WebSub, 7.1).
      header: 'X-Hub-Signature',
      prefix: 'sha256=',
      readIds: readEvent,
    },
  };
}
