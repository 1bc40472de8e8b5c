import type {
  Absence,
  AwayToo,
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
  Uncovered,
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

/** A query of delegations. People null: any; `notes`: a part of them, without regard to case. */
export interface DelegationQuery {
  readonly includeExpired: boolean;
  readonly delegator: string | null;
  readonly delegate: string | null;
  readonly notes: string;
  readonly start: number;
  readonly size: number;
}

/** The times in which delegates covered, as far as reports credit them. */
export interface CreditedDelegates {
  readonly times: DelegateTimes;
  /** Stored names, each once, in the order in which they count. */
  readonly categories: readonly string[];
  /** A text that stays equal while nothing that concerns time up to an instant (null: ever) changes. */
  revision(until: Instant | null): string;
}

/**
 * The port of delegations, with the rights of the principal. An unknown person, category or delegation is `not-found`, a
 * missing right `not-allowed`, a wrong value `bad-request`.
 */
export interface DelegationApi {
  rightOf(principal: Principal): Promise<DelegationRight>;
  /** The right that everyone has whom the tracker knows. */
  rightOfEveryone(): Promise<DelegationRight>;
  /** The people who cover for the person. */
  delegatesOf(question: DelegateQuestion): Promise<DelegateLookup>;
  /** The people for whom the person covers. */
  delegatorsOf(question: DelegateQuestion): Promise<DelegateLookup>;
  /** The delegates of delegates. Needs the right to view all. */
  chainOf(question: DelegateQuestion): Promise<Chain>;
  /**
   * The coverage of a span; without the right to view all, only that of the principal: their own delegations and those
   * naming them, and how they themselves are covered.
   */
  coverage(principal: Principal, span: TimeSpan): Promise<Coverage>;
  /** The people who are away at an instant; without the right to view all, those of the delegations that the principal is a party to. */
  absences(principal: Principal, at: Instant): Promise<readonly Absence[]>;
  /** The categories by id; `general` is not among them. */
  categories(principal: Principal): Promise<readonly Category[]>;
  delegation(principal: Principal, id: number): Promise<Delegation>;
  /** The delegations the principal may see, by id; `total` counts all that match. */
  delegations(
    principal: Principal,
    query: DelegationQuery,
  ): Promise<{ readonly values: readonly Delegation[]; readonly total: number }>;
  /** Creates a delegation: for another person only with the right to edit all. */
  create(principal: Principal, input: DelegationInput): Promise<Delegation>;
  /** Changes a delegation: by the delegator, or with the right to edit all. */
  update(principal: Principal, id: number, input: DelegationInput): Promise<Delegation>;
  /** Ends a delegation with the running minute; one that has not begun by then becomes inactive. */
  end(principal: Principal, id: number): Promise<Delegation>;
  /** Every version, the oldest first; a delegate without the right to view all gets those that name them. */
  versions(principal: Principal, id: number): Promise<readonly DelegationVersion[]>;
  /** Fails for a principal who may not change categories, whatever the change is. */
  permitCategories(principal: Principal): Promise<void>;
  /** Categories are changed with the right to edit all. */
  createCategory(principal: Principal, input: CategoryInput): Promise<Category>;
  updateCategory(principal: Principal, id: number, input: CategoryInput): Promise<Category>;
  deleteCategory(principal: Principal, id: number): Promise<void>;
  /**
   * The times in which delegates covered, for reports: of categories that overlap in time the first counts. Each text names
   * one by id or name, or several with commas between; null means `general`, then all others by id. Needs the right to view
   * all.
   */
  delegateTimes(principal: Principal, categories: readonly string[] | null): Promise<CreditedDelegates>;
}

/**
 * The port of stored delegations, without rights. `category` is a name without regard to case. Fails as `DelegationApi`
 * does, and with `unavailable` where a hosted store cannot be reached or lets us in no more.
 */
export interface DelegationRecords {
  /** The people who cover for the person; `at` null means now. */
  delegatesOf(person: string, category: string, at: Instant | null): Promise<DelegateLookup>;
  /** The people for whom the person covers; `at` null means now. */
  delegatorsOf(person: string, category: string, at: Instant | null): Promise<DelegateLookup>;
  /** The categories by id; `general` is not among them. */
  categories(): Promise<readonly Category[]>;
  /** The newest version of each, also of those that are over or inactive, by id. */
  delegations(): Promise<readonly Delegation[]>;
  delegation(id: number): Promise<Delegation>;
  /** Adds a delegation; `by` is the account that saves it, for the audit. */
  add(input: DelegationInput, by: string): Promise<Delegation>;
  /**
   * Makes a new version by `change` of the newest one; the delegator cannot change. `change` may be called again, and its
   * errors are passed on. A store of our own lets no one else save in between.
   */
  change(id: number, change: (current: Delegation) => DelegationInput, by: string): Promise<Delegation>;
  /** The functions that only a store of our own has; null where the tracker hosts it. */
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

/** True if two covers have work in common; no categories are everything. */
export function overlaps(some: readonly number[], others: readonly number[]): boolean {
  return some.length === 0 || others.length === 0 || some.some((id) => others.includes(id));
}

/** True if a stretch is about the person and work of this cover, in its time. */
export function concerns(
  { delegator, categoryIds, start, end }: Delegation,
  { person, categoryId, from, until }: Omit<Uncovered, 'reason'>,
): boolean {
  const isItsWork = overlaps(categoryIds, categoryId === null ? [] : [categoryId]);
  return person === delegator && isItsWork && from < end && until > start;
}

/** True if a delegate of this cover is out. */
export function isOut(one: Delegation, away: AwayToo): boolean {
  return one.delegates.includes(away.delegate) && concerns(one, away);
}

/** The warnings of a running span without those that are over; those of one in the past remain. */
export function stillToCome(coverage: Coverage, now: Instant): Coverage {
  if (coverage.span.until <= now) return coverage;
  return {
    ...coverage,
    uncovered: coverage.uncovered.filter(({ until }) => until > now),
    awayToo: coverage.awayToo.filter(({ until }) => until > now),
    ending: coverage.ending.filter(({ end }) => end > now),
  };
}

/** The entries of a page that is read for all of them. */
const PAGE = 1_000;

/** Every active delegation that is not over and fits, by its start. */
export async function listActive(
  principal: Principal,
  who: Pick<DelegationQuery, 'delegator'> | Pick<DelegationQuery, 'delegate'>,
  delegations: Pick<DelegationApi, 'delegations'>,
): Promise<readonly Delegation[]> {
  const found: Delegation[] = [];
  const query = { delegator: null, delegate: null, includeExpired: false, notes: '', size: PAGE, ...who };
  for (;;) {
    const { values, total } = await delegations.delegations(principal, { ...query, start: found.length });
    found.push(...values);
    if (values.length === 0 || found.length >= total) break;
  }
  return found.filter(({ active }) => active).toSorted((a, b) => a.start - b.start || a.id - b.id);
}
