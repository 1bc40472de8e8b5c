import type { Instant, Issue } from '../../model/issue.ts';
import { type ColumnArrays, emptyArrays, type HistoryArrays } from './column-arrays.ts';
import type { CodePredicate, Truth } from './row-predicates.ts';
import { rising } from './sort-rows.ts';

/** A visit in a row of loaded issues; a `start` of NaN is of a value that only the next visit comes from. */
export interface LoadedVisit {
  readonly start: Instant;
}

/** The field whose codes are the rows. */
const ROW = 'row';

const blank = emptyArrays();

/**
 * Columns of a few issues that were loaded because the columns of all issues do not show enough of them, however odd their
 * histories are. Each row, and each visit, has a code of its own, so that evaluators never find a row for which only the issue
 * shows whether a predicate holds.
 */
export class LoadedColumns<Loaded extends { readonly issue: Pick<Issue, 'created'> }> {
  readonly rows: Uint32Array;
  readonly arrays: ColumnArrays;
  readonly #issues: readonly Loaded[];
  readonly #histories: Record<string, HistoryArrays> = {};
  readonly #visits = new Map<string, readonly LoadedVisit[]>();

  constructor(issues: readonly Loaded[]) {
    this.#issues = issues;
    this.rows = rising(issues.length);
    this.arrays = {
      ...blank,
      rows: issues.length,
      created: Float64Array.from(issues, ({ issue }) => issue.created),
      updated: new Float64Array(issues.length),
      flags: new Uint8Array(issues.length),
      fields: { [ROW]: this.rows },
      texts: {},
      histories: this.#histories,
    };
  }

  /** A value of each issue, by row. */
  map<Value>(read: (issue: Loaded) => Value): readonly Value[] {
    return this.#issues.map(read);
  }

  /** The predicate whose truth is known of each issue. */
  predicate(truthOf: (issue: Loaded) => Truth): CodePredicate {
    return { kind: 'code', field: ROW, always: true, truths: Uint8Array.from(this.#issues, truthOf) };
  }

  /**
   * Makes a history with a name that no field has, unless there is one, and returns its visits by code; each is the code of its
   * value and of its author. A visit ends where the next one of its row begins.
   */
  history<Visit extends LoadedVisit>(
    name: string,
    visitsOf: (issue: Loaded) => readonly Visit[],
  ): readonly Visit[] {
    const known = this.#visits.get(name);
    if (known !== undefined) return known as readonly Visit[];
    const byRow = this.#issues.map(visitsOf);
    const visits = byRow.flat();
    const count = Uint32Array.from(byRow, ({ length }) => length);
    const at = new Uint32Array(count.length);
    for (let row = 1; row < at.length; row += 1) at[row] = (at[row - 1] ?? 0) + (count[row - 1] ?? 0);
    this.#histories[name] = {
      count,
      at,
      flags: new Uint8Array(byRow.length),
      starts: Float64Array.from(visits, ({ start }) => start),
      codes: rising(visits.length),
      authors: rising(visits.length),
    };
    this.#visits.set(name, visits);
    return visits;
  }
}
