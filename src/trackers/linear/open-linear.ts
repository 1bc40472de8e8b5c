import { z } from 'zod';
import { AppError, failureText } from '../../model/error.ts';
import type { Introduction } from '../../model/sync.ts';
import type { Site, TrackerConnection } from '../live-tracker.ts';
import type { OpenedTracker, TrackerSurroundings } from '../tracker-kind.ts';
import { createLinearClient, type LinearAccess, type LinearClient } from './linear-client.ts';
import { createLinearIssues } from './linear-issues.ts';
import { createLinearNames, type LinearTeam, readLists, readTeams } from './linear-lists.ts';
import { linearPermissions, permissionCure } from './linear-permissions.ts';

/** The address at which people browse workspaces. */
const PAGES = 'https://linear.app';

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
    async *introduce({ issues, permissions }) {
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

async function* countTeams(client: LinearClient): AsyncGenerator<Introduction> {
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
