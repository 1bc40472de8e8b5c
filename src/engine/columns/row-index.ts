import { compareText } from '../../model/issues/ids-and-names.ts';
import { projectKeyOf } from '../../model/issues/issue-fields.ts';
import {
  FIRST_ROWS,
  IRREGULAR,
  lengthened,
  NEW_ROW,
  type RowArrays,
  roomFor,
  rowFlag,
} from './column-arrays.ts';
import { type Pause, rowsByKey } from './sort-rows.ts';

/** Rows looked at between two looks at the time slice. */
const ROWS_AT_ONCE = 16_384;

/** The members of an index that are in no column, as JSON. */
export interface IndexFacts {
  readonly projectKeys: readonly string[];
  readonly irregular: readonly (readonly [row: number, key: string])[];
}

/** Finds the rows of issues by key, and by the id in the store; and the keys of rows. */
export class RowIndex {
  readonly #arrays: RowArrays;
  /** Keys before the number, each under its code. */
  readonly #projectKeys: string[] = [];
  readonly #projectCodes = new Map<string, number>();
  readonly #irregular = new Map<number, string>();
  readonly #irregularRows = new Map<string, number>();
  /** Row + 1 by the id in the store. */
  #rowOfId = new Uint32Array(FIRST_ROWS);
  /** Row + 1 by the hash of a regular key; its length is a power of two. */
  #rowOfKey = new Uint32Array(2 * FIRST_ROWS);

  constructor(arrays: RowArrays) {
    this.#arrays = arrays;
  }

  /** The index of rows that are in the columns already. Others get their turn meanwhile. */
  static async of(
    arrays: RowArrays,
    { rows, projectKeys, irregular }: IndexFacts & { readonly rows: number },
    pause: Pause,
  ): Promise<RowIndex> {
    const index = new RowIndex(arrays);
    for (const key of projectKeys) index.#codeOfProject(key);
    for (const [row, key] of irregular) {
      index.#irregular.set(row, key);
      index.#irregularRows.set(key, row);
    }
    const { flags, storeId } = arrays;
    let last = 0;
    for (let row = 0; row < rows; row += 1) {
      if ((flags[row] & rowFlag.dead) === 0) last = Math.max(last, storeId[row]);
    }
    index.#rowOfId = new Uint32Array(roomFor(last + 1));
    for (let row = 0; row < rows; row += 1) {
      if ((flags[row] & rowFlag.dead) === 0) index.#rowOfId[storeId[row]] = row + 1;
    }
    const size = 2 ** Math.ceil(Math.log2(Math.max(FIRST_ROWS, rows) * 2));
    index.#rowOfKey = await index.#hashedKeys(size, rows, pause);
    return index;
  }

  /** Keys before the number, by their code. */
  get projectKeys(): readonly string[] {
    return this.#projectKeys;
  }

  /** Rows of keys that are not a project's key and a number, by the key. */
  get irregular(): ReadonlyMap<string, number> {
    return this.#irregularRows;
  }

