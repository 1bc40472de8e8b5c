import type { Group } from '../model/directory.ts';
import type { User } from '../model/issue.ts';

/** Whom a list of viewers can name, as far as the tracker tells. */
export interface Known {
  readonly groups: readonly Group[];
  /** By id. */
  readonly users: ReadonlyMap<string, User>;
}
