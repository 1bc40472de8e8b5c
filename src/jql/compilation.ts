import type { JqlWorld } from './jql.ts';
import type { Query } from './syntax/query-tree.ts';
import type { Condition } from './truth.ts';

/** What every part of a query is compiled in; saved filters are compiled in one of their own. */
export interface Compilation {
  readonly world: JqlWorld;
  /** How refusals begin: the parameter's name, and the filter a clause stands in. */
  readonly name: string;
  /** Ids of the saved filters this one is part of, outermost first. */
  readonly within: readonly string[];
  /** Conditions of saved filters by id, so that a filter named often is compiled once. */
  readonly filters: Map<string, Condition>;
  /** Functions that were called whose answer depends on who asks, in lower case; those of saved filters as well. */
  readonly personal: Set<string>;
  /** Handed down, because a saved filter is a query again. */
  readonly compileWhere: (query: Query, compilation: Compilation) => Condition;
}
