import { compareText } from '../issues/ids-and-names.ts';
import { changesOf, contentOf, ownUpdate, projectKeyOf } from '../issues/issue-fields.ts';
import type { Change, FieldContent, FieldValue, Instant, Issue } from '../model/issue.ts';
import { AccessClasses, type StoredClass } from './access-classes.ts';
import { type Doubtable, Mentions } from './mentions.ts';
import { type Rest, rowsByKey } from './sort-rows.ts';
import { type TextArrays, TextColumn, textContent } from './text-column.ts';
import { ABSENT, ValueCodes } from './value-codes.ts';

/** What is to be known of a row at a glance, as bits of `flags`. */
export const rowFlag = {
  /** There is no issue in the row any more. */
  dead: 1,
  /** The history is cut. */
  cut: 2,
  /** Columns cannot say what there is to say about the issue: only the issue itself does. */
  odd: 4,
  /** Some change of status or assignee does not come from just what the one before it led to, or may not. */
  contradicts: 8,
} as const;

/** In the column of statuses: the issue is in this status for the first time. The other bits are the code. */
export const FIRST_VISIT = 0x8000;

/** A visit's code without `FIRST_VISIT`. */
export const STATUS_CODE = 0x7fff;

/** Fields whose contents are held for every issue from the beginning; others are when they are asked for. */
export const heldFields = [
  'project',
  'status',
  'assignee',
  'reporter',
  'creator',
  'issuetype',
  'priority',
  'resolution',
] as const;

/**
 * The columns themselves, by row, over memory that threads share. Nothing else is needed to count: a kernel gets this
 * and a list of rows. Visits and spans of a row lie one after the other, in order, from `statusAt[row]` (`assigneeAt`)
 * on; each ends where the next begins, the last one whenever asked. Their values are codes of `values('status')` and
 * `values('assignee')`: `ABSENT` is time about which nothing is known, `EMPTY` no value.
 */
export interface ColumnArrays {
  /** Rows given out, dead ones included. */
  readonly rows: number;
  /** Epoch ms, UTC. */
  readonly created: Float64Array;
  readonly updated: Float64Array;
  /** When the tracker itself says that the issue was updated, which may be before its last change; else `updated`. */
  readonly ownUpdate: Float64Array;
  /** NaN where it is not resolved. */
  readonly resolved: Float64Array;
  readonly flags: Uint8Array;
  readonly accessClass: Uint32Array;
  /** Code of the key's part before the number, in `projectKeys`; `IRREGULAR` where the key has another form. */
  readonly project: Uint32Array;
  /** The key's number. */
  readonly number: Uint32Array;
  /** Id of the issue in the store. */
  readonly storeId: Uint32Array;
  readonly statusAt: Uint32Array;
  readonly statusCount: Uint16Array;
  readonly assigneeAt: Uint32Array;
  readonly assigneeCount: Uint16Array;
  readonly visitStart: Float64Array;
  /** With `FIRST_VISIT`. */
  readonly visitStatus: Uint16Array;
  readonly spanStart: Float64Array;
  readonly spanAssignee: Uint32Array;
  /** Codes of contents as of now by field id: of `heldFields`, and of those that were asked for. */
  readonly fields: Readonly<Record<string, Uint32Array>>;
  /** Texts as of now by field id, of fields whose texts were asked for. */
  readonly texts: Readonly<Record<string, TextArrays>>;
}

/** The code of `project` where a key is not a project's key and a number. */
export const IRREGULAR = 0xffffffff;

/** One value of a history: `value` undefined is unknown time, null no value. */
export interface HeldVisit {
  readonly value: FieldValue | null;
  readonly known: boolean;
  readonly start: Instant;
}

/** An issue with the histories that columns hold: the whole ones, as of any time after the last change. */
export interface RowContent {
  readonly issue: Issue;
  readonly statuses: readonly HeldVisit[];
  readonly assignees: readonly HeldVisit[];
}

/** Numbers of one kind, in memory that threads share. */
type Numbers = Float64Array | Uint32Array | Uint16Array | Uint8Array;

type RowColumn = Exclude<keyof ColumnArrays, 'rows' | 'fields' | 'texts' | PoolColumn>;
type PoolColumn = 'visitStart' | 'visitStatus' | 'spanStart' | 'spanAssignee';

const kinds = {
  created: Float64Array,
  updated: Float64Array,
  ownUpdate: Float64Array,
  resolved: Float64Array,
  flags: Uint8Array,
  accessClass: Uint32Array,
  project: Uint32Array,
  number: Uint32Array,
  storeId: Uint32Array,
  statusAt: Uint32Array,
  statusCount: Uint16Array,
  assigneeAt: Uint32Array,
  assigneeCount: Uint16Array,
  visitStart: Float64Array,
  visitStatus: Uint16Array,
  spanStart: Float64Array,
  spanAssignee: Uint32Array,
} as const;

type ColumnName = RowColumn | PoolColumn;

const columnNames = Object.keys(kinds) as readonly ColumnName[];

const poolColumns: readonly PoolColumn[] = ['visitStart', 'visitStatus', 'spanStart', 'spanAssignee'];

const rowColumns = columnNames.filter((name): name is RowColumn => !isPool(name));

/** Of so few rows memory need not be saved. */
const FIRST_ROWS = 64;
const MOST_COUNTED = 0xffff;

/** Of so few rows that came out of order the order is found at once. */
const FEW_UNORDERED = 10_000;

/** A field that was asked for and has more values than this is read from the issues again after the next start. */
const MOST_KEPT_VALUES = 50_000;

/** Rows looked at between two looks at the time slice. */
const ROWS_AT_ONCE = 16_384;
const FEW_AT_ONCE = 2_048;

