import { compareText } from '../../model/issues/ids-and-names.ts';
import { projectKeyOf } from '../../model/issues/issue-fields.ts';
import { type RowArrays, rowFlag } from './column-arrays.ts';
import type { RowIndex } from './row-index.ts';
import { type Rest, rowsByKey } from './sort-rows.ts';

/** Up to this number of rows that came out of order are sorted at once. */
const FEW_UNORDERED = 10_000;

/** Rows looked at between two looks at the time slice. */
const ROWS_AT_ONCE = 16_384;

/** The rows in the order in which their issues were created; at one instant by project key, then number. */
export class CreationOrder {
  readonly #arrays: RowArrays;
  readonly #keyOf: RowIndex['keyOf'];
  /** The number of rows. */
  #rows = 0;
  /** Rows by creation; null while that is the order of the rows. */
  #order: Uint32Array | null = null;
  /** Rows that are not in `#order` yet. */
  #unordered: number[] = [];

  constructor(arrays: RowArrays, keyOf: RowIndex['keyOf']) {
    this.#arrays = arrays;
    this.#keyOf = keyOf;
  }

  /** The order of rows that are in the columns already. Others get their turn meanwhile. */
  static async of(
    arrays: RowArrays,
    { rows, keyOf }: { readonly rows: number; readonly keyOf: RowIndex['keyOf'] },
    rest: Rest,
  ): Promise<CreationOrder> {
    const order = new CreationOrder(arrays, keyOf);
    order.#rows = rows;
    for (let row = 0; row < rows; row += 1) {
      // Rows that come later are held against the last one, dead or alive.
      if (!order.#follows(row)) {
        order.#order = await order.#sortAll(rest);
        break;
      }
      const due = row % ROWS_AT_ONCE === 0 ? rest() : null;
      if (due !== null) await due;
    }
    return order;
  }

  /** Returns true where it is the order of the rows. */
  get isOfRows(): boolean {
    return this.#order === null && this.#unordered.length === 0;
  }

  /** Takes in a row, the last one. */
  add(row: number): void {
    this.#rows = row + 1;
    if (!this.isOfRows || !this.#follows(row)) this.#unordered.push(row);
  }

  /** Has `living` sort little; others get their turn meanwhile. No row may come until it is done. */
  async prepare(rest: Rest): Promise<void> {
    if (this.#unordered.length < FEW_UNORDERED) return;
    this.#order = await this.#sortAll(rest);
    this.#unordered = [];
  }

  /** The rows in which there is an issue; `count` is their number. */
  living(count: number): Uint32Array {
    const order = this.#sorted();
    if (count === order.length) return order;
    const { flags } = this.#arrays;
    const rows = new Uint32Array(count);
    let at = 0;
    for (let i = 0; i < order.length; i += 1) {
      const row = order[i];
      if ((flags[row] & rowFlag.dead) === 0) rows[at++] = row;
    }
    return rows;
  }

  /** Returns true where a row, the last one, belongs behind the one before it. */
  #follows(row: number): boolean {
    return row === 0 || this.compare(row - 1, row) <= 0;
  }

  /** The order of two rows. */
  compare(a: number, b: number): number {
    const { created, number } = this.#arrays;
    return (
      created[a] - created[b] ||
      compareText(projectKeyOf({ key: this.#keyOf(a) }), projectKeyOf({ key: this.#keyOf(b) })) ||
      number[a] - number[b] ||
      // Issues whose keys have no number.
      a - b
    );
  }

  #sorted(): Uint32Array {
    if (this.#unordered.length === 0) return this.#order ?? this.#ordered();
    const known = this.#ordered();
    const added = this.#unordered.toSorted((a, b) => this.compare(a, b));
    const order = new Uint32Array(known.length + added.length);
    let [at, next] = [0, 0];
    for (const row of known) {
      for (; next < added.length && this.compare(added[next] ?? 0, row) < 0; next += 1) {
        order[at++] = added[next] ?? 0;
      }
      order[at++] = row;
    }
    for (; next < added.length; next += 1) order[at++] = added[next] ?? 0;
    this.#order = order;
    this.#unordered = [];
    return order;
  }

  #sortAll(rest: Rest): Promise<Uint32Array> {
    const keys = this.#arrays.created.subarray(0, this.#rows);
    return rowsByKey(keys, (a, b) => this.compare(a, b), rest);
  }

  /** The rows whose order is known, in order. */
  #ordered(): Uint32Array {
    if (this.#order !== null) return this.#order;
    const late = new Uint8Array(this.#rows);
    for (const row of this.#unordered) late[row] = 1;
    const rows = new Uint32Array(this.#rows - this.#unordered.length);
    let count = 0;
    for (let row = 0; row < this.#rows; row += 1) if (late[row] === 0) rows[count++] = row;
    return rows;
  }
}
