import { z } from 'zod';
import { AppError, failureText } from '../../model/error.ts';
import type { User } from '../../model/issue.ts';
import type { ConnectionFact } from '../../model/sync.ts';
import type { Browsable, FoundPermissions, Site, TrackerConnection } from '../live-tracker.ts';
import type { OpenedTracker, TrackerSurroundings } from '../tracker-kind.ts';
import {
  createLinearClient,
  type LinearAccess,
  type LinearClient,
  type LinearQuestion,
} from './linear-client.ts';
import { createLinearIssues } from './linear-issues.ts';
import { createLinearNames, type LinearTeam, readLists, readTeams } from './linear-lists.ts';
import { connectionOf, PAGE_INFO } from './linear-schema.ts';

/** The address at which people browse workspaces. */
const PAGES = 'https://linear.app';

/** The advice to an admin where Linear does not show who is in which team. */
const permissionCure =
  'Set LINEAR_API_KEY to a key of a member who is not a guest, or set LINEAR_RIGHTS=rules and use `npx dwell access`.';

/** Opens Linear with its webhooks. */
export function openLinear(access: LinearAccess, surroundings: TrackerSurroundings): OpenedTracker {
  const client = createLinearClient(access, surroundings);
  const { now } = surroundings;
  return {
    title: 'Linear',
    connection: connectionTo(client),
    // They are few requests, so reading begins from scratch.
    async *lists() {
      for await (const entry of readLists(client, now())) yield { entries: [entry], place: null };
    },
    issues: createLinearIssues(client, createLinearNames(client, now)),
    permissions: (user, _groups, about) => linearPermissions(client, user, about),
    webhooks: {
      setting: 'LINEAR_WEBHOOK_SECRET',
      secret: access.webhookSecret,
      header: 'Linear-Signature',
      prefix: '',
      readIds: readWebhook,
    },
  };
}

const identity = z.object({
  organization: z.object({ urlKey: z.string() }),
  viewer: z.object({ name: z.string(), email: z.string(), guest: z.boolean() }),
});

function connectionTo(client: LinearClient): TrackerConnection {
  const query = 'query Identity { organization { urlKey } viewer { name email guest } }';
  const count = async () => issuesIn(await readTeams(client));

  async function site(): Promise<Site> {
    const { data, http } = await client.ask({ query }, identity);
    const there = Date.parse(http.headers.get('date') ?? '');
    if (Number.isNaN(there)) {
      throw new AppError(
        'tracker-unavailable',
        'Linear gives no time with its answers, so its clock cannot be checked.',
      );
    }
    return {
      url: `${PAGES}/${data.organization.urlKey}`,
      now: there,
      clockAheadMs: Math.round(there - (http.askedAt + http.answeredAt) / 2),
    };
  }

  return {
    site,
    count,
    async *checkConnection({ issues, permissions }) {
      const { data } = await client.ask({ query }, identity);
      const { name, email, guest } = data.viewer;
      yield { about: 'site', product: 'Linear', url: `${PAGES}/${data.organization.urlKey}` };
      yield { about: 'account', name, email };
      if (issues) yield* countTeams(client);
      if (permissions) {
        const refusal = guest ? `The account is a guest. ${permissionCure}` : null;
        yield { about: 'permissions', refusal };
      }
    },
    requests: client.requests,
    close: client.close,
  };
}

function issuesIn(teams: readonly LinearTeam[]): number {
  return teams.reduce((sum, { issueCount }) => sum + issueCount, 0);
}

async function* countTeams(client: LinearClient): AsyncGenerator<ConnectionFact> {
  try {
    const teams = await readTeams(client);
    yield { about: 'projects', count: teams.length };
    yield { about: 'issues', count: issuesIn(teams), jql: null };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    for (const what of ['projects', 'issues'] as const)
      yield { about: 'unknown', what, why: failureText(error) };
  }
}

const webhook = z.object({ type: z.string(), action: z.string() });
const aboutIssue = z.object({ data: z.object({ id: z.string() }) });

/** The id of the issue that a webhook is about (created, updated, removed); none when it is about something else. */
function readWebhook(body: unknown): readonly string[] | null {
  const parsed = webhook.safeParse(body);
  if (!parsed.success) return null;
  if (parsed.data.type !== 'Issue') return [];
  const issue = aboutIssue.safeParse(body);
  return issue.success ? [issue.data.data.id] : null;
}

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
  const teams = await readTeams(client, true);
  const open = teams.filter(({ visibility }) => visibility === 'public');
  return new Set([...own, ...open.map(({ key }) => key.toUpperCase())]);
}
