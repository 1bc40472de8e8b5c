import { z } from 'zod';
import { AppError } from '../../model/error.ts';
import type { User } from '../../model/issue.ts';
import type { Sight } from '../../model/sight.ts';
import { idText } from '../jira-json/jira-schema.ts';
import type { Browsable } from '../live-tracker.ts';
import { type JiraClient, JiraRefusal } from './jira-client.ts';

/** The most projects, and the most issues, that Jira looks at in one go. */
const CHUNK = 1000;
const BROWSE = 'BROWSE_PROJECTS';

const granted = z.object({
  projectPermissions: z.array(
    z.object({
      permission: z.string(),
      projects: z.array(idText).nullish(),
      issues: z.array(idText).nullish(),
    }),
  ),
});
const anybody = z.unknown();

type Subject = 'projects' | 'issues';

/** What somebody may browse in Jira Cloud, where an admin may ask that about others. `projects`: ids by key. */
export async function cloudSight(
  client: JiraClient,
  user: User,
  about: Browsable,
  projects: ReadonlyMap<string, string>,
): Promise<Sight> {
  try {
    const named = about.projects.flatMap((key) => {
      const id = projects.get(key);
      return id === undefined ? [] : [{ key, id }];
    });
    const open = new Set(await mayBrowse(client, user, 'projects', named));
    const levelled = about.levelled.filter(({ project }) => open.has(project));
    return { projects: open, levelled: new Set(await mayBrowse(client, user, 'issues', levelled)) };
  } catch (error) {
    if (!(error instanceof JiraRefusal)) throw error;
    if (error.status === 400 && !(await isKnown(client, user))) {
      return { projects: new Set(), levelled: new Set() };
    }
    throw cannotAsk(error);
  }
}

/** The keys of those that Jira lets the person browse. */
async function mayBrowse(
  client: JiraClient,
  { id: accountId }: User,
  subject: Subject,
  asked: readonly { readonly key: string; readonly id: string }[],
): Promise<string[]> {
  const keys: string[] = [];
  for (let i = 0; i < asked.length; i += CHUNK) {
    const chunk = asked.slice(i, i + CHUNK);
    const ids = { projects: [], issues: [], [subject]: chunk.map(({ id }) => Number(id)) };
    const body = { accountId, projectPermissions: [{ permissions: [BROWSE], ...ids }] };
    const { projectPermissions } = await client.ask(
      { method: 'POST', path: '/permissions/check', body },
      granted,
    );
    const open = new Set(
      projectPermissions
        .filter(({ permission }) => permission === BROWSE)
        .flatMap((told) => told[subject] ?? []),
    );
    keys.push(...chunk.filter(({ id }) => open.has(id)).map(({ key }) => key));
  }
  return keys;
}

async function isKnown(client: JiraClient, { id: accountId }: User): Promise<boolean> {
  try {
    await client.ask({ method: 'GET', path: '/user', query: { accountId } }, anybody);
    return true;
  } catch (error) {
    if (error instanceof JiraRefusal && [400, 404].includes(error.status)) return false;
    throw error;
  }
}

function cannotAsk(cause: JiraRefusal): AppError {
  return new AppError(
    'unavailable',
    `Jira does not tell what others may browse: ${cause.message}`,
    ["The account needs the global permission 'Administer Jira' for that, or set JIRA_RIGHTS=rules."],
    { cause },
  );
}