/** The last version of any columns. */
let lastVersion = 0;

type Columns = { -readonly [Name in RowColumn | PoolColumn]: InstanceType<(typeof kinds)[Name]> };

/** What of columns is no array, as JSON. */
export interface ColumnFacts {
  readonly revision: number;
  readonly rows: number;
  readonly visits: number;
  readonly spans: number;
  readonly garbage: number;
  readonly projectKeys: readonly string[];
  readonly irregular: readonly (readonly [row: number, key: string])[];
  readonly classes: readonly StoredClass[];
  readonly fields: readonly {
    readonly field: string;
    readonly values: readonly FieldContent[];
    /** By access class; null where no change of the field is known. */
    readonly former: readonly (ReturnType<Mentions<number>['entries']> | null)[];
  }[];
}

/** What the changes of a field say it once held, by access class: codes of the field's values. */
export type FormerCodes = readonly (Mentions<number> | undefined)[];

/** One field's column. */
export interface FieldColumn {
  readonly field: string;
  readonly codes: Uint32Array;
  readonly values: ValueCodes;
  readonly former: FormerCodes;
}

interface OwnFieldColumn {
  codes: Uint32Array;
  readonly values: ValueCodes;
  readonly former: (Mentions<number> | undefined)[];
}

/** Thrown where a field is asked for that no column holds yet: who can wait has it read, and asks again. */
export class MissingColumn extends Error {
  readonly field: string;
  constructor(field: string) {
    super(`No column holds the field '${field}' yet.`);
    this.field = field;
  }
}

/**
 * The issues of one tracker as columns: a row per issue, which stays the same as long as the issue stays and keeps its
 * key. A change costs what its issue takes. One writer at a time, and nobody reads while it writes.
 */
export class IssueColumns {
  /** The store's revision up to which everything is here. */
  revision = 0;
  readonly classes: AccessClasses;
  #version = 0;
  /** `rowsByCreation` of a version. */
  #living: { readonly version: number; readonly rows: Uint32Array } | null = null;
  #rows = 0;
  #alive = 0;
  #columns: Columns;
  readonly #fields = new Map<string, OwnFieldColumn>();
  /** Keys before the number, each under its code. */
  readonly #projectKeys: string[] = [];
  readonly #projectCodes = new Map<string, number>();
  readonly #irregular = new Map<number, string>();
  readonly #irregularRows = new Map<string, number>();
  /** Row + 1 by the id in the store. */
  #rowOfId = new Uint32Array(FIRST_ROWS);
  /** Row + 1 by the hash of a regular key; its length is a power of two. */
  #rowOfKey = new Uint32Array(2 * FIRST_ROWS);
  #visits = 0;
  #spans = 0;
  /** Places in the pools that no row leads to any more. */
  #garbage = 0;
  /** Rows by creation; null while that is the order of the rows. */
  #order: Uint32Array | null = null;
  /** Rows that are not in `#order` yet. */
  #unordered: number[] = [];
  /** Fields whose columns do not have every row yet. */
  readonly #unfilled = new Set<string>();
  readonly #texts = new Map<string, TextColumn>();
  /** Fields not all of whose texts were read yet. */
  readonly #unread = new Set<string>();
  /** Codes of classes of which something is in doubt. */
  readonly #doubted = new Set<number>();
  readonly #readers = new Set<Promise<void>>();
  #writer: Promise<void> | null = null;

