import type { Instant } from '../../model/issue.ts';
import type { FinishStatuses } from './finished-rows.ts';
import type { TextSearch } from './search-texts.ts';

/** Three-valued (Kleene) truth, ordered, so that AND is the least, OR the greatest and NOT the mirror image. */
export const NO = 0;
export const UNKNOWN = 1;
export const YES = 2;
export type Truth = typeof NO | typeof UNKNOWN | typeof YES;

/** The truth of a row, or of a value, that only the issue itself shows. */
export const ASK = 3;

/**
 * A condition over rows as plain data, so that a worker can have it. Where codes have `truths`, each is a `Truth` or
 * `ASK`, and a code beyond their end is one that came later: `ASK`. Times are from `from` on and before `until`.
 */
export type RowPredicate =
  | { readonly kind: 'constant'; readonly truth: Truth }
  | { readonly kind: 'ask' }
  | { readonly kind: 'all' | 'any'; readonly of: readonly RowPredicate[] }
  | { readonly kind: 'not'; readonly of: RowPredicate }
  | CodePredicate
  /** By code of the key's project. */
  | { readonly kind: 'project'; readonly truths: Uint8Array }
  /** A key's number, within some projects (1 by code). */
  | {
      readonly kind: 'keyNumber';
      readonly projects: Uint8Array;
      readonly from: number;
      readonly until: number;
    }
  /** The row is one of these, which ascend. */
  | { readonly kind: 'rows'; readonly rows: Uint32Array }
  | InstantPredicate
  | FinishedPredicate
  | TextPredicate
  | VisitsPredicate
  | ChangesPredicate;

/** By code of what a field held then; a field that has no column is one that no issue has. */
export interface CodePredicate {
  readonly kind: 'code';
  readonly field: string;
  readonly truths: Uint8Array;
  /** It never changes: what it holds now it always held. */
  readonly always: boolean;
}

/** A field's text is found by a search (null: by none); where its texts are not held, only the issues show it. */
export interface TextPredicate {
  readonly kind: 'text';
  readonly field: string;
  readonly search: TextSearch | null;
  /** The truth of no text. */
  readonly empty: Truth;
}

/** An issue was created, updated or resolved within some time; `empty` is the truth of what was not resolved then. */
export interface InstantPredicate {
  readonly kind: 'instant';
  readonly column: 'created' | 'updated' | 'resolved';
  readonly from: Instant;
  readonly until: Instant;
  readonly empty: Truth;
}

/** An issue was finished within some time; `empty` is the truth of what was not. */
export interface FinishedPredicate {
  readonly kind: 'finished';
  readonly statuses: FinishStatuses;
  readonly from: Instant;
  readonly until: Instant;
  readonly empty: Truth;
}

/**
 * An issue had one of some values of a field within some time. `truths` are those of values by the names they have there;
 * that of `ABSENT`, time about which nothing is known, is `UNKNOWN`. `by`: whether the person (by code of
 * `FieldHistories.authors`) whose change began it counts; null: anyone does.
 */
export interface VisitsPredicate {
  readonly kind: 'visits';
  readonly of: string;
  readonly truths: Uint8Array;
  readonly by: Uint8Array | null;
  readonly from: Instant;
  readonly until: Instant;
}

/**
 * A field was changed within some time; `before` and `after` are the truths of what from and to, null: whatever. Of a field
 * of sets they are bits of the wanted values that each set has: one that left, and one that came. `by` is that of
 * `VisitsPredicate`.
 */
export interface ChangesPredicate {
  readonly kind: 'changes';
  readonly of: string;
  readonly by: Uint8Array | null;
  readonly before: Uint8Array | Uint32Array | null;
  readonly after: Uint8Array | Uint32Array | null;
  readonly areSets: boolean;
  readonly from: Instant;
  readonly until: Instant;
}

/** The fields whose texts a predicate searches. */
export function textFieldsOf(predicate: RowPredicate): readonly string[] {
  switch (predicate.kind) {
    case 'text':
      return [predicate.field];
    case 'not':
      return textFieldsOf(predicate.of);
    case 'all':
    case 'any':
      return predicate.of.flatMap(textFieldsOf);
    default:
      return [];
  }
}
