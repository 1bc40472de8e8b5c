import type { Digest } from '../../model/digest.ts';
import type { Instant } from '../../model/issue.ts';
import type { BrowseScope } from '../../model/permissions.ts';
import type { Principal } from '../../model/principal.ts';
import { principalIn } from '../../model/principal.ts';
import { ask } from '../../model/request.ts';
import type { SyncStatus } from '../../model/sync.ts';
import type { Provenance } from '../../model/table.ts';
import type { Watch } from '../../model/watch.ts';
import type { SlackParts } from '../parts.ts';
import { hasAdmins } from '../people/has-admins.ts';
import { type Recognition, recognize } from '../people/recognize.ts';
import { resolvePrincipal } from '../people/resolve-principal.ts';
import { asFarAsTold, type Told } from './as-far-as-told.ts';
import { missingScopes, type ScopeUse } from './scopes.ts';

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
    asFarAsTold(provenanceFor(principal, parts)),
    sync.status(),
    recognize(account, parts).catch(() => null),
    people.users(),
    digests.list(owner, null),
    watches.list(owner),
    asFarAsTold(reporting.browseScope(principal)),
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
