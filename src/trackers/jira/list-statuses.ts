import type { Status } from '../../model/issue.ts';
import { jiraStatus } from '../jira-json/jira-schema.ts';
import { readStatus } from '../jira-json/read-status.ts';
import { askList } from './ask-pages.ts';
import { JiraRefusal } from './jira-failures.ts';
import type { List, ListParts } from './list.ts';

/** The one list of statuses. */
export const listStatuses: List = async function* (parts) {
  const raw = await askList(parts.client, { path: '/status' });
  const told = raw.map((one) => jiraStatus.safeParse(one));
  const statuses = told.flatMap(({ data }) => (data === undefined ? [] : [readStatus(data)]));
  // Only of a list that could be read to its end can it be said what is not in it.
  const list = statuses.length === raw.length ? parts.site : null;
  yield { kind: 'statuses', statuses: await withScopesByKey(statuses, parts), list };
};

/** Cloud tells the project of a team-managed status by id. */
async function withScopesByKey(
  statuses: readonly Status[],
  { projects }: ListParts,
): Promise<readonly Status[]> {
  if (!statuses.some(({ scope }) => scope !== undefined)) return statuses;
  const keys = new Map([...(await known(projects))].map(([key, id]) => [id, key]));
  return statuses.map((status) =>
    status.scope === undefined ? status : { ...status, scope: keys.get(status.scope) ?? status.scope },
  );
}

async function known(projects: ListParts['projects']): Promise<ReadonlyMap<string, string>> {
  try {
    return await projects();
  } catch (error) {
    if (error instanceof JiraRefusal) return new Map();
    throw error;
  }
}
