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
} from '../model/delegation.ts';
import type { Instant } from '../model/issue.ts';
import type { Asker } from '../model/request.ts';

/** A look-up: `asOf` null means now. */
export interface StandInQuestion {
  readonly asker: Asker;
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

/** Who stood in for whom and when, as far as reports credit them. */
export interface CreditedStandIns {
  readonly times: DelegateTimes;
  /** Stored names, each once, in the order in which they count. */
  readonly categories: readonly string[];
  /** Equal texts: nothing of it that concerns time up to an instant (null: ever) has changed in between. */
  revision(until: Instant | null): string;
}

/**
 * The port of everything that is asked and told about delegations, with the rights of the asker. An unknown person,
 * category or delegation is `not-found`, what the asker has no right to is `not-allowed`, a wrong value `bad-request`.
 */
export interface DelegationApi {
  rightOf(asker: Asker): Promise<DelegationRight>;
  /** Who stands in for the person. */
  delegatesOf(question: StandInQuestion): Promise<DelegateLookup>;
  /** For whom the person stands in. */
  delegatorsOf(question: StandInQuestion): Promise<DelegateLookup>;
  /** Who stands in for those who stand in. Needs the right to view all. */
  chainOf(question: StandInQuestion): Promise<Chain>;
  /**
   * Who covers for whom; without the right to view all, only what concerns the asker: their own delegations and those
   * naming them, and how they themselves are covered.
   */
  coverage(asker: Asker, span: TimeSpan): Promise<Coverage>;
  /** By id; `general` is not among them. */
  categories(asker: Asker): Promise<readonly Category[]>;
  delegation(asker: Asker, id: number): Promise<Delegation>;
  /** Those the asker may see, by id; `total` counts all that match. */
  delegations(
    asker: Asker,
    query: DelegationQuery,
  ): Promise<{ readonly values: readonly Delegation[]; readonly total: number }>;
  /** For somebody else only with the right to edit all. */
  create(asker: Asker, wish: DelegationInput): Promise<Delegation>;
  /** By the delegator, or with the right to edit all. */
  update(asker: Asker, id: number, wish: DelegationInput): Promise<Delegation>;
  /** Ends it with the running minute; one that has not begun by then becomes inactive. */
  end(asker: Asker, id: number): Promise<Delegation>;
  /** Every version, the oldest first; a delegate without the right to view all gets those that name them. */
  versions(asker: Asker, id: number): Promise<readonly DelegationVersion[]>;
  /** Fails for who may not change categories, whatever the change is. */
  permitCategories(asker: Asker): Promise<void>;
  /** Categories are changed with the right to edit all. */
  createCategory(asker: Asker, wish: CategoryInput): Promise<Category>;
  updateCategory(asker: Asker, id: number, wish: CategoryInput): Promise<Category>;
  deleteCategory(asker: Asker, id: number): Promise<void>;
  /**
   * Who stood in when, for reports: of categories that overlap in time the first counts. Each text names one by id or
   * name, or several with commas between; null means `general`, then all others by id. Needs the right to view all.
   */
  delegateTimes(asker: Asker, categories: readonly string[] | null): Promise<CreditedStandIns>;
}
