import { z } from 'zod';
import { AppError, failureText } from '../../model/error.ts';
import type { Introduction, IntroductionInput } from '../../model/sync.ts';
import { askOtherRights } from './ask-other-rights.ts';
import type { JiraClient } from './jira-client.ts';

const myself = z.object({
  displayName: z.string(),
  emailAddress: z.string().nullish(),
  accountId: z.string().nullish(),
  name: z.string().nullish(),
});

const products = { cloud: 'Jira Cloud', dataCenter: 'Jira Data Center' };

/** What is introduced. */
export interface IntroductionParts {
  readonly client: JiraClient;
  /** Id of every project that our account may browse, by key. */
  readonly projects: () => Promise<ReadonlyMap<string, string>>;
  readonly count: () => Promise<number | null>;
  /** Which issues are wished for; null: all. */
  readonly jql: string | null;
}

/** Who is there, as whom we ask, and what our account may do. Fails only where nobody is there; the rest is told apart. */
export async function* introduce(
  { client, projects, count, jql }: IntroductionParts,
  wish: IntroductionInput,
): AsyncGenerator<Introduction> {
  const { url } = await client.site();
  yield { about: 'site', product: products[await client.kind()], url };
  let login: string | null = null;
  yield await told('account', async () => {
    const me = await client.ask({ method: 'GET', path: '/myself' }, myself);
    login = me.accountId ?? me.name ?? null;
    return { about: 'account', name: me.displayName, email: me.emailAddress || null };
  });
  if (!wish.issues) return;
  yield await told('projects', async () => ({ about: 'projects', count: (await projects()).size }));
  yield await told('issues', async () => ({ about: 'issues', count: await count(), wish: jql }));
  if (!wish.sight) return;
  yield await told('sight', async () => ({
    about: 'sight',
    refusal: await askOtherRights(client, await projects(), login),
  }));
}

async function told(
  what: Extract<Introduction, { readonly about: 'untold' }>['what'],
  ask: () => Promise<Introduction>,
): Promise<Introduction> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { about: 'untold', what, why: failureText(error) };
  }
}
