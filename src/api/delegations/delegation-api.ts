import type {
  Category,
  CategoryInput,
  Chain,
  Coverage,
  DelegateLookup,
  DelegateTimes,
  Delegation,
  DelegationInput,
  DelegationRight,
  DelegationVersion,
  TimeSpan,
} from '../../model/delegation.ts';
import type { Instant } from '../../model/issue.ts';
import type { Principal } from '../../model/request.ts';

/** A look-up: `asOf` null means now. */
export interface DelegateQuestion {
  readonly principal: Principal;
  readonly person: string;
  readonly category: string;
  readonly asOf: Instant | null;
}

/** Which delegations to list. People null: any; `notes`: a part of them, without regard to case. */
export interface DelegationQuery {
  readonly includeExpired: boolean;
  readonly delegator: string | null;
  readonly delegate: string | null;
  readonly notes: string;
  readonly start: number;
  readonly size: number;
}

/** Who covered for whom and when, as far as reports credit them. */
export interface CreditedDelegates {
  readonly times: DelegateTimes;
  /** Stored names, each once, in the order in which they count. */
  readonly categories: readonly string[];
  /** Equal texts: nothing of it that concerns time up to an instant (null: ever) has changed in between. */
  revision(until: Instant | null): string;
}

/**
 * The port of delegations, with the rights of the principal. An unknown person, category or delegation is `not-found`,
 * what the principal has no right to is `not-allowed`, a wrong value `bad-request`.
 */
export interface DelegationApi {
  rightOf(principal: Principal): Promise<DelegationRight>;
  /** Who covers for the person. */
  delegatesOf(question: DelegateQuestion): Promise<DelegateLookup>;
  /** For whom the person covers. */
  delegatorsOf(question: DelegateQuestion): Promise<DelegateLookup>;
  /** The delegates of delegates. Needs the right to view all. */
  chainOf(question: DelegateQuestion): Promise<Chain>;
  /**
   * Who covers for whom; without the right to view all, only what concerns the principal: their own delegations and those
   * naming them, and how they themselves are covered.
   */
  coverage(principal: Principal, span: TimeSpan): Promise<Coverage>;
  /** By id; `general` is not among them. */
  categories(principal: Principal): Promise<readonly Category[]>;
  delegation(principal: Principal, id: number): Promise<Delegation>;
  /** Those the principal may see, by id; `total` counts all that match. */
  delegations(
    principal: Principal,
    query: DelegationQuery,
  ): Promise<{ readonly values: readonly Delegation[]; readonly total: number }>;
  /** For someone else only with the right to edit all. */
  create(principal: Principal, input: DelegationInput): Promise<Delegation>;
  /** By the delegator, or with the right to edit all. */
  update(principal: Principal, id: number, input: DelegationInput): Promise<Delegation>;
  /** Ends it with the running minute; one that has not begun by then becomes inactive. */
  end(principal: Principal, id: number): Promise<Delegation>;
  /** Every version, the oldest first; a delegate without the right to view all gets those that name them. */
  versions(principal: Principal, id: number): Promise<readonly DelegationVersion[]>;
  /** Fails for who may not change categories, whatever the change is. */
  permitCategories(principal: Principal): Promise<void>;
  /** Categories are changed with the right to edit all. */
  createCategory(principal: Principal, input: CategoryInput): Promise<Category>;
  updateCategory(principal: Principal, id: number, input: CategoryInput): Promise<Category>;
  deleteCategory(principal: Principal, id: number): Promise<void>;
  /**
   * Who covered when, for reports: of categories that overlap in time the first counts. Each text names one by id or
   * name, or several with commas between; null means `general`, then all others by id. Needs the right to view all.
   */
  delegateTimes(principal: Principal, categories: readonly string[] | null): Promise<CreditedDelegates>;
}

/**
 * The port of where delegations are stored; it knows no rights. `category` is a name without regard to case. Fails as
 * `DelegationApi` does, and with `unavailable` where a hosted store cannot be reached or lets us in no more.
 */
export interface DelegationRecords {
  /** Who covers for the person; `at` null means now. */
  delegatesOf(person: string, category: string, at: Instant | null): Promise<DelegateLookup>;
  /** For whom the person covers. */
  delegatorsOf(person: string, category: string, at: Instant | null): Promise<DelegateLookup>;
  /** By id; `general` is not among them. */
  categories(): Promise<readonly Category[]>;
  /** The newest version of each, also of those that are over or inactive, by id. */
  delegations(): Promise<readonly Delegation[]>;
  delegation(id: number): Promise<Delegation>;
  /** `by` is who asks for it, for the audit. */
  add(input: DelegationInput, by: string): Promise<Delegation>;
  /**
   * Makes a new version of what `change` makes of the newest one; the delegator cannot change. `change` may be called
   * again, and what it throws is passed on. A store of our own lets no one else save in between.
   */
  change(id: number, change: (current: Delegation) => DelegationInput, by: string): Promise<Delegation>;
  /** What only a store of our own can do; null where the tracker hosts it. */
  readonly own: OwnRecords | null;
}

/** Categories and old versions of delegations that are stored here. */
export interface OwnRecords {
  /** Every version of a delegation, the oldest first. */
  versions(id: number): Promise<readonly DelegationVersion[]>;
  addCategory(input: CategoryInput): Promise<Category>;
  changeCategory(id: number, input: CategoryInput): Promise<Category>;
  /** Refused as `bad-request` while any version of any delegation, even one that is over, names it. */
  removeCategory(id: number): Promise<void>;
}
