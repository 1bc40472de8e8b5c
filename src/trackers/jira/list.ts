import type { TrackerEntry } from '../tracker.ts';
import type { JiraClient } from './jira-client.ts';

/** What a list is told from: `site` is where people browse, `projects` the ids of the projects by key. */
export interface ListParts {
  readonly client: JiraClient;
  readonly site: string;
  readonly projects: () => Promise<ReadonlyMap<string, string>>;
}

/** One of Jira's lists. Where Jira refuses it, it ends with a JiraRefusal. */
export type List = (parts: ListParts) => AsyncIterable<TrackerEntry>;
