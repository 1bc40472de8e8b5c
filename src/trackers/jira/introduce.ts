import { z } from 'zod';
import { AppError, failureText } from '../../model/error.ts';
import type { Introduction, IntroductionInput } from '../../model/sync.ts';
import { unreadSchemes } from './browse-holders.ts';
import type { JiraClient, JiraRequest } from './jira-client.ts';
import { JiraRefusal } from './jira-failures.ts';
import { permissionCure } from './missing-permission.ts';

const myself = z.object({
  displayName: z.string(),
  emailAddress: z.string().nullish(),
  accountId: z.string().nullish(),
  name: z.string().nullish(),
});

const products = { cloud: 'Jira Cloud', dataCenter: 'Jira Data Center' };

/** What is introduced. */
interface IntroductionParts {
  readonly client: JiraClient;
  /** Id of every project that our account may browse, by key. */
  readonly projects: () => Promise<ReadonlyMap<string, string>>;
  readonly count: () => Promise<number | null>;
  /** Which issues are configured; null: all. */
  readonly jql: string | null;
}

/** Who is there, as whom we ask, and what our account may do. Fails only where nobody is there; the rest is told apart. */
export async function* introduce(
  { client, projects, count, jql }: IntroductionParts,
  input: IntroductionInput,
): AsyncGenerator<Introduction> {
  const { url } = await client.site();
  yield { about: 'site', product: products[await client.kind()], url };
  let login: string | null = null;
  yield await told('account', async () => {
    const me = await client.ask({ method: 'GET', path: '/myself' }, myself);
    login = me.accountId ?? me.name ?? null;
    return { about: 'account', name: me.displayName, email: me.emailAddress || null };
  });
  if (input.issues) {
    yield await told('projects', async () => ({ about: 'projects', count: (await projects()).size }));
    yield await told('issues', async () => ({ about: 'issues', count: await count(), jql: jql }));
  }
  if (!input.permissions) return;
  yield await told('permissions', async () => ({
    about: 'permissions',
    refusal: await askOtherRights(client, await projects(), login),
  }));
}

async function told(
  what: Extract<Introduction, { readonly about: 'unknown' }>['what'],
  ask: () => Promise<Introduction>,
): Promise<Introduction> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { about: 'unknown', what, why: failureText(error) };
  }
}

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
  const asked = { permissions: ['BROWSE_PROJECTS'], projects: [Number(project)], issues: [] };
  const body = { accountId, projectPermissions: [asked] };
  return { method: 'POST', path: '/permissions/check', body, isPriority: true };
}

function viewersOf(username: string, projectKey: string): JiraRequest {
  const query = { username, projectKey, maxResults: '1' };
  return { method: 'GET', path: '/user/viewissue/search', query, isPriority: true };
}
