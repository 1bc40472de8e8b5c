import { z } from 'zod';
import type { JiraClient, JiraRequest } from './jira-client.ts';
import { JiraRefusal } from './jira-failures.ts';
import { unreadSchemes } from './unread-schemes.ts';

/** Enough to meet somebody who is not ourselves. */
const PEOPLE = 10;

const person = z.object({ accountId: z.string().nullish(), name: z.string().nullish() });
const people = z.array(person);
const anything = z.unknown();

/**
 * Whether our account, known as `login` (Cloud: its id), may ask what others may see: null, or why not and what helps.
 * Asks it about somebody else in one project, and for the permission schemes of some; where there is neither, nothing
 * speaks against it.
 */
export async function askOtherRights(
  client: JiraClient,
  projects: ReadonlyMap<string, string>,
  login: string | null,
): Promise<string | null> {
  const [project] = projects;
  if (project === undefined) return null;
  const [key, id] = project;
  const isCloud = (await client.kind()) === 'cloud';
  const needed = isCloud ? 'Administer Jira' : 'Browse Users';
  try {
    const other = await anotherPerson(client, isCloud, login);
    if (other !== null) await client.ask(isCloud ? checkOf(other, id) : viewersOf(other, key), anything);
    return await unreadSchemes(client, projects.keys());
  } catch (error) {
    if (!(error instanceof JiraRefusal)) throw error;
    return `${error.message} The account needs the global permission '${needed}' for that, or set JIRA_RIGHTS=rules.`;
  }
}

async function anotherPerson(
  client: JiraClient,
  isCloud: boolean,
  login: string | null,
): Promise<string | null> {
  const some = { startAt: '0', maxResults: String(PEOPLE) };
  const question: JiraRequest = isCloud
    ? { method: 'GET', path: '/users/search', query: some }
    : { method: 'GET', path: '/user/search', query: { username: '.', ...some } };
  const found = await client.ask(question, people);
  const names = found.map(({ accountId, name }) => (isCloud ? accountId : name));
  return names.find((one) => one && one !== login) ?? null;
}

function checkOf(accountId: string, project: string): JiraRequest {
  const asked = { permissions: ['BROWSE_PROJECTS'], projects: [Number(project)], issues: [] };
  const body = { accountId, projectPermissions: [asked] };
  return { method: 'POST', path: '/permissions/check', body, isPriority: true };
}

function viewersOf(username: string, projectKey: string): JiraRequest {
  const query = { username, projectKey, maxResults: '1' };
  return { method: 'GET', path: '/user/viewissue/search', query, isPriority: true };
}
