import { z } from 'zod';
import { mapLimited } from '../../http-client/map-limited.ts';
import type { User } from '../../model/issue.ts';
import { idText } from '../jira-json/read-references.ts';
import type { Browsable, ListedIssue } from '../live-tracker.ts';
import type { JiraClient } from './jira-client.ts';
import { JiraRefusal, missingPermission } from './jira-failures.ts';
import {
  accessOf,
  chunked,
  foundNothing,
  foundPermissions,
  openProjects,
  type SchemeParts,
  toAskSingly,
  type UncountedPermissions,
} from './open-projects.ts';

/** The most projects, and the most issues, that Jira looks at in one go. */
const CHUNK = 1000;
const CONCURRENCY = 4;
/** Requests about issues one by one for one person; what is beyond them stays closed. */
const MAX_ASKED = 200;
const BROWSE = 'BROWSE_PROJECTS';
const ADMINISTER = 'ADMINISTER_PROJECTS';

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

/**
 * The permissions of a user in Jira Cloud, where an admin may ask for those of others. `projects` requests the ids by key,
 * where some are not stored.
 */
export async function cloudPermissions(
  user: User,
  about: Browsable,
  projects: () => Promise<ReadonlyMap<string, string>>,
  parts: SchemeParts,
): Promise<UncountedPermissions> {
  const { client } = parts;
  try {
    const ids = new Map(about.projects.map((key) => [key, accessOf(about, key)?.id ?? null]));
    const listed = ids.values().some((id) => id === null) ? await projects() : null;
    const named = [...ids].flatMap(([key, stored]) => {
      const id = stored ?? listed?.get(key) ?? null;
      return id === null ? [] : [{ key, id }];
    });
    const browsed: string[] = [];
    for (const some of chunked(named, CHUNK)) {
      browsed.push(
        ...(await allowedOf(client, user, { permission: BROWSE, subject: 'projects', subjects: some })),
      );
    }
    const open = await openProjects(browsed, about, parts);
    const { issues, unasked } = await openSingles(client, user, { about, toAsk: toAskSingly(about, open) });
    return foundPermissions(about, open, { issues, unasked });
  } catch (error) {
    if (!(error instanceof JiraRefusal)) throw error;
    if (error.status === 400 && !(await isKnown(client, user))) return foundNothing(about);
    throw missingPermission(`Jira does not show what others can browse: ${error.message}`, { cause: error });
  }
}

async function openSingles(
  client: JiraClient,
  user: User,
  { about, toAsk }: { readonly about: Browsable; readonly toAsk: Iterable<ListedIssue> },
): Promise<{ readonly issues: ReadonlySet<string>; readonly unasked: number }> {
  const issues = new Set<string>();
  const chunks = chunked(toAsk, CHUNK);
  let requests = 0;
  // Chunks are made as they are sent, so that all issues of a large project are never in memory.
  const worker = async () => {
    while (requests < MAX_ASKED) {
      requests += 1;
      const { done, value } = chunks.next();
      if (done) return;
      const singles = await about.lookUp(value);
      if (singles.length === 0) continue;
      const open = await allowedOf(client, user, {
        permission: BROWSE,
        subject: 'issues',
        subjects: singles,
      });
      for (const key of open) issues.add(key);
    }
  };
  await mapLimited(CONCURRENCY, Array.from({ length: CONCURRENCY }), worker);
  let unasked = 0;
  for (const rest of chunks) unasked += rest.length;
  return { issues, unasked };
}

/** Projects or issues, and a permission that is checked for each of them. */
interface PermissionCheck {
  readonly permission: string;
  readonly subject: Subject;
  readonly subjects: readonly { readonly key: string; readonly id: string }[];
}

/** The keys of those for which the person has the permission. */
async function allowedOf(
  client: JiraClient,
  { id: accountId }: User,
  { permission, subject, subjects }: PermissionCheck,
): Promise<string[]> {
  const ids = { projects: [], issues: [], [subject]: subjects.map(({ id }) => Number(id)) };
  const body = { accountId, projectPermissions: [{ permissions: [permission], ...ids }] };
  const { projectPermissions } = await client.ask(
    { method: 'POST', path: '/permissions/check', body, isPriority: true },
    granted,
  );
  const open = new Set(
    projectPermissions.filter((one) => one.permission === permission).flatMap((one) => one[subject] ?? []),
  );
  return subjects.filter(({ id }) => open.has(id)).map(({ key }) => key);
}

/** Says if a person can administer a project of Jira Cloud, which is known by its id. */
export async function cloudAdministers(
  client: JiraClient,
  user: User,
  project: { readonly key: string; readonly id: string },
): Promise<boolean> {
  const check = { permission: ADMINISTER, subject: 'projects', subjects: [project] } as const;
  try {
    return (await allowedOf(client, user, check)).length > 0;
  } catch (error) {
    if (!(error instanceof JiraRefusal)) throw error;
    if (error.status === 400 && !(await isKnown(client, user))) return false;
    throw missingPermission(`Jira does not show who can administer a project: ${error.message}`, {
      cause: error,
    });
  }
}

async function isKnown(client: JiraClient, { id: accountId }: User): Promise<boolean> {
  try {
    await client.ask({ method: 'GET', path: '/user', query: { accountId }, isPriority: true }, anybody);
    return true;
  } catch (error) {
    if (error instanceof JiraRefusal && [400, 404].includes(error.status)) return false;
    throw error;
  }
}
