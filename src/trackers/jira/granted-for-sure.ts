import { z } from 'zod';
import type { Group } from '../../model/directory.ts';
import type { User } from '../../model/issue.ts';
import type { BrowseHolders } from './browse-holders.ts';
import type { JiraClient } from './jira-client.ts';
import { JiraRefusal } from './jira-failures.ts';

const licensed = z.object({
  applicationRoles: z.object({ items: z.array(z.object({ key: z.string() })) }).nullish(),
});

/** Whether these holders let somebody browse whatever issue it is. */
export type IsGranted = (holders: BrowseHolders) => Promise<boolean>;

/**
 * Whether holders that look at no issue grant it to a person for certain, as far as `groups`, those the person is in,
 * and Jira's word on licences tell. The licences are asked for once, and only where they matter.
 */
export function grantedForSure(client: JiraClient, user: User, groups: readonly Group[]): IsGranted {
  let licences: Promise<readonly string[]> | null = null;
  return async (holders) => {
    if (holders.anyone || holders.people.has(user.id)) return true;
    if (user.login !== undefined && holders.logins.has(user.login)) return true;
    if (groups.some(({ id, name }) => holders.groups.has(id) || holders.groups.has(name))) return true;
    if (holders.licences.size === 0) return false;
    licences ??= askLicences(client, user);
    const owned = await licences;
    return holders.licences.has('') ? owned.length > 0 : owned.some((key) => holders.licences.has(key));
  };
}

async function askLicences(client: JiraClient, { id, login }: User): Promise<readonly string[]> {
  const who = (await client.kind()) === 'cloud' ? { accountId: id } : { username: login ?? id };
  try {
    const query = { ...who, expand: 'applicationRoles' };
    const told = await client.ask({ method: 'GET', path: '/user', query, isPriority: true }, licensed);
    return told.applicationRoles?.items.map(({ key }) => key) ?? [];
  } catch (error) {
    if (error instanceof JiraRefusal) return [];
    throw error;
  }
}
