import type { Column, Table } from '../model/table.ts';
import type { GroupNames } from './group-names.ts';
import type { ColumnChoice } from './select-columns.ts';

/** The asker's choice of columns. */
export interface Layout extends Omit<ColumnChoice, 'strange' | 'asMet'> {
  readonly fields: readonly Column[];
  readonly groupBy: readonly Column[];
  /** Of a page: what groups there are on all pages. */
  readonly names?: GroupNames;
}

/** The neutral answer but for where it comes from and which page it is. */
export type BuiltTable = Omit<Table, 'provenance' | 'page'>;

/** How many things are gone through without holding everybody up: handed in, for the engine knows no clock. */
export interface InTurns {
  map<Item, Made>(items: Iterable<Item>, of: (item: Item) => Made): Promise<readonly Made[]>;
  /** Stably. */
  sort<Item>(items: readonly Item[], compare: (a: Item, b: Item) => number): Promise<readonly Item[]>;
}
