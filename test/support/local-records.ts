import type { DelegationRecords } from '../../src/api/delegations/delegation-api.ts';
import { createLocalRecords } from '../../src/api/delegations/local-delegation-records.ts';
import type { Category, Delegation, DelegationEntry } from '../../src/model/delegation.ts';
import type { Instant, User } from '../../src/model/issue.ts';
import type { Documents } from '../../src/store/documents.ts';
import { openTestStore, type TestStore } from './open-test-store.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** What local records are opened on; the lists may be replaced while it is open. */
export interface LocalWorld {
  users: readonly string[];
  categories: readonly Category[];
  delegations: readonly Delegation[];
  now: Instant;
}

/** Local records over a store of their own, and what they are made of. */
export interface OpenLocalRecords {
  readonly records: DelegationRecords;
  readonly world: LocalWorld;
  readonly store: TestStore;
  readonly kept: Documents<DelegationEntry>;
  users(): Promise<ReadonlyMap<string, User>>;
  /** The records over another store. */
  over(store: Documents<DelegationEntry>): DelegationRecords;
}

const opened: TestStore[] = [];

/** Opens one at Monday, 2 March 2026, 12:00 UTC, unless told; ada, bob, carl, dora and erin are known. */
export async function localRecords(told: Partial<LocalWorld> = {}): Promise<OpenLocalRecords> {
  const world: LocalWorld = {
    users: ['ada', 'bob', 'carl', 'dora', 'erin'],
    categories: [
      { id: 1, name: 'Expense', description: 'Travel' },
      { id: 2, name: 'Approval', description: '' },
    ],
    delegations: [],
    now: Date.parse('2026-03-02T12:00:00Z'),
    ...told,
  };
  const store = await openTestStore(temporaryFolder());
  opened.push(store);
  const kept = store.documents('sample').delegations;
  const users = async () => new Map(world.users.map((id) => [id, { id, name: id.toUpperCase() }]));
  const over = (documents: typeof kept) =>
    createLocalRecords({
      store: async () => documents,
      directory: async () => world,
      users,
      now: () => world.now,
    });
  return { records: over(kept), world, store, kept, users, over };
}

/** True until the store of local records is closed. */
export function isOpen(store: TestStore): boolean {
  return opened.includes(store);
}

/** Closes all that were opened. */
export function closeLocalRecords(): void {
  for (const store of opened.splice(0)) store.close();
}
