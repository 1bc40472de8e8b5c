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
      created: new Float64Array(issues.map(({ issue }) => issue.created)),
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
    return { kind: 'code', field: ROW, always: true, truths: new Uint8Array(this.#issues.map(truthOf)) };
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
    const visits: Visit[] = [];
    const [at, starts]: [number[], number[]] = [[], []];
    for (const issue of this.#issues) {
      at.push(visits.length);
      for (const visit of visitsOf(issue)) {
        visits.push(visit);
        starts.push(visit.start);
      }
    }
    const codes = rising(visits.length);
    this.#histories[name] = {
      at: new Uint32Array(at),
      count: new Uint32Array(at.map((first, row) => (at[row + 1] ?? visits.length) - first)),
      flags: new Uint8Array(at.length),
      starts: new Float64Array(starts),
      codes,
      authors: codes,
    };
    this.#visits.set(name, visits);
    return visits;
  }
}
