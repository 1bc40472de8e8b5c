import { z } from 'zod';
import { AppError, failureText } from '../../model/error.ts';
import type { ConnectionCheckInput, ConnectionFact } from '../../model/sync.ts';
import { unreadSchemes } from './browse-holders.ts';
import type { JiraClient, JiraRequest } from './jira-client.ts';
import { JiraRefusal, permissionCure } from './jira-failures.ts';

const myself = z.object({
  displayName: z.string(),
  emailAddress: z.string().nullish(),
  accountId: z.string().nullish(),
  name: z.string().nullish(),
});

const products = { cloud: 'Jira Cloud', dataCenter: 'Jira Data Center' };

/** The parts of a check. */
interface ConnectionCheckParts {
  readonly client: JiraClient;
  /** Id of every project that our account may browse, by key. */
  readonly projects: () => Promise<ReadonlyMap<string, string>>;
  readonly count: () => Promise<number | null>;
  /** The configured query; null: all issues. */
  readonly jql: string | null;
}

/**
 * The site, our account, and its permissions. Fails only where there is no Jira; other failures are entries of their
 * own.
 */
export async function* checkConnection(
  { client, projects, count, jql }: ConnectionCheckParts,
  input: ConnectionCheckInput,
): AsyncGenerator<ConnectionFact> {
  const { url } = await client.site();
  yield { about: 'site', product: products[await client.kind()], url };
  let login: string | null = null;
  yield await orUnknown('account', async () => {
    const me = await client.ask({ method: 'GET', path: '/myself' }, myself);
    login = me.accountId ?? me.name ?? null;
    return { about: 'account', name: me.displayName, email: me.emailAddress || null };
  });
  if (input.issues) {
    yield await orUnknown('projects', async () => ({ about: 'projects', count: (await projects()).size }));
    yield await orUnknown('issues', async () => ({ about: 'issues', count: await count(), jql: jql }));
  }
  if (!input.permissions) return;
  yield await orUnknown('permissions', async () => ({
    about: 'permissions',
    refusal: await askOtherRights(client, await projects(), login),
  }));
}

async function orUnknown(
  what: Extract<ConnectionFact, { readonly about: 'unknown' }>['what'],
  ask: () => Promise<ConnectionFact>,
): Promise<ConnectionFact> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { about: 'unknown', what, why: failureText(error) };
  }
}

/** Enough people to include one who is not our account. */
const PEOPLE = 10;

const person = z.object({ accountId: z.string().nullish(), name: z.string().nullish() });
const people = z.array(person);
const anything = z.unknown();

/**
 * Returns null where our account, known as `login` (Cloud: its id), may read the permissions of others, else the reason
 * and the remedy. Checks another person in one project, and the permission schemes of some; where there is neither,
 * nothing speaks against it.
 */
async function askOtherRights(
  client: JiraClient,
  projects: ReadonlyMap<string, string>,
  login: string | null,
): Promise<string | null> {
  const [project] = projects;
  if (project === undefined) return null;
  const [key, id] = project;
  const isCloud = (await client.kind()) === 'cloud';
  try {
    const other = await anotherPerson(client, isCloud, login);
    if (other !== null) await client.ask(isCloud ? checkOf(other, id) : viewersOf(other, key), anything);
    return await unreadSchemes(client, projects.keys());
  } catch (error) {
    if (!(error instanceof JiraRefusal)) throw error;
    return `${error.message} ${permissionCure}`;
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
  const subjects = { permissions: ['BROWSE_PROJECTS'], projects: [Number(project)], issues: [] };
  const body = { accountId, projectPermissions: [subjects] };
  return { method: 'POST', path: '/permissions/check', body, isPriority: true };
}

function viewersOf(username: string, projectKey: string): JiraRequest {
  const query = { username, projectKey, maxResults: '1' };
  return { method: 'GET', path: '/user/viewissue/search', query, isPriority: true };
}