  constructor(classes = new AccessClasses(), fields: Readonly<Record<string, ValueCodes>> = {}) {
    this.classes = classes;
    this.#columns = Object.fromEntries(
      Object.entries(kinds).map(([name, kind]) => [name, shared<Numbers>(kind, FIRST_ROWS)]),
    ) as unknown as Columns;
    for (const field of new Set([...heldFields, ...Object.keys(fields)])) {
      this.#fields.set(field, {
        codes: shared(Uint32Array, FIRST_ROWS),
        values: fields[field] ?? new ValueCodes(),
        former: [],
      });
    }
  }

  /**
   * Rises with every change, and no other columns of the process ever have the same: what was found out about columns is
   * true for one version.
   */
  get version(): number {
    return this.#version;
  }

  /** Rows given out, dead ones included. */
  get rows(): number {
    return this.#rows;
  }

  /** How many issues there are. */
  get size(): number {
    return this.#alive;
  }

  /** Places that are taken up for nothing, as a part of all. */
  get waste(): number {
    return (
      (this.#garbage + (this.#rows - this.#alive)) / Math.max(1, this.#visits + this.#spans + this.#rows)
    );
  }

  /** All columns as they are now; an update may replace them. */
  arrays(): ColumnArrays {
    const fields = Object.fromEntries([...this.#fields].map(([field, { codes }]) => [field, codes]));
    const texts: Record<string, TextArrays> = {};
    for (const [field, { arrays }] of this.#texts) if (!this.#unread.has(field)) texts[field] = arrays;
    return { rows: this.#rows, ...this.#columns, fields, texts };
  }

  /** A field's column; fails with `MissingColumn` where it is not held. */
  field(field: string): FieldColumn {
    const column = this.#fields.get(field);
    if (column === undefined || this.#unfilled.has(field)) throw new MissingColumn(field);
    return { field, ...column };
  }

  hasField(field: string): boolean {
    return this.#fields.has(field) && !this.#unfilled.has(field);
  }

  /** Whether the texts of a field are held. */
  hasTexts(field: string): boolean {
    return this.#texts.has(field) && !this.#unread.has(field);
  }

  /** The values behind the codes of a field that is held. */
  values(field: string): ValueCodes {
    return this.field(field).values;
  }

  /** Keys before the number, by their code. */
  get projectKeys(): readonly string[] {
    return this.#projectKeys;
  }

  /** The code of a key before the number; -1 where no issue has it. */
  projectCode(projectKey: string): number {
    return this.#projectCodes.get(projectKey) ?? -1;
  }

  /** The key of a row's issue, in its own spelling. */
  keyOf(row: number): string {
    const code = this.#columns.project[row] ?? IRREGULAR;
    if (code === IRREGULAR) return this.#irregular.get(row) ?? '';
    return `${this.#projectKeys[code]}-${this.#columns.number[row]}`;
  }

  /** The row of the issue with a key, in the issue's own spelling; -1 where there is none. */
  rowOf(key: string): number {
    const parts = keyParts(key);
    if (parts === null) return this.#irregularRows.get(key) ?? -1;
    const code = this.#projectCodes.get(parts.projectKey);
    return code === undefined ? -1 : (this.#rowOfKey[this.#keySlot(code, parts.number)] ?? 0) - 1;
  }

  /** The row of the issue with an id in the store; -1 where there is none. */
  rowOfId(storeId: number): number {
    return (this.#rowOfId[storeId] ?? 0) - 1;
  }

  /** The rows of all issues, the one created first being the first; at one instant by project key, then number. */
  rowsByCreation(): Uint32Array {
    if (this.#living?.version === this.#version) return this.#living.rows;
    const rows = this.#livingOf(this.#sorted());
    this.#living = { version: this.#version, rows };
    return rows;
  }

  /** Whether the order of creation is that of the rows, so that who goes by it reads what lies together. */
  get isInOrder(): boolean {
    return this.#order === null && this.#unordered.length === 0;
  }

  /** Has `rowsByCreation` sort little; others get their turn meanwhile. Nobody may write until it is done. */
  async prepareOrder(rest: Rest): Promise<void> {
    if (this.#unordered.length < FEW_UNORDERED) return;
    this.#order = await this.#sortAll(rest);
    this.#unordered = [];
  }

  /**
   * Makes room for more rows, visits and spans before they are put, so that putting them copies nothing. Others get their
   * turn meanwhile; nobody else may write.
   */
  async makeRoom(
    { rows, visits, spans }: { readonly rows: number; readonly visits: number; readonly spans: number },
    rest: Rest,
  ): Promise<void> {
    const wanted = { rows: this.#rows + rows, visits: this.#visits + visits, spans: this.#spans + spans };
    for (const name of columnNames) {
      const needed = wanted[unitOf(name)];
      if (needed <= this.#columns[name].length) continue;
      await this.writing(() => this.#replace(name, roomFor(needed)));
      const due = rest();
      if (due !== null) await due;
    }
    for (const column of this.#fields.values()) {
      if (wanted.rows <= column.codes.length) continue;
      await this.writing(() => {
        column.codes = copied(column.codes, roomFor(wanted.rows));
      });
      const due = rest();
      if (due !== null) await due;
    }
    for (const texts of this.#texts.values()) {
      await this.writing(() => texts.grow(roomFor(wanted.rows)));
      const due = rest();
      if (due !== null) await due;
    }
    if (isCrowded(this.#rowOfKey, wanted.rows)) {
      this.#rowOfKey = await this.#hashedKeys(this.#rowOfKey.length * 2, rest);
    }
  }

  /** Takes an issue in, or what became of it, and returns its row. */
  put(storeId: number, content: RowContent): number {
    this.#changed();
    const { issue } = content;
    const known = this.rowOfId(storeId);
    const isSame =
      known >= 0 && this.keyOf(known) === issue.key && this.#columns.created[known] === issue.created;
    if (known >= 0 && !isSame) this.#retire(known);
    // A key that is given to another issue: what had it before is gone, whoever says so first.
    const other = isSame ? -1 : this.rowOf(issue.key);
    if (other >= 0) this.#retire(other);
    const row = isSame ? known : this.#append(storeId, issue);
    this.#write(row, content);
    return row;
  }

  /** Takes the issue with a key out; false where there is none. */
  remove(key: string): boolean {
    const row = this.rowOf(key);
    if (row < 0) return false;
    this.#changed();
    this.#retire(row);
    return true;
  }

  /**
   * Begins to hold a field: from now on `put` keeps its column, which can be asked for once `fillField` has been given
   * every row and `endField` was called.
   */
  beginField(field: string): void {
    if (this.#fields.has(field)) return;
    this.#fields.set(field, {
      codes: shared(Uint32Array, this.#capacity),
      values: new ValueCodes(),
      former: [],
    });
    this.#unfilled.add(field);
  }

  /** What some rows' issues hold, and once held, of a field that was begun. */
  fillField(field: string, rows: ArrayLike<number>, issues: readonly (Issue | null)[]): void {
    const column = this.#fields.get(field);
    if (column === undefined) return;
    for (const [i, issue] of issues.entries()) {
      const row = rows[i];
      if (issue === null || row === undefined) continue;
      column.codes[row] = column.values.codeOf(heldContent(issue, field));
      for (const change of changesOf(issue, field)) this.#noteFormer(column, row, change);
    }
  }

  endField(field: string): void {
    this.#unfilled.delete(field);
    this.#changed();
  }

  /**
   * Begins to hold the texts of a field, which has many different ones: from now on `put` keeps them, and once `fillTexts`
   * has been given every row and `endTexts` was called they are among the arrays.
   */
  beginTexts(field: string): void {
    if (this.#texts.has(field)) return;
    this.#texts.set(field, new TextColumn(this.#capacity));
    this.#unread.add(field);
  }

  /** The texts some rows' issues have in a field that was begun. */
  fillTexts(field: string, rows: ArrayLike<number>, issues: readonly (Issue | null)[]): void {
    const texts = this.#texts.get(field);
    for (const [i, issue] of issues.entries()) {
      const row = rows[i];
      if (issue !== null && row !== undefined) texts?.put(row, textContent(issue, field));
    }
  }

  endTexts(field: string): void {
    this.#unread.delete(field);
  }

  /** Whether more may be known of some class than its issues mention, as others have left it. */
  get isLeft(): boolean {
    return this.classes.all.some(({ left }) => left !== null);
  }

  /**
   * Doubts what is known of classes only by issues that have left them. The codes of the classes of which something is
   * in doubt; `confirm` takes out those of which nothing is any more.
   */
  doubtMentions(): ReadonlySet<number> {
    this.#doubted.clear();
    for (const accessClass of this.classes.all.keys()) {
      const left = this.classes.takeLeft(accessClass);
      if (left === null) continue;
      const mentions = this.#mentionsOf(accessClass);
      for (const some of mentions) some.doubt(left);
      if (isInDoubt(mentions)) this.#doubted.add(accessClass);
    }
    return this.#doubted;
  }

  /** What the issues of some rows mention is in no doubt. */
  confirm(rows: ArrayLike<number>, issues: readonly (Issue | null)[]): void {
    const { accessClass, flags, storeId } = this.#columns;
    for (const [i, issue] of issues.entries()) {
      const row = rows[i] ?? 0;
      const own = accessClass[row] ?? 0;
      // One that has changed since it was put will be put again.
      if (issue === null || ((flags[row] ?? 0) & rowFlag.dead) !== 0 || !this.classes.isOf(own, issue))
        continue;
      this.classes.note(own, storeId[row] ?? 0, issue);
      this.#noteChanges(row, issue);
    }
    for (const own of this.#doubted) if (!isInDoubt(this.#mentionsOf(own))) this.#doubted.delete(own);
  }

  /** Forgets what is in doubt, after the issues of all rows of the classes in doubt were confirmed. */
  forgetDoubted(): void {
    let isOther = false;
    for (const [accessClass, one] of this.classes.all.entries()) {
      if (one.left === null) continue;
      for (const some of this.#mentionsOf(accessClass)) isOther = some.forgetDoubted() || isOther;
      for (const { former } of this.#fields.values()) {
        // As of a class no issue of which has a change of the field.
        if (former[accessClass]?.size === 0) former[accessClass] = undefined;
      }
      if (one.left.size === 0) one.left = null;
    }
    this.#doubted.clear();
    if (isOther) this.#changed();
  }

  #mentionsOf(accessClass: number): readonly Doubtable[] {
    const former = [...this.#fields.values()].flatMap((column) => column.former[accessClass] ?? []);
    return [...this.classes.mentionsOf(accessClass), ...former];
  }

  /** Reads while nobody writes. Not to be called by what is reading already. */
  async reading<Result>(read: () => Promise<Result>): Promise<Result> {
    while (this.#writer !== null) await this.#writer;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#readers.add(promise);
    try {
      return await read();
    } finally {
      this.#readers.delete(promise);
      resolve();
    }
  }

  /** Writes as soon as those who are reading have done; who comes meanwhile waits. One writer at a time. */
  async writing<Result>(write: () => Result): Promise<Result> {
    while (this.#writer !== null) await this.#writer;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#writer = promise;
    try {
      await Promise.all(this.#readers);
      return write();
    } finally {
      this.#writer = null;
      resolve();
    }
  }

  /** What a snapshot keeps: what is no array, and the arrays, as long as they are used. */
  toSnapshot(): { readonly facts: ColumnFacts; readonly arrays: readonly Uint8Array<SharedArrayBuffer>[] } {
    const used = (name: ColumnName) => this.#columns[name].subarray(0, this.#used(name));
    const facts = this.#facts();
    const held = facts.fields.map(({ field }) => this.field(field).codes.subarray(0, this.#rows));
    return {
      facts,
      arrays: [...columnNames.map(used), ...held].map(bytesOf),
    };
  }

  /**
   * Columns as they were when a snapshot was made; `read` fills the arrays, in order, with what it had. Others get their
   * turn meanwhile.
   */
  static async fromSnapshot(
    facts: ColumnFacts,
    read: (arrays: readonly Uint8Array<SharedArrayBuffer>[]) => Promise<void>,
    rest: Rest = noRest,
  ): Promise<IssueColumns> {
    const values = Object.fromEntries(facts.fields.map((one) => [one.field, new ValueCodes(one.values)]));
    const columns = new IssueColumns(AccessClasses.fromJson(facts.classes), values);
    const arrays = columns.#makeRoomFor(facts);
    await read(arrays);
    for (const { field, former } of facts.fields) {
      for (const [accessClass, codes] of former.entries()) {
        const column = columns.#fields.get(field);
        if (column !== undefined)
          column.former[accessClass] = codes === null ? undefined : new Mentions(codes);
      }
    }
    await columns.#rebuild(facts, rest);
    return columns;
  }

  /**
   * The same issues in columns without dead rows and gaps, the one created first in the first row; codes and classes stay
   * the same, and are shared from then on. Others get their turn meanwhile, but nobody may write, then or later.
   */
  async compacted(rest: Rest): Promise<IssueColumns> {
    const rows = this.rowsByCreation();
    const from = this.#columns;
    let [visits, spans] = [0, 0];
    for (let i = 0; i < rows.length; i += 1) {
      visits += from.statusCount[rows[i] ?? 0] ?? 0;
      spans += from.assigneeCount[rows[i] ?? 0] ?? 0;
    }
    const compact = new IssueColumns(this.classes);
    for (const [field, { values, former }] of this.#fields) {
      compact.#fields.set(field, { codes: shared(Uint32Array, FIRST_ROWS), values, former });
    }
    for (const field of this.#unfilled) compact.#fields.delete(field);
    const facts = { ...this.#facts(), ...{ rows: rows.length, visits, spans, garbage: 0 } };
    compact.#makeRoomFor(facts);
    const to = compact.#columns;
    for (const name of rowColumns) {
      pickRows(from[name], to[name], rows);
      const due = rest();
      if (due !== null) await due;
    }
    for (const [field, { codes }] of compact.#fields) {
      pickRows(this.#fields.get(field)?.codes ?? codes, codes, rows);
      const due = rest();
      if (due !== null) await due;
    }
    for (const [field, { arrays }] of this.#texts) {
      if (this.#unread.has(field)) continue;
      const texts = new TextColumn(compact.#capacity);
      compact.#texts.set(field, texts);
      for (let row = 0; row < rows.length; row += 1) {
        texts.copy(row, arrays, rows[row] ?? 0);
        const due = row % FEW_AT_ONCE === 0 ? rest() : null;
        if (due !== null) await due;
      }
    }
    const irregular: [number, string][] = [];
    let [statusAt, assigneeAt] = [0, 0];
    for (let row = 0; row < rows.length; row += 1) {
      const old = rows[row] ?? 0;
      if (to.project[row] === IRREGULAR) irregular.push([row, this.keyOf(old)]);
      const [visitsAt, spansAt] = [from.statusAt[old] ?? 0, from.assigneeAt[old] ?? 0];
      to.statusAt[row] = statusAt;
      for (let at = visitsAt; at < visitsAt + (to.statusCount[row] ?? 0); at += 1, statusAt += 1) {
        to.visitStart[statusAt] = from.visitStart[at] ?? 0;
        to.visitStatus[statusAt] = from.visitStatus[at] ?? 0;
      }
      to.assigneeAt[row] = assigneeAt;
      for (let at = spansAt; at < spansAt + (to.assigneeCount[row] ?? 0); at += 1, assigneeAt += 1) {
        to.spanStart[assigneeAt] = from.spanStart[at] ?? 0;
        to.spanAssignee[assigneeAt] = from.spanAssignee[at] ?? 0;
      }
      const due = row % ROWS_AT_ONCE === 0 ? rest() : null;
      if (due !== null) await due;
    }
    await compact.#rebuild({ ...facts, irregular }, rest);
    return compact;
  }

  #used(name: ColumnName): number {
    const used = { rows: this.#rows, visits: this.#visits, spans: this.#spans };
    return used[unitOf(name)];
  }

  #makeRoomFor(facts: ColumnFacts): readonly Uint8Array<SharedArrayBuffer>[] {
    this.#rows = facts.rows;
    this.#visits = facts.visits;
    this.#spans = facts.spans;
    // Room for some days of changes: growing copies a whole array.
    const room = (used: number) => Math.max(FIRST_ROWS, Math.ceil(used * 1.02));
    for (const name of columnNames) this.#replace(name, room(this.#used(name)));
    for (const column of this.#fields.values()) column.codes = shared(Uint32Array, room(facts.rows));
    const held = facts.fields.map(({ field }) => this.field(field).codes.subarray(0, this.#rows));
    return [...columnNames.map((name) => this.#columns[name].subarray(0, this.#used(name))), ...held].map(
      bytesOf,
    );
  }

  /** What is no column, made of the columns. */
  async #rebuild({ revision, garbage, projectKeys, irregular }: ColumnFacts, rest: Rest): Promise<void> {
    this.#changed();
    this.revision = revision;
    this.#garbage = garbage;
    for (const key of projectKeys) this.#codeOfProject(key);
    for (const [row, key] of irregular) {
      this.#irregular.set(row, key);
      this.#irregularRows.set(key, row);
    }
    const { flags, storeId } = this.#columns;
    const isDead = (row: number) => ((flags[row] ?? 0) & rowFlag.dead) !== 0;
    let isOrdered = true;
    let last = 0;
    for (let row = 0; row < this.#rows; row += 1) {
      // Rows that come later are held against the last one, dead or alive.
      isOrdered &&= this.#follows(row);
      if (!isDead(row)) {
        this.#alive += 1;
        last = Math.max(last, storeId[row] ?? 0);
      }
      const due = row % ROWS_AT_ONCE === 0 ? rest() : null;
      if (due !== null) await due;
    }
    this.#rowOfId = new Uint32Array(roomFor(last + 1));
    for (let row = 0; row < this.#rows; row += 1) {
      if (!isDead(row)) this.#rowOfId[storeId[row] ?? 0] = row + 1;
    }
    const size = 2 ** Math.ceil(Math.log2(Math.max(FIRST_ROWS, this.#rows) * 2));
    this.#rowOfKey = await this.#hashedKeys(size, rest);
    if (isOrdered) return;
    this.#order = await this.#sortAll(rest);
  }

  #facts(): ColumnFacts {
    return {
      revision: this.revision,
      rows: this.#rows,
      visits: this.#visits,
      spans: this.#spans,
      garbage: this.#garbage,
      projectKeys: this.#projectKeys,
      irregular: [...this.#irregular],
      classes: this.classes.toJson(),
      fields: [...this.#fields]
        .filter(([field, { values }]) => !this.#unfilled.has(field) && isKept(field, values))
        .map(([field, { values, former }]) => ({
          field,
          values: values.contents(),
          former: Array.from(former, (codes) => codes?.entries() ?? null),
        })),
    };
  }

  get #capacity(): number {
    return this.#columns.created.length;
  }

  #append(storeId: number, issue: Issue): number {
    const row = this.#rows;
    this.#rows += 1;
    this.#alive += 1;
    this.#growRows(this.#rows);
    const parts = keyParts(issue.key);
    if (parts === null) {
      this.#columns.project[row] = IRREGULAR;
      this.#irregular.set(row, issue.key);
      this.#irregularRows.set(issue.key, row);
    } else {
      this.#columns.project[row] = this.#codeOfProject(parts.projectKey);
      this.#columns.number[row] = parts.number;
      this.#noteKey(row);
    }
    this.#columns.storeId[row] = storeId;
    if (storeId >= this.#rowOfId.length) this.#rowOfId = grown(this.#rowOfId, storeId + 1);
    this.#rowOfId[storeId] = row + 1;
    this.#columns.created[row] = issue.created;
    if (this.#order !== null || this.#unordered.length > 0 || !this.#follows(row)) this.#unordered.push(row);
    return row;
  }

  #write(row: number, { issue, statuses, assignees }: RowContent): void {
    const columns = this.#columns;
    columns.updated[row] = issue.updated;
    columns.ownUpdate[row] = ownUpdate(issue) ?? issue.updated;
    columns.resolved[row] = issue.resolved ?? Number.NaN;
    const accessClass = this.classes.codeOf(issue);
    this.#join(row, accessClass);
    this.classes.note(accessClass, this.#columns.storeId[row] ?? 0, issue);
    this.#writeFields(row, issue);
    const fits = this.#writeVisits(row, statuses) && this.#writeSpans(row, assignees);
    const isOdd = !fits || !showsItself(issue);
    const contradicts = !(isChain(issue, 'status', statuses) && isChain(issue, 'assignee', assignees));
    columns.flags[row] =
      (issue.history.complete ? 0 : rowFlag.cut) |
      (isOdd ? rowFlag.odd : 0) |
      (contradicts ? rowFlag.contradicts : 0);
  }

  #join(row: number, accessClass: number): void {
    const { accessClass: classOf, flags } = this.#columns;
    const isNew = (flags[row] ?? 0) === NEW_ROW;
    if (!isNew && classOf[row] === accessClass) return;
    if (!isNew) this.#leave(row);
    classOf[row] = accessClass;
    this.classes.enter(accessClass);
  }

  /** The issue in a row leaves its class. */
  #leave(row: number): void {
    const accessClass = this.#columns.accessClass[row] ?? 0;
    if (this.classes.leave(accessClass, this.#columns.storeId[row] ?? 0)) return;
    for (const { former } of this.#fields.values()) former[accessClass] = undefined;
  }

  #writeFields(row: number, issue: Issue): void {
    for (const [field, { codes, values }] of this.#fields)
      codes[row] = values.codeOf(heldContent(issue, field));
    for (const [field, texts] of this.#texts) {
      texts.put(row, textContent(issue, field));
      if (texts.isWasteful && !this.#unread.has(field)) this.#texts.delete(field);
    }
    this.#noteChanges(row, issue);
  }

  #noteChanges(row: number, { changes }: Issue): void {
    for (const change of changes) {
      const column = this.#fields.get(change.field);
      if (column !== undefined) this.#noteFormer(column, row, change);
    }
  }

  #noteFormer({ values, former }: OwnFieldColumn, row: number, { from, to }: Change): void {
    const { accessClass, storeId } = this.#columns;
    const own = accessClass[row] ?? 0;
    let known = former[own];
    if (known === undefined) {
      known = new Mentions();
      former[own] = known;
    }
    const id = storeId[row] ?? 0;
    if (from !== null) known.note(values.codeOf(from), id);
    if (to !== null) known.note(values.codeOf(to), id);
  }

  #writeVisits(row: number, visits: readonly HeldVisit[]): boolean {
    const { statusAt, statusCount } = this.#columns;
    if (visits.length > MOST_COUNTED) {
      statusCount[row] = 0;
      return false;
    }
    const before = statusCount[row] ?? 0;
    if (visits.length > before) {
      this.#garbage += before;
      statusAt[row] = this.#visits;
      this.#visits += visits.length;
      this.#growPool(['visitStart', 'visitStatus'], this.#visits);
    } else this.#garbage += before - visits.length;
    statusCount[row] = visits.length;
    const at = statusAt[row] ?? 0;
    const { visitStart, visitStatus } = this.#columns;
    const values = this.values('status');
    const met = new Set<string>();
    let fits = true;
    for (const [i, { value, known, start }] of visits.entries()) {
      const code = known ? values.codeOf(value) : ABSENT;
      if (code > STATUS_CODE) fits = false;
      const isFirst = value !== null && !met.has(value.id);
      if (value !== null) met.add(value.id);
      visitStart[at + i] = start;
      visitStatus[at + i] = (code & STATUS_CODE) | (isFirst ? FIRST_VISIT : 0);
    }
    return fits;
  }

  #writeSpans(row: number, spans: readonly HeldVisit[]): boolean {
    const { assigneeAt, assigneeCount } = this.#columns;
    if (spans.length > MOST_COUNTED) {
      assigneeCount[row] = 0;
      return false;
    }
    const before = assigneeCount[row] ?? 0;
    if (spans.length > before) {
      this.#garbage += before;
      assigneeAt[row] = this.#spans;
      this.#spans += spans.length;
      this.#growPool(['spanStart', 'spanAssignee'], this.#spans);
    } else this.#garbage += before - spans.length;
    assigneeCount[row] = spans.length;
    const at = assigneeAt[row] ?? 0;
    const { spanStart, spanAssignee } = this.#columns;
    const values = this.values('assignee');
    for (const [i, { value, known, start }] of spans.entries()) {
      spanStart[at + i] = start;
      spanAssignee[at + i] = known ? values.codeOf(value) : ABSENT;
    }
    return true;
  }

  #retire(row: number): void {
    const columns = this.#columns;
    const key = this.keyOf(row);
    this.#garbage += (columns.statusCount[row] ?? 0) + (columns.assigneeCount[row] ?? 0);
    columns.statusCount[row] = 0;
    columns.assigneeCount[row] = 0;
    columns.flags[row] = rowFlag.dead;
    for (const texts of this.#texts.values()) texts.forget(row);
    this.#leave(row);
    this.#rowOfId[columns.storeId[row] ?? 0] = 0;
    this.#alive -= 1;
    if (columns.project[row] !== IRREGULAR) {
      this.#forgetKey(row);
      return;
    }
    this.#irregular.delete(row);
    this.#irregularRows.delete(key);
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
    const { project: projects, number: numbers } = this.#columns;
    const mask = table.length - 1;
    for (let slot = hashOf(project, number) & mask; ; slot = (slot + 1) & mask) {
      const row = (table[slot] ?? 0) - 1;
      if (row < 0 || (projects[row] === project && numbers[row] === number)) return slot;
    }
  }

  #noteKey(row: number): void {
    if (isCrowded(this.#rowOfKey, this.#rows)) {
      const table = new Uint32Array(this.#rowOfKey.length * 2);
      for (let other = 0; other < this.#rows; other += 1) this.#hashKey(other, table);
      this.#rowOfKey = table;
    }
    this.#hashKey(row, this.#rowOfKey);
  }

  async #hashedKeys(size: number, rest: Rest): Promise<Uint32Array<ArrayBuffer>> {
    const table = new Uint32Array(size);
    for (let row = 0; row < this.#rows; row += 1) {
      this.#hashKey(row, table);
      const due = row % ROWS_AT_ONCE === 0 ? rest() : null;
      if (due !== null) await due;
    }
    return table;
  }

  #hashKey(row: number, table: Uint32Array<ArrayBuffer>): void {
    const { project, number, flags } = this.#columns;
    // A new row has no flags of its own yet.
    const isDead = flags[row] !== NEW_ROW && ((flags[row] ?? 0) & rowFlag.dead) !== 0;
    if (isDead || project[row] === IRREGULAR) return;
    table[this.#keySlot(project[row] ?? 0, number[row] ?? 0, table)] = row + 1;
  }

  /** Slots behind a free one could not be found any more, so those that follow move up. */
  #forgetKey(row: number): void {
    const { project, number } = this.#columns;
    const table = this.#rowOfKey;
    const mask = table.length - 1;
    let free = this.#keySlot(project[row] ?? 0, number[row] ?? 0);
    table[free] = 0;
    for (let slot = (free + 1) & mask; ; slot = (slot + 1) & mask) {
      const other = (table[slot] ?? 0) - 1;
      if (other < 0) return;
      table[slot] = 0;
      free = this.#keySlot(project[other] ?? 0, number[other] ?? 0);
      table[free] = other + 1;
    }
  }

  /** Whether a row, the last one, belongs behind the one before it. */
  #follows(row: number): boolean {
    return row === 0 || this.#compare(row - 1, row) <= 0;
  }

  #compare(a: number, b: number): number {
    const { created, number } = this.#columns;
    return (
      (created[a] ?? 0) - (created[b] ?? 0) ||
      compareText(projectKeyOf({ key: this.keyOf(a) }), projectKeyOf({ key: this.keyOf(b) })) ||
      (number[a] ?? 0) - (number[b] ?? 0)
    );
  }

  #sorted(): Uint32Array {
    if (this.#unordered.length === 0) return this.#order ?? this.#ordered();
    const known = this.#ordered();
    const added = this.#unordered.toSorted((a, b) => this.#compare(a, b));
    const order = new Uint32Array(known.length + added.length);
    let [at, next] = [0, 0];
    for (const row of known) {
      for (; next < added.length && this.#compare(added[next] ?? 0, row) < 0; next += 1) {
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
    const keys = this.#columns.created.subarray(0, this.#rows);
    return rowsByKey(keys, (a, b) => this.#compare(a, b), rest);
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

  #livingOf(order: Uint32Array): Uint32Array {
    if (this.#alive === order.length) return order;
    const { flags } = this.#columns;
    const rows = new Uint32Array(this.#alive);
    let count = 0;
    for (let i = 0; i < order.length; i += 1) {
      const row = order[i] ?? 0;
      if (((flags[row] ?? 0) & rowFlag.dead) === 0) rows[count++] = row;
    }
    return rows;
  }

  #changed(): void {
    lastVersion += 1;
    this.#version = lastVersion;
  }

  #growRows(rows: number): void {
    if (rows <= this.#capacity) {
      this.#columns.flags[rows - 1] = NEW_ROW;
      return;
    }
    const size = roomFor(rows);
    for (const name of columnNames) {
      if (!isPool(name)) this.#replace(name, size);
    }
    for (const column of this.#fields.values()) column.codes = copied(column.codes, size);
    for (const texts of this.#texts.values()) texts.grow(size);
    this.#columns.flags[rows - 1] = NEW_ROW;
  }

  #growPool(names: readonly PoolColumn[], used: number): void {
    for (const name of names) if (used > this.#columns[name].length) this.#replace(name, roomFor(used));
  }

  #replace(name: ColumnName, size: number): void {
    const columns: Record<ColumnName, Numbers> = this.#columns;
    columns[name] = copied(columns[name], size);
  }
}

const noRest: Rest = () => null;

function isInDoubt(mentions: readonly Doubtable[]): boolean {
  return mentions.some(({ doubted }) => doubted > 0);
}

/** Whether a snapshot keeps a field: all but texts, and what else is nearly as many values as issues. */
function isKept(field: string, values: ValueCodes): boolean {
  return values.size <= MOST_KEPT_VALUES || (heldFields as readonly string[]).includes(field);
}

/** Whether a table of hashes is too small for so many rows. */
function isCrowded(table: Uint32Array, rows: number): boolean {
  return rows * 1.5 > table.length;
}

/** What a column has an element of. */
function unitOf(name: ColumnName): 'rows' | 'visits' | 'spans' {
  if (!isPool(name)) return 'rows';
  return name === 'visitStart' || name === 'visitStatus' ? 'visits' : 'spans';
}

/** Copies the numbers of some rows, one after the other. */
function pickRows(from: Numbers, to: Numbers, rows: Uint32Array): void {
  if (from instanceof Float64Array) for (let i = 0; i < rows.length; i += 1) to[i] = from[rows[i] ?? 0] ?? 0;
  else if (from instanceof Uint32Array)
    for (let i = 0; i < rows.length; i += 1) to[i] = from[rows[i] ?? 0] ?? 0;
  else for (let i = 0; i < rows.length; i += 1) to[i] = from[rows[i] ?? 0] ?? 0;
}

/** The flags of a row nothing was written to yet. */
const NEW_ROW = 0xff;

/** What a column holds of an issue's field. */
function heldContent(issue: Issue, field: string): FieldContent | undefined {
  if (field === 'project') return issue.project;
  return contentOf(issue, field);
}

/** Whether the fields an issue shows are those it is known by. */
function showsItself(issue: Issue): boolean {
  const { status, assignee, project } = issue;
  const [shownStatus, shownAssignee, shownProject] = ['status', 'assignee', 'project'].map((field) =>
    contentOf(issue, field),
  );
  return (
    isSame(shownStatus, status) &&
    isSame(shownAssignee, assignee) &&
    (shownProject === undefined || isSame(shownProject, project))
  );
}

/**
 * Whether each change of a field comes from the very value the one before led to, as the visits have it. Of changes at
 * one instant, or in no order, it is not looked into.
 */
function isChain({ changes }: Issue, field: string, visits: readonly HeldVisit[]): boolean {
  if (visits.length < 2) return true;
  let [rises, falls] = [true, true];
  let [first, last] = [Number.NaN, Number.NaN];
  let count = 0;
  for (const change of changes) {
    if (change.field !== field) continue;
    const { at } = change;
    rises &&= count === 0 || at > last;
    falls &&= count === 0 || at < last;
    if (count === 0) first = at;
    last = at;
    count += 1;
  }
  if (count !== visits.length - 1 || !(rises || falls)) return false;
  let visit = first <= last ? 0 : count - 1;
  const step = first <= last ? 1 : -1;
  for (const change of changes) {
    if (change.field !== field) continue;
    const before = visits[visit]?.value ?? null;
    if (before?.id !== change.from?.id || before?.name !== change.from?.name) return false;
    visit += step;
  }
  return true;
}

function isSame(content: FieldContent | undefined, value: FieldValue | null): boolean {
  if (value === null) return content === null;
  if (content === null || typeof content !== 'object' || !('id' in content)) return false;
  return content.id === value.id && content.name === value.name;
}

const LARGEST_NUMBER = 0xfffffffe;

/** Project key and number of a key that can be made of them again; null of any other. */
function keyParts(key: string): { readonly projectKey: string; readonly number: number } | null {
  const dash = key.lastIndexOf('-');
  const digits = key.slice(dash + 1);
  const number = Number(digits);
  if (dash <= 0 || String(number) !== digits || number > LARGEST_NUMBER || !(number >= 0)) return null;
  return { projectKey: key.slice(0, dash), number };
}

function hashOf(project: number, number: number): number {
  const mixed = Math.imul(number ^ Math.imul(project + 1, 0x9e3779b1), 0x85ebca6b);
  return (mixed ^ (mixed >>> 15)) >>> 0;
}

function isPool(name: ColumnName): name is PoolColumn {
  return (poolColumns as readonly string[]).includes(name);
}

/** A quarter more than needed: adding one by one copies little, and little lies idle. */
function roomFor(count: number): number {
  return Math.ceil(Math.max(FIRST_ROWS, count) * 1.25);
}

function shared<Kind extends Numbers>(kind: NumbersOf<Kind>, length: number): Kind {
  return new kind(new SharedArrayBuffer(length * kind.BYTES_PER_ELEMENT));
}

/** What makes numbers of a kind over a buffer. */
interface NumbersOf<Kind extends Numbers> {
  new (buffer: SharedArrayBuffer): Kind;
  readonly BYTES_PER_ELEMENT: number;
}

function copied<Kind extends Numbers>(numbers: Kind, length: number): Kind {
  const more = shared(numbers.constructor as unknown as NumbersOf<Kind>, length);
  more.set(numbers);
  return more;
}

function bytesOf({ buffer, byteOffset, byteLength }: Numbers): Uint8Array<SharedArrayBuffer> {
  return new Uint8Array(buffer as SharedArrayBuffer, byteOffset, byteLength);
}

function grown(numbers: Uint32Array<ArrayBuffer>, length: number): Uint32Array<ArrayBuffer> {
  const more = new Uint32Array(roomFor(length));
  more.set(numbers);
  return more;
}
