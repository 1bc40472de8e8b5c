import type { Digest } from '../../model/digest.ts';
import type { Instant } from '../../model/issue.ts';
import type { BrowseScope } from '../../model/permissions.ts';
import { type Principal, principalIn } from '../../model/principal.ts';
import { ask } from '../../model/request.ts';
import type { SyncStatus } from '../../model/sync.ts';
import type { Provenance } from '../../model/table.ts';
import type { Watch } from '../../model/watch.ts';
import type { SlackParts } from '../app/parts.ts';
import { knownSync, type Told } from '../app/sync-lines.ts';
import { hasAdmins, resolvePrincipal } from '../people/principals.ts';
import { type Recognition, recognize } from '../people/recognize.ts';

/** How Dwell is, as far as it matters to somebody in a place. */
export interface Status {
  readonly at: Instant;
  /** Who asks is an admin of the tracker: how much there is in all, and why something goes wrong, is for them. */
  readonly admin: boolean;
  /** Of all issues the principal may see. */
  readonly provenance: Told<Provenance>;
  /** Null where nothing is kept fresh. */
  readonly sync: SyncStatus | null;
  /** Who they are in the tracker; null while Slack tells nothing. */
  readonly known: Recognition | null;
  /** Whether anybody in the tracker is known, whom somebody could be. */
  readonly knowsUsers: boolean;
  /** Their own whose last period was given up. */
  readonly failedDigests: readonly Digest[];
  readonly digests: number;
  readonly pausedWatches: readonly Watch[];
  readonly watches: number;
  /** What Slack did not grant the app, for those who can change it. */
  readonly missingScopes: readonly ScopeUse[];
  /** How far they see. */
  readonly scope: Told<BrowseScope>;
}

/** Gathers it with the rights of who asks; what is unavailable for a while takes nothing else with it. */
export async function gatherStatus(
  account: string,
  parts: Pick<
    SlackParts,
    'accounts' | 'digests' | 'now' | 'people' | 'reporting' | 'sync' | 'watches' | 'web'
  >,
): Promise<Status> {
  const { reporting, people, digests, watches, sync, web, now } = parts;
  const principal = await resolvePrincipal(account, parts);
  const owner = principalIn(people.tenant, account);
  const [provenance, fresh, known, users, ownDigests, ownWatches, scope, granted] = await Promise.all([
    knownSync(provenanceFor(principal, parts)),
    sync.status(),
    recognize(account, parts).catch(() => null),
    people.users(),
    digests.list(owner, null),
    watches.list(owner),
    knownSync(reporting.browseScope(principal)),
    // Installing the app again may have granted more since the start.
    web.auth.test().catch(() => null),
  ]);
  const canChange = principal.rights === 'admin' || !(await hasAdmins(people));
  return {
    at: now(),
    admin: principal.rights === 'admin',
    provenance,
    sync: fresh,
    known,
    knowsUsers: users.size > 0,
    failedDigests: ownDigests.filter(({ lastRun }) => lastRun?.state === 'failed'),
    digests: ownDigests.length,
    pausedWatches: ownWatches.filter(({ paused }) => paused),
    watches: ownWatches.length,
    missingScopes: canChange ? missingScopes(granted?.response_metadata?.scopes) : [],
    scope,
  };
}

async function provenanceFor(
  principal: Principal,
  { reporting }: Pick<SlackParts, 'reporting'>,
): Promise<Provenance> {
  const { provenance } = await reporting.report(
    ask({
      principal,
      reportType: 'statusCount',
      selection: { by: 'jql', jql: '' },
      statistic: { type: 'sum', denominator: 'nonNull', deviation: 'population', percentile: 85 },
    }),
  );
  return provenance;
}

/** What some scopes of Slack are for, and what is lost without them. docs/slack.md has the same table in words for people. */
interface ScopeUse {
  readonly scopes: readonly string[];
  readonly use: string;
  readonly without: string;
}

/** Every scope that `manifest.yml` asks for. */
export const scopeUses: readonly ScopeUse[] = [
  {
    scopes: ['commands', 'chat:write'],
    use: 'commands and shortcuts; what is shared, digests, direct words',
    without: 'nothing works',
  },
  {
    scopes: ['app_mentions:read', 'im:history'],
    use: 'answers to who mentions Dwell or writes to it directly; whether a direct message is there already',
    without: 'only commands are answered, and a direct message that may have come is not sent again',
  },
  {
    scopes: ['assistant:write'],
    use: 'suggested questions in direct messages, and the channel in view as their default',
    without: 'direct messages are plain ones',
  },
  {
    scopes: ['files:write', 'files:read'],
    use: 'files and pictures; whether Slack has a file already, so that it is never shared twice',
    without: 'no files and no pictures of charts',
  },
  {
    scopes: ['users:read', 'users:read.email'],
    use: 'who you are in the tracker: the same e-mail address of a live, confirmed account of this workspace',
    without: 'only people who are linked (by themselves or an admin) are answered',
  },
  {
    scopes: ['channels:read', 'groups:read', 'mpim:read'],
    use: 'who reads in a channel or a group conversation that has no list (optional)',
    without: 'nothing is shared there before an admin says `/tis audience allow PROJECT with guests`',
  },
  {
    scopes: ['channels:history', 'groups:history', 'im:write'],
    use: 'whether a digest, or the word of a watch, is there although it is unknown whether it was sent; read only then (optional)',
    without: 'it is not sent again; the owner of the digest is told and can',
  },
  {
    scopes: ['links:read', 'links:write'],
    use: 'the time in status below links; needs the event `link_shared` and `unfurl_domains` in the manifest, and `/tis unfurl on` (optional)',
    without: 'links stay as they are',
  },
];

/** Which scopes were not granted, with what is lost; none where Slack does not say what it granted. */
export function missingScopes(granted: readonly string[] | undefined): readonly ScopeUse[] {
  if (granted === undefined) return [];
  return scopeUses.flatMap((use) => {
    const scopes = use.scopes.filter((scope) => !granted.includes(scope));
    return scopes.length === 0 ? [] : [{ ...use, scopes }];
  });
}
