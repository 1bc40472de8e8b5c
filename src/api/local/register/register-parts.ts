import type { Directory } from '../../../model/directory.ts';
import type { Instant, User } from '../../../model/issue.ts';
import type { DelegationStore } from '../../../store/store.ts';

/** What the local register is built from; each is asked for anew with every question. */
export interface LocalRegisterParts {
  readonly store: () => Promise<DelegationStore>;
  /** The delegations and categories the tracker brings along. */
  readonly directory: () => Promise<Pick<Directory, 'categories' | 'delegations'>>;
  readonly users: () => Promise<ReadonlyMap<string, User>>;
  readonly now: () => Instant;
}
