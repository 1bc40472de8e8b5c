import type { Digest } from '../../model/digest.ts';
import { ask } from '../../model/request.ts';
import type { Provenance } from '../../model/table.ts';
import type { Watch } from '../../model/watch.ts';
import type { DoorParts } from '../command.ts';
import { askerOf } from '../people/asker-of.ts';
import { type Recognition, recognize } from '../people/recognize.ts';

/** How Dwell is, as far as it matters to somebody in a place. */
export interface Status {
  /** Of all issues the asker may see. */
  readonly provenance: Provenance;
  /** Who they are in the tracker; null while Slack tells nothing. */
  readonly known: Recognition | null;
  /** Their own whose last period was given up. */
  readonly failedDigests: readonly Digest[];
  readonly digests: number;
  readonly pausedWatches: readonly Watch[];
  readonly watches: number;
  /** Keys of the projects they may not see. */
  readonly closedProjects: readonly string[];
}

/** Gathers it with the rights of who asks. */
export async function gatherStatus(account: string, parts: DoorParts): Promise<Status> {
  const { reporting, digests, watches } = parts;
  const asker = await askerOf(account, parts);
  const owner = { account, admin: false };
  const [{ provenance }, known, ownDigests, ownWatches, { closedProjects }] = await Promise.all([
    reporting.report(
      ask({
        asker,
        reportType: 'statusCount',
        selection: { by: 'jql', jql: '' },
        statistic: { type: 'sum', denominator: 'nonNull', deviation: 'population', percentile: 85 },
      }),
    ),
    recognize(account, parts).catch(() => null),
    digests.list(owner, null),
    watches.list(owner),
    reporting.scope(asker),
  ]);
  return {
    provenance,
    known,
    failedDigests: ownDigests.filter(({ lastRun }) => lastRun?.state === 'failed'),
    digests: ownDigests.length,
    pausedWatches: ownWatches.filter(({ paused }) => paused),
    watches: ownWatches.length,
    closedProjects,
  };
}
