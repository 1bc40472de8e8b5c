import type { FieldContent } from '../../model/issue.ts';
import type { HistoryArrays, TextArrays } from './column-arrays.ts';

/** Contents under codes, where many issues have the same; texts, where nearly each has its own; or the visits of a field. */
export type FieldForm = 'codes' | 'texts' | 'history';

/** The current and former contents of a field in some issues, in the order of the issues. */
export interface CodesPart {
  /** A code for each issue, of `values`. */
  readonly codes: Uint32Array;
  /** The number of elements of `former` that each issue has. */
  readonly formerCounts: Uint32Array;
  /** `ABSENT` is of a change without values. */
  readonly former: Uint32Array;
  /** From the code `FIRST_VALUE` on. */
  readonly values: readonly FieldContent[];
}

/** The histories of a field in some issues. */
export interface HistoryPart {
  readonly arrays: HistoryArrays;
  /** The contents that the codes and the authors in the arrays stand for, from the code `FIRST_VALUE` on. */
  readonly values: readonly FieldContent[];
  readonly authors: readonly FieldContent[];
}

/** One field of some issues in one of the forms it can have in columns. */
export type FieldPart = { readonly field: string } & (
  | { readonly as: 'codes'; readonly part: CodesPart }
  | { readonly as: 'texts'; readonly part: TextArrays }
  | { readonly as: 'history'; readonly part: HistoryPart }
);

/** Fields of some issues, as a thread that has no columns reads them. */
export interface FieldParts {
  /** The store's numbers of the issues, and their revisions. */
  readonly ids: Float64Array;
  readonly revisions: Float64Array;
  readonly parts: readonly FieldPart[];
}

/** A field that is to be held in a form. */
export interface WantedField {
  readonly field: string;
  readonly as: FieldForm;
}
