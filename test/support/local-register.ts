import { createLocalRegister } from '../../src/api/register/create-local-register.ts';
import type { Register } from '../../src/api/register.ts';
import type { Category, Delegation } from '../../src/model/delegation.ts';
import type { Instant, User } from '../../src/model/issue.ts';
import type { DelegationStore } from '../../src/store/store.ts';
import { openTestStore, type TestStore } from './open-test-store.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** What a local register is opened on; the lists may be replaced while it is open. */
export interface LocalWorld {
  users: readonly string[];
  categories: readonly Category[];
  delegations: readonly Delegation[];
  now: Instant;
}

/** A local register over a store of its own, and what it is made of. */
export interface OpenLocalRegister {
  readonly register: Register;
  readonly world: LocalWorld;
  readonly store: TestStore;
  readonly kept: DelegationStore;
  users(): Promise<ReadonlyMap<string, User>>;
}

const opened: TestStore[] = [];

/** Opens one at Monday, 2 March 2026, 12:00 UTC, unless told; ada, bob, carl, dora and erin are known. */
export function localRegister(told: Partial<LocalWorld> = {}): OpenLocalRegister {
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
  const store = openTestStore(temporaryFolder());
  opened.push(store);
  const kept = store.delegations('sample');
  const users = async () => new Map(world.users.map((id) => [id, { id, name: id.toUpperCase() }]));
  const register = createLocalRegister({
    store: async () => kept,
    directory: async () => world,
    users,
    now: () => world.now,
  });
  return { register, world, store, kept, users };
}

/** Closes all that were opened. */
export function closeLocalRegisters(): void {
  for (const store of opened.splice(0)) store.close();
}
