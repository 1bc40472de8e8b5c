import type { DatabaseSync } from 'node:sqlite';
import type { Delegation } from '../../model/delegation.ts';
import { readDelegation } from './read-delegation.ts';

/** What is known of one tracker's delegations up to a revision: the newest version of each. */
interface Known {
  readonly revision: number;
  readonly delegations: readonly Delegation[];
}

const nothing: Known = { revision: 0, delegations: [] };
const remembered = new WeakMap<DatabaseSync, Map<string, Known>>();

/**
 * The newest version of each delegation by id: the same array until somebody, in whatever process, has saved another
 * version. Versions are only ever added, so what is new is all that has to be read.
 */
export function newestDelegations(database: DatabaseSync, tracker: string): readonly Delegation[] {
  const trackers = remembered.get(database) ?? new Map<string, Known>();
  remembered.set(database, trackers);
  const known = trackers.get(tracker) ?? nothing;
  const rows = database
    .prepare('SELECT * FROM delegation WHERE tracker = ? AND revision > ? ORDER BY revision')
    .all(tracker, known.revision);
  const last = rows.at(-1);
  if (last === undefined) return known.delegations;
  const byId = new Map(known.delegations.map((delegation) => [delegation.id, delegation]));
  for (const row of rows) {
    const delegation = readDelegation(row);
    byId.set(delegation.id, delegation);
  }
  const delegations = [...byId.values()].sort((a, b) => a.id - b.id);
  trackers.set(tracker, { revision: Number(last.revision), delegations });
  return delegations;
}
