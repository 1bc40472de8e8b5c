import type { Scope } from '../../model/access.ts';
import type { Digest } from '../../model/digest.ts';
import type { Instant } from '../../model/issue.ts';
import { type Asker, ask } from '../../model/request.ts';
import type { SyncStatus } from '../../model/sync.ts';
import type { Provenance } from '../../model/table.ts';
import type { Watch } from '../../model/watch.ts';
import type { DoorParts } from '../command.ts';
import { askerOf } from '../people/asker-of.ts';
import { type Recognition, recognize } from '../people/recognize.ts';
import { asFarAsTold, type Told } from './as-far-as-told.ts';

/** How Dwell is, as far as it matters to somebody in a place. */
export interface Status {
  readonly at: Instant;
  /** Who asks is an admin of the tracker: how much there is in all, and why something goes wrong, is for them. */
  readonly admin: boolean;
  /** Of all issues the asker may see. */
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
  /** How far they see. */
  readonly scope: Told<Scope>;
}

/** Gathers it with the rights of who asks; what is unavailable for a while takes nothing else with it. */
export async function gatherStatus(account: string, parts: DoorParts): Promise<Status> {
  const { reporting, people, digests, watches, sync, now } = parts;
  const asker = await askerOf(account, parts);
  const owner = { account, admin: false };
  const [provenance, fresh, known, users, ownDigests, ownWatches, scope] = await Promise.all([
    asFarAsTold(provenanceFor(asker, parts)),
    sync.status(),
    recognize(account, parts).catch(() => null),
    people.users(),
    digests.list(owner, null),
    watches.list(owner),
    asFarAsTold(reporting.scope(asker)),
  ]);
  return {
    at: now(),
    admin: asker.admin,
    provenance,
    sync: fresh,
    known,
    knowsUsers: users.size > 0,
    failedDigests: ownDigests.filter(({ lastRun }) => lastRun?.state === 'failed'),
    digests: ownDigests.length,
    pausedWatches: ownWatches.filter(({ paused }) => paused),
    watches: ownWatches.length,
    scope,
  };
}

async function provenanceFor(asker: Asker, { reporting }: Pick<DoorParts, 'reporting'>): Promise<Provenance> {
  const { provenance } = await reporting.report(
    ask({
      asker,
      reportType: 'statusCount',
      selection: { by: 'jql', jql: '' },
      statistic: { type: 'sum', denominator: 'nonNull', deviation: 'population', percentile: 85 },
    }),
  );
  return provenance;
}
