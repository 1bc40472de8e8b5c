import { z } from 'zod';
import { mapLimited } from '../../http-client/map-limited.ts';
import type { User } from '../../model/issue.ts';
import { readBeside } from '../jira-json/read-beside.ts';
import type { Browsable, ListedIssue } from '../live-tracker.ts';
import type { JiraClient } from './jira-client.ts';
import { JiraRefusal, missingPermission } from './jira-failures.ts';
import {
  accessOf,
  chunked,
  foundNothing,
  foundPermissions,
  type OpenProjects,
  openProjects,
  type SchemeParts,
  toAskSingly,
  type UncountedPermissions,
} from './open-projects.ts';

const PAGE = 100;
/** The pages of people whose names begin with the same login; there are never more. */
const MAX_PAGES = 10;
const CONCURRENCY = 8;
/** Issues that are asked about one by one for one person; what is beyond them stays closed. */
const MAX_ASKED = 500;
/** Issues whose people are looked at together. */
const LOOKED_UP_AT_ONCE = 500;
/** Issues that may stand for all that are like them, for one of them may be gone. */
const MAX_REPRESENTATIVES = 3;

const found = z.array(z.unknown());

/** Returns true where the person may browse this; null: it does not exist, or our account may not see it. */
type MayBrowse = (
  about: { readonly projectKey: string } | { readonly issueKey: string },
) => Promise<boolean | null>;

/** The number of projects up to which Jira is asked about each of them. */
const MAX_ASKED_PROJECTS = 8;

/**
 * The permissions of a user in Jira Data Center, which says who may browse one project or one issue. Of many projects only
 * those are asked about whose stored holders do not decide. Issues of a project with the same security level that name the
 * same people, groups and options are all open or all closed, so one of them is checked.
 */
export async function dataCenterPermissions(
  user: User,
  about: Browsable,
  parts: SchemeParts,
): Promise<UncountedPermissions> {
  const mayBrowse = mayBrowseOf(parts.client, user);
  const isFew = about.projects.length <= MAX_ASKED_PROJECTS;
  const { isActive, groups } = isFew ? { isActive: null, groups: null } : await parts.grants.person();
  if (isActive === false) return foundNothing(about);
  const goesByStored = isActive === true && groups !== null;
  const browsed = await mapLimited(CONCURRENCY, about.projects, async (projectKey) => {
    const holders = goesByStored ? accessOf(about, projectKey)?.holders : undefined;
    if (holders !== undefined && (await parts.grants.isSure(holders))) return [projectKey];
    if (holders?.isExhaustive === true) return [];
    return (await mayBrowse({ projectKey })) ? [projectKey] : [];
  });
  const open = await openProjects(browsed.flat(), about, parts);
  const { alike, beyond } = await gatherAlike(toAskSingly(about, open), about, open);
  const decided = await mapLimited(CONCURRENCY, alike, (issues) => decide(issues, mayBrowse));
  const issues = alike.flatMap((keys, i) => (decided[i] === true ? keys : []));
  const undecided = alike.reduce((sum, keys, i) => sum + (decided[i] === null ? keys.length : 0), beyond);
  return foundPermissions(about, open, { issues: new Set(issues), unasked: undecided });
}

/** Keys of issues that are open all or none, of as many as may be asked about, and how many issues are beyond them. */
async function gatherAlike(
  issues: Iterable<ListedIssue>,
  { lookUp }: Browsable,
  { goesByPermissionKey }: OpenProjects,
): Promise<{ readonly alike: readonly (readonly string[])[]; readonly beyond: number }> {
  const alike = new Map<string, string[]>();
  let beyond = 0;
  for (const some of chunked(issues, LOOKED_UP_AT_ONCE)) {
    for (const { key, project, level, permissionKey } of await lookUp(some)) {
      const kind = (await goesByPermissionKey(project))
        ? JSON.stringify([project, level, permissionKey()])
        : key;
      const known = alike.get(kind);
      if (known !== undefined) known.push(key);
      else if (alike.size < MAX_ASKED) alike.set(kind, [key]);
      else beyond += 1;
    }
  }
  return { alike: [...alike.values()], beyond };
}

/** Null: unknown, because the checked issues are gone, or closed to our account. */
async function decide(keys: readonly string[], mayBrowse: MayBrowse): Promise<boolean | null> {
  for (const issueKey of keys.slice(0, MAX_REPRESENTATIVES)) {
    const may = await mayBrowse({ issueKey });
    if (may !== null) return may;
  }
  return null;
}

function mayBrowseOf(client: JiraClient, user: User): MayBrowse {
  return (about) =>
    isFound(client, user, { path: '/user/viewissue/search', query: about, what: 'who can browse' });
}

/** Says if a person can administer a project of Jira Data Center. The permission is called as in its class Permissions. */
export async function dataCenterAdministers(
  client: JiraClient,
  user: User,
  projectKey: string,
): Promise<boolean> {
  const query = { permissions: 'PROJECT_ADMIN', projectKey };
  const search = { path: '/user/permission/search', query, what: 'who can administer a project' };
  return (await isFound(client, user, search)) ?? false;
}

/** A search for people by a login; `what` it shows. */
interface PeopleSearch {
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly what: string;
}

/** Returns true where the person is among those found; null: Jira knows nothing of what the search is about. */
async function isFound(
  client: JiraClient,
  user: User,
  { path, query: about, what }: PeopleSearch,
): Promise<boolean | null> {
  try {
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const place = { startAt: String(page * PAGE), maxResults: String(PAGE) };
      const query = { username: user.login ?? user.id, ...about, ...place };
      const people = await client.ask({ method: 'GET', path, query, isPriority: true }, found);
      // The search finds longer names as well.
      if (people.some((one) => readBeside(one)?.users[0]?.id === user.id)) return true;
      if (people.length < PAGE) return false;
    }
    return false;
  } catch (error) {
    if (!(error instanceof JiraRefusal)) throw error;
    if ([400, 404].includes(error.status)) return null;
    throw missingPermission(`Jira does not show ${what}: ${error.message}`, { cause: error });
  }
}
