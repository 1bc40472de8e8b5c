import { z } from 'zod';
import { memo } from '../../cache/namespace.ts';
import { mapLimited } from '../../http-client/map-limited.ts';
import { AppError } from '../../model/error.ts';
import type { Browsable, ProjectAccess } from '../live-tracker.ts';
import { askBrowseHolders, type BrowseHolders } from './browse-holders.ts';
import type { JiraClient } from './jira-client.ts';
import { areCredentialsRefused } from './jira-failures.ts';

const CONCURRENCY = 4;

const texts = z.array(z.string()).transform((all): ReadonlySet<string> => new Set(all));
const storedAccess = z.object({
  id: z.string().nullable(),
  holders: z.object({
    dependsOnIssue: z.boolean(),
    isKnown: z.boolean(),
    isExhaustive: z.boolean(),
    anyone: z.boolean(),
    people: texts,
    logins: texts,
    groups: texts,
    licences: texts,
  }),
});

/** The stored answer about a project: its id (null in Data Center, which goes by keys), and who can browse it. */
export interface StoredAccess {
  readonly id: string | null;
  readonly holders: BrowseHolders;
}

const readAccess = memo((access: object): StoredAccess | null => storedAccess.safeParse(access).data ?? null);

/** Returns the stored answer about a project; null: there is none, or it is too old or of another form. */
export function accessOf({ accessOf: stored }: Browsable, projectKey: string): StoredAccess | null {
  const access = stored?.(projectKey);
  return typeof access === 'object' && access !== null ? readAccess(access) : null;
}

/**
 * Reads the answers to store about some projects, with requests that no user waits for. `ids` are those of projects by
 * key; null: Jira goes by keys, and the members of roles decide who can browse a project.
 */
export async function readProjectAccess(
  client: JiraClient,
  projects: readonly string[],
  ids: ReadonlyMap<string, string> | null,
): Promise<readonly ProjectAccess[]> {
  const patient: JiraClient = {
    ...client,
    ask: (request, schema) => client.ask({ ...request, isPriority: false, tries: 'few' }, schema),
  };
  const read = await mapLimited(CONCURRENCY, projects, async (project): Promise<ProjectAccess[]> => {
    const id = ids?.get(project) ?? null;
    if (ids !== null && id === null) return [];
    try {
      const holders = await askBrowseHolders(patient, project, { withMembers: ids === null });
      // A scheme that is refused is requested with each question, for it may be shown soon.
      return holders === null ? [] : [{ project, access: { id, holders: listed(holders) } }];
    } catch (error) {
      if (!(error instanceof AppError) || areCredentialsRefused(error)) throw error;
      return [];
    }
  });
  return read.flat();
}

/** Holders as JSON. */
function listed({ people, logins, groups, licences, ...facts }: BrowseHolders) {
  return {
    ...facts,
    people: [...people],
    logins: [...logins],
    groups: [...groups],
    licences: [...licences],
  };
}
