import type { Issue } from '../../model/issue.ts';
import type { Operator } from '../syntax/query-tree.ts';
import type { Item, Values } from '../values/values.ts';

/** The cut history of an issue does not tell what a field held then. */
export const UNCERTAIN: unique symbol = Symbol('uncertain');

/** What a field holds; null, the empty text and the empty list are empty. */
export type Content = Item | readonly Item[] | null | typeof UNCERTAIN;

/** A field a query can ask for. */
export interface Field {
  readonly title: string;
  readonly operators: readonly Operator[];
  readonly values: Values;
  readonly read: (issue: Issue) => Content;
  /** Whose visits WAS and CHANGED ask for; null where there is no history of single values. */
  readonly history: string | null;
}
