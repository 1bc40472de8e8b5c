import type { DelegationPermissions } from '../../model/delegation.ts';
import type { Group } from '../../model/directory.ts';
import type { Instant, User } from '../../model/issue.ts';
import type { Register } from '../register.ts';

/** What the delegation port is made of: a register, wherever it is kept, and who may do what with it. */
export interface DelegationParts {
  readonly register: Register;
  readonly permissions: () => Promise<DelegationPermissions>;
  readonly groups: () => Promise<readonly Group[]>;
  readonly users: () => Promise<ReadonlyMap<string, User>>;
  readonly now: () => Instant;
}