  facts(): IndexFacts {
    return { projectKeys: this.#projectKeys, irregular: [...this.#irregular] };
  }

  /** The code of a key before the number; -1 where no issue has it. */
  projectCode(projectKey: string): number {
    return this.#projectCodes.get(projectKey) ?? -1;
  }

  keyOf(row: number): string {
    const code = this.#arrays.project[row] ?? IRREGULAR;
    if (code === IRREGULAR) return this.#irregular.get(row) ?? '';
    return `${this.#projectKeys[code]}-${this.#arrays.number[row]}`;
  }

  /** -1 where there is none. */
  rowOf(key: string): number {
    const parts = keyParts(key);
    if (parts === null) return this.#irregularRows.get(key) ?? -1;
    const code = this.#projectCodes.get(parts.projectKey);
    return code === undefined ? -1 : (this.#rowOfKey[this.#keySlot(code, parts.number)] ?? 0) - 1;
  }

  /** -1 where there is none. */
  rowOfId(storeId: number): number {
    return (this.#rowOfId[storeId] ?? 0) - 1;
  }

  /** Takes in a row, the last one, and writes the columns it is found by. */
  add(row: number, { storeId, key }: { readonly storeId: number; readonly key: string }): void {
    const parts = keyParts(key);
    if (parts === null) {
      this.#arrays.project[row] = IRREGULAR;
      this.#irregular.set(row, key);
      this.#irregularRows.set(key, row);
    } else {
      this.#arrays.project[row] = this.#codeOfProject(parts.projectKey);
      this.#arrays.number[row] = parts.number;
      this.#noteKey(row);
    }
    this.#arrays.storeId[row] = storeId;
    if (storeId >= this.#rowOfId.length) this.#rowOfId = lengthened(this.#rowOfId, roomFor(storeId + 1));
    this.#rowOfId[storeId] = row + 1;
  }

  /** Takes out a row. */
  forget(row: number): void {
    this.#rowOfId[this.#arrays.storeId[row]] = 0;
    if (this.#arrays.project[row] !== IRREGULAR) {
      this.#forgetKey(row);
      return;
    }
    this.#irregularRows.delete(this.keyOf(row));
    this.#irregular.delete(row);
  }

  /** Makes room for a number of rows in all; others get their turn meanwhile. */
  async makeRoom(
    { rows, wanted }: { readonly rows: number; readonly wanted: number },
    pause: Pause,
  ): Promise<void> {
    if (!isCrowded(this.#rowOfKey, wanted)) return;
    this.#rowOfKey = await this.#hashedKeys(this.#rowOfKey.length * 2, rows, pause);
  }

  #codeOfProject(projectKey: string): number {
    const known = this.#projectCodes.get(projectKey);
    if (known !== undefined) return known;
    const code = this.#projectKeys.push(projectKey) - 1;
    this.#projectCodes.set(projectKey, code);
    return code;
  }

  /** The slot of a key, or the free one where it would be. */
  #keySlot(project: number, number: number, table = this.#rowOfKey): number {
    const { project: projects, number: numbers } = this.#arrays;
    const mask = table.length - 1;
    for (let slot = hashOf(project, number) & mask; ; slot = (slot + 1) & mask) {
      const row = (table[slot] ?? 0) - 1;
      if (row < 0 || (projects[row] === project && numbers[row] === number)) return slot;
    }
  }

  #noteKey(row: number): void {
    if (isCrowded(this.#rowOfKey, row + 1)) {
      const table = new Uint32Array(this.#rowOfKey.length * 2);
      for (let other = 0; other <= row; other += 1) this.#hashKey(other, table);
      this.#rowOfKey = table;
    }
    this.#hashKey(row, this.#rowOfKey);
  }

  async #hashedKeys(size: number, rows: number, pause: Pause): Promise<Uint32Array<ArrayBuffer>> {
    const table = new Uint32Array(size);
    for (let row = 0; row < rows; row += 1) {
      this.#hashKey(row, table);
      if (row % ROWS_AT_ONCE === 0) await pause();
    }
    return table;
  }

  #hashKey(row: number, table: Uint32Array<ArrayBuffer>): void {
    const { project, number, flags } = this.#arrays;
    // A new row has no flags of its own yet.
    const isDead = flags[row] !== NEW_ROW && (flags[row] & rowFlag.dead) !== 0;
    if (isDead || project[row] === IRREGULAR) return;
    table[this.#keySlot(project[row], number[row], table)] = row + 1;
  }

  /** Slots behind a free one could not be found any more, so those that follow move up. */
  #forgetKey(row: number): void {
    const { project, number } = this.#arrays;
    const table = this.#rowOfKey;
    const mask = table.length - 1;
    let free = this.#keySlot(project[row], number[row]);
    table[free] = 0;
    for (let slot = (free + 1) & mask; ; slot = (slot + 1) & mask) {
      const other = (table[slot] ?? 0) - 1;
      if (other < 0) return;
      table[slot] = 0;
      free = this.#keySlot(project[other], number[other]);
      table[free] = other + 1;
    }
  }
}

const MAX_NUMBER = 0xfffffffe;

/** Project key and number of a key that can be made of them again; null of any other. */
function keyParts(key: string): { readonly projectKey: string; readonly number: number } | null {
  const dash = key.lastIndexOf('-');
  const digits = key.slice(dash + 1);
  const number = Number(digits);
  if (dash <= 0 || String(number) !== digits || number > MAX_NUMBER || !(number >= 0)) return null;
  return { projectKey: key.slice(0, dash), number };
}

function hashOf(project: number, number: number): number {
  const mixed = Math.imul(number ^ Math.imul(project + 1, 0x9e3779b1), 0x85ebca6b);
  return (mixed ^ (mixed >>> 15)) >>> 0;
}

/** Returns true where a table of hashes is too small for a number of rows. */
function isCrowded(table: Uint32Array, rows: number): boolean {
  return rows * 1.5 > table.length;
}

/** Up to this number of rows that came out of order are sorted at once. */
const FEW_UNORDERED = 10_000;

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
    pause: Pause,
  ): Promise<CreationOrder> {
    const order = new CreationOrder(arrays, keyOf);
    order.#rows = rows;
    for (let row = 0; row < rows; row += 1) {
      // Rows that come later are held against the last one, dead or alive.
      if (!order.#follows(row)) {
        order.#order = await order.#sortAll(pause);
        break;
      }
      if (row % ROWS_AT_ONCE === 0) await pause();
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
  async prepare(pause: Pause): Promise<void> {
    if (this.#unordered.length < FEW_UNORDERED) return;
    this.#order = await this.#sortAll(pause);
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

  #sortAll(pause: Pause): Promise<Uint32Array> {
    const keys = this.#arrays.created.subarray(0, this.#rows);
    return rowsByKey(keys, (a, b) => this.compare(a, b), pause);
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
