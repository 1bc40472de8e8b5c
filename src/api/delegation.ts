import type { Instant } from '../model/issue.ts';
import type { Asker } from '../model/request.ts';

/** Who stands in for one person, or for whom one person stands in, in one category at one instant. */
export interface StandIns {
  /** User id of the person asked about. */
  readonly person: string;
  /** The category's stored name; `general` covers every category. */
  readonly category: string;
  readonly asOf: Instant;
  /** User ids of the other side, in the order in which they were named. */
  readonly others: readonly string[];
}

/** A look-up: `asOf` null means now. */
export interface StandInQuestion {
  readonly asker: Asker;
  readonly person: string;
  readonly category: string;
  readonly asOf: Instant | null;
}

/**
 * The port of everything that is asked about delegations: the two look-ups of the delegation contract. An unknown
 * person or category is `not-found`, a question about others without the right to ask it is `not-allowed`.
 */
export interface DelegationApi {
  /** Who stands in for the person. */
  delegatesOf(question: StandInQuestion): Promise<StandIns>;
  /** For whom the person stands in. */
  delegatorsOf(question: StandInQuestion): Promise<StandIns>;
}
