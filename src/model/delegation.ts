import type { Instant } from './issue.ts';

/** The category that covers every other; it is not created, and a delegation without categories is of it. */
export const GENERAL = 'general';

/** The subject of a cover: a number in place of the category's id, or null for `general`. */
export type CategoryId = number | null;

/** A kind of work that can be delegated apart from others. Names are unique without regard to case. */
export interface Category {
  readonly id: number;
  readonly name: string;
  readonly description: string;
}

export type CategoryInput = Omit<Category, 'id'>;

/**
 * Someone lets others cover for them. It is in force while `active`, from `start` (inclusive) to `end`
 * (exclusive), both whole minutes. People are user ids, delegates at least one, in the order in which they count;
 * no categories means `general`. `notes` are for people only.
 */
export interface DelegationInput {
  readonly active: boolean;
  readonly delegator: string;
  readonly delegates: readonly string[];
  readonly categoryIds: readonly number[];
  readonly start: Instant;
  readonly end: Instant;
  readonly notes: string;
}

/** A stored delegation; `version` rises by one with every change, from 1. */
export interface Delegation extends DelegationInput {
  readonly id: number;
  readonly version: number;
}

/** One version of a delegation. Who saved it and when are null where it came with the tracker. */
export interface DelegationVersion extends Delegation {
  readonly savedBy: string | null;
  readonly savedAt: Instant | null;
}

/** An entry under one id: a category, or a delegation in all its versions, the oldest first, which stay as they are. */
export type DelegationEntry =
  | { readonly category: Category }
  | { readonly versions: readonly DelegationVersion[] };

/** The people who cover for one person, or for whom one person covers, in one category at one instant. */
export interface DelegateLookup {
  /** User id of the person the look-up is about. */
  readonly person: string;
  /** The category's stored name; `general` covers every category. */
  readonly category: string;
  readonly asOf: Instant;
  /** User ids of the other side: by the start of their delegation, then in the order in which they were named. */
  readonly others: readonly string[];
}

/** Part of a chain from one person over their delegates and those of theirs to a person who is there. */
export interface ChainPath {
  /** User ids, that of the chain's first person first. */
  readonly people: readonly string[];
  /** The last one's delegate who stands in the path already; null where the last one has no delegate. */
  readonly backTo: string | null;
}

/** Everybody who can be reached from a person, depth first, delegates in order. Loops are reported and never followed. */
export interface Chain {
  readonly person: string;
  readonly category: string;
  readonly asOf: Instant;
  readonly paths: readonly ChainPath[];
  /** Further paths were left out, as a reader could not use that many. */
  readonly more: boolean;
}

/** A span of time from `from` (inclusive) to `until` (exclusive). */
export interface TimeSpan {
  readonly from: Instant;
  readonly until: Instant;
}

/**
 * The reason no one covers: all delegates are away in a circle, one delegation ended and the next was yet to begin, or
 * those who are left are unknown to the tracker.
 */
export const uncoveredReasons = ['loop', 'gap', 'unknown'] as const;
export type UncoveredReason = (typeof uncoveredReasons)[number];

/** A stretch in which someone is away and no one covers, in one category. */
export interface Uncovered extends TimeSpan {
  readonly person: string;
  readonly categoryId: CategoryId;
  readonly reason: UncoveredReason;
}

/** A person who is away at an instant, having delegated all of their work, and who covers for them then. */
export interface Absence {
  readonly person: string;
  /** The end of the last delegation of all work that is in force. */
  readonly until: Instant;
  /** By category (null: all work), those who cover and are here; null: that is not for the reader to know. Empty: no one covers. */
  readonly covers: readonly {
    readonly categoryId: CategoryId;
    readonly delegates: readonly string[] | null;
  }[];
}

/**
 * A stretch in which a delegate is away too. `standIns` are those at the ends of the delegate's own chain; null where
 * that is not for the reader to know.
 */
export interface AwayToo extends TimeSpan {
  readonly person: string;
  readonly delegate: string;
  readonly categoryId: CategoryId;
  readonly standIns: readonly string[] | null;
}

/** The findings about the delegations of a span of time. All lists are in order of time. */
export interface Coverage {
  readonly span: TimeSpan;
  /** Delegations in force at some time of the span. */
  readonly delegations: readonly Delegation[];
  readonly uncovered: readonly Uncovered[];
  readonly awayToo: readonly AwayToo[];
  /** Those of `delegations` that end within the span, that no other follows at once, and after which no gap is reported. */
  readonly ending: readonly Delegation[];
}

/** A stretch of a person's time in which exactly one other person covered for them. */
export interface DelegateTime {
  readonly start: Instant;
  readonly end: Instant;
  readonly delegate: string;
  /** Null id: `general`. */
  readonly category: { readonly id: CategoryId; readonly name: string };
}

/** The times in which others covered for an owner (user id): disjoint stretches in order. */
export type DelegateTimes = (owner: string) => readonly DelegateTime[];

/** A person's rights to delegations: none, to view their own, to view all, or to view and change all. */
const delegationRights = ['none', 'own', 'all', 'edit'] as const;
export type DelegationRight = (typeof delegationRights)[number];

/** In lists of permitted people: everyone the tracker knows. */
export const EVERYONE = 'everyone';

/**
 * The people who may view their own delegations, view all, or view and edit all. Each is a list of user ids and group
 * ids (where both are called alike with `user:` or `group:` before them), or `everyone`. A right that includes another
 * does not repeat it.
 */
export interface DelegationPermissions {
  readonly view: readonly string[];
  readonly viewAll: readonly string[];
  readonly editAll: readonly string[];
}

export const defaultDelegationPermissions: DelegationPermissions = {
  view: [EVERYONE],
  viewAll: [],
  editAll: [],
};

/** The longest span that coverage is worked out for. */
export const MAX_COVERAGE_DAYS = 400;
