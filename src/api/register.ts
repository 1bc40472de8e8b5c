import type {
  Category,
  CategoryInput,
  DelegateLookup,
  Delegation,
  DelegationInput,
  DelegationVersion,
} from '../model/delegation.ts';
import type { Instant } from '../model/issue.ts';

/**
 * The port of where delegations are kept; it knows no rights. `category` is a name without regard to case. An unknown
 * person, category or delegation is `not-found`, a wrong value `bad-request` with the field named, and a register that
 * cannot be reached, or that lets us in no more, `unavailable`.
 */
export interface Register {
  /** Who stands in for the person; `at` null means now. */
  delegatesOf(person: string, category: string, at: Instant | null): Promise<DelegateLookup>;
  /** For whom the person stands in. */
  delegatorsOf(person: string, category: string, at: Instant | null): Promise<DelegateLookup>;
  /** By id; `general` is not among them. */
  categories(): Promise<readonly Category[]>;
  /** The newest version of each, also of those that are over or inactive, by id. */
  delegations(): Promise<readonly Delegation[]>;
  delegation(id: number): Promise<Delegation>;
  /** `by` is who wishes it, for the audit. */
  add(wish: DelegationInput, by: string): Promise<Delegation>;
  /**
   * Makes a new version of what `change` makes of the newest one; the delegator cannot change. `change` may be called
   * again, and what it throws is passed on. A register of our own lets nobody else save in between.
   */
  change(id: number, change: ChangeDelegation, by: string): Promise<Delegation>;
  /** What only a register of our own can do; null where the tracker hosts it. */
  readonly own: OwnRegister | null;
}

/** What somebody wishes a delegation to become. */
type ChangeDelegation = (kept: Delegation) => DelegationInput;

/** Categories and old versions of a register that is kept here. */
export interface OwnRegister {
  /** Every version of a delegation, the oldest first. */
  versions(id: number): Promise<readonly DelegationVersion[]>;
  addCategory(wish: CategoryInput): Promise<Category>;
  changeCategory(id: number, wish: CategoryInput): Promise<Category>;
  /** Refused as `bad-request` while any version of any delegation, even one that is over, names it. */
  removeCategory(id: number): Promise<void>;
}
