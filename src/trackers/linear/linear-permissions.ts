import { z } from 'zod';
import { AppError } from '../../model/error.ts';
import type { User } from '../../model/issue.ts';
import type { Browsable, FoundPermissions } from '../live-tracker.ts';
import type { LinearClient, LinearQuestion } from './linear-client.ts';
import { readTeams } from './linear-lists.ts';
import { connectionOf, PAGE_INFO } from './linear-schema.ts';

/** The advice to an admin where Linear does not show who is in which team. */
export const permissionCure =
  'Set LINEAR_API_KEY to a key of a member who is not a guest, or set LINEAR_RIGHTS=rules and use `npx dwell access`.';

const member = `query Member($id: ID!, $after: String) {
  users(first: 1, filter: { id: { eq: $id } }) {
    nodes {
      active canAccessAnyPublicTeam
      teamMemberships(first: 100, after: $after) { nodes { team { key } } ${PAGE_INFO} }
    }
  }
}`;

const memberShape = z.object({
  users: z.object({
    nodes: z.array(
      z.object({
        active: z.boolean(),
        canAccessAnyPublicTeam: z.boolean(),
        teamMemberships: connectionOf(z.object({ team: z.object({ key: z.string() }) })),
      }),
    ),
  }),
});

/**
 * The permissions of a person: the teams they are in, and every public team unless they are a guest. A private team, or
 * one within a private one, is closed to all others, to admins of the workspace too; so is an issue that is shared with
 * a person outside its team. A person that Linear does not know, or has suspended, can browse nothing.
 */
export async function linearPermissions(
  client: LinearClient,
  { id }: User,
  { projects }: Browsable,
): Promise<FoundPermissions> {
  let requests = 0;
  const counting: Pick<LinearClient, 'ask'> = {
    ask(question, schema) {
      requests += 1;
      return client.ask(question, schema);
    },
  };
  try {
    const open = await openTeams(counting, id);
    const wanted = projects.filter((key) => open.has(key));
    return {
      projects: new Set(wanted),
      closedProjects: new Set(projects.filter((key) => !open.has(key))),
      partly: new Set<string>(),
      issues: new Set<string>(),
      unasked: 0,
      requests,
    };
  } catch (error) {
    if (!(error instanceof AppError) || error.reason !== 'refused-by-tracker') throw error;
    throw new AppError('tracker-permission-missing', error.message, [permissionCure], { cause: error });
  }
}

/** The keys (upper case) of the teams whose issues a person can browse. */
async function openTeams(client: Pick<LinearClient, 'ask'>, id: string): Promise<ReadonlySet<string>> {
  const own = new Set<string>();
  let seesPublic = false;
  for (let after: string | null = null; ; ) {
    const memberQuestion: LinearQuestion = { query: member, variables: { id, after }, isPriority: true };
    const { data } = await client.ask(memberQuestion, memberShape);
    const [user] = data.users.nodes;
    if (user === undefined || !user.active) return new Set();
    seesPublic = user.canAccessAnyPublicTeam;
    for (const { team } of user.teamMemberships.nodes) own.add(team.key.toUpperCase());
    const { hasNextPage, endCursor } = user.teamMemberships.pageInfo;
    if (!hasNextPage) break;
    after = endCursor;
  }
  if (!seesPublic) return own;
  const teams = await readTeams(client, { isPriority: true });
  const open = teams.filter(({ visibility }) => visibility === 'public');
  return new Set([...own, ...open.map(({ key }) => key.toUpperCase())]);
}
