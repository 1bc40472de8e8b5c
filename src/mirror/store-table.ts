import { setImmediate as nextTurn } from 'node:timers/promises';
import { millisecondsInMinute } from 'date-fns/constants';
import pLimit from 'p-limit';
import { singleFlight } from '../cache/namespace.ts';
import { isDue } from '../concurrency/clock-check.ts';
import { createYieldIfDue, detached } from '../concurrency/cooperative-yield.ts';
import { outsideQuestion } from '../concurrency/request-scope.ts';
import { IRREGULAR } from '../engine/columns/column-arrays.ts';
import { BLOCKERS, flagHistory } from '../engine/columns/history-column.ts';
import { IssueColumns } from '../engine/columns/issue-columns.ts';
import type { RowContent } from '../engine/columns/write-row.ts';
import { rowContent } from '../engine/measure/own-cells.ts';
import { AppError } from '../model/error.ts';
import type { Instant } from '../model/issue.ts';
import type { IssueStore } from '../store/store.ts';
import type { ColumnSnapshot } from './column-snapshot.ts';
import { createConfirming } from './confirm-mentions.ts';
import { type BesideParts, besideParts, endable } from './field-thread.ts';
import { type IssueTable, tableOver } from './issue-table.ts';
import { createHistorySpill } from './spilled-histories.ts';

/** The unused part of columns beyond which they are made again without it. */
const MAX_WASTE = 1 / 4;

/** The number of issues from which on a file is read more quickly than the store. */
const MIN_SAVED = 2_000;

/** The part of the issues that has changed since columns were last saved from which on they are saved again; at the end less. */
const STALE_PART = 1 / 50;
const STALE_PART_AT_END = 1 / 1_000;

/** The pause (ms) between savings, by any process, for a file has up to some hundred megabytes. */
export const SAVED_EVERY_MS = 5 * millisecondsInMinute;

/** The number of issues that are read and written to columns at once; more take so much memory that clearing it takes longer. */
const TAKEN_AT_ONCE = 64;

/** The number of copies that changes may interrupt; during the next one changes wait. */
const MAX_TRIES = 3;

/** The limit of readings that a question waits for: a store that was put back never reaches the state it wants. */
const MAX_JOINED = 5;

/** The revision of a store's issues, the mark of that, and the lineage of the database. */
interface StoreState {
  readonly revision: number;
  readonly mark: string;
  readonly lineage: string;
}

/** The parts of a table of a store's issues. */
interface StoreTableParts {
  readonly store: Pick<
    IssueStore,
    'revision' | 'mark' | 'lineage' | 'changedSince' | 'issuesAt' | 'issuesAfter' | 'reader'
  >;
  /** Null: every start makes the columns from the store. */
  readonly snapshot: ColumnSnapshot | null;
  readonly now: () => Instant;
  /** Called once with a failure behind questions, such as that of writing the snapshot, and with damage of a snapshot. */
  readonly onProblem: (error: unknown) => void;
  /** Returns whether this process is to save, and no other one for five minutes; left out: it always is. */
  readonly claimSave?: () => Promise<boolean>;
  /**
   * Returns the ids of the fields that are flags. Columns that are made from the store have the histories of `flagHistory` and
   * of `BLOCKERS` from the start, and let none of them go: each weekly summary needs them.
   */
  readonly flags?: () => Promise<readonly string[]>;
  /** Columns of fewer issues are not saved. */
  readonly minSaved?: number;
  readonly beside?: BesideParts;
  /** The blobs and the name of spill files; with null, histories that are let go are read from the store again. */
  readonly spillTo?: Pick<Parameters<typeof createHistorySpill>[0], 'blobs' | 'name'> | null;
}

/** A table of a store's issues. */
export interface StoreTable {
  /**
   * Brings the table up to date with the store, which another process may have changed. Calls at the same time wait for one
   * reading. A reading that failed keeps the rows that it has written; the next one goes on from there.
   */
  table(): Promise<IssueTable>;
  /** The columns as they are, without bringing them up to date; null until they are made. */
  current(): IssueColumns | null;
  /** Resolves when no work goes on behind questions. */
  idle(): Promise<void>;
  /** Ends all reading, and saves unsaved changes. */
  close(): Promise<void>;
}

/** Creates a table whose columns follow the store's revisions, and are in a file from one start to the next. */
export function createStoreTable({
  store,
  snapshot,
  now,
  onProblem,
  claimSave = async () => true,
  flags = async () => [],
  minSaved = MIN_SAVED,
  beside = besideParts,
  spillTo = null,
}: StoreTableParts): StoreTable {
  const readings = singleFlight<IssueTable>();
  /** All writing to columns goes one after the other, so that no older state comes after a newer one. */
  const alone = pLimit(1);
  const closing = new AbortController();
  const threads = endable(beside);
  const openSpill = () =>
    spillTo === null ? null : createHistorySpill({ ...spillTo, onProblem: noteProblem });
  let spill = openSpill();
  let current: IssueTable | null = null;
  /** The fields whose histories columns have from the start. */
  let firstHistories: readonly string[] = [];
  /** Keys of the current columns that are not all upper case, by their upper case, which the store gives of removed ones. */
  let spellings = new Map<string, string>();
  let unsaved = 0;
  let savedAt: Instant | null = null;
  let tries = 0;
  let saving: Promise<void> | null = null;
  let compacting: Promise<void> | null = null;
  let isReported = false;
  /** The columns were made without a snapshot: then this process saves them, also where another one has saved of late. */
  let isMissing = false;
  /** The columns were just made from the store, and no question has them yet. */
  let isNew = false;
  /** The state of the store when it was last read. */
  let seen: StoreState | null = null;

  const confirming = createConfirming({
    current: () => current,
    alone,
    now,
    signal: closing.signal,
    onProblem: noteUnlessClosed,
  });

  function noteProblem(error: unknown): void {
    if (!isReported) onProblem(error);
    isReported = true;
  }

  function noteUnlessClosed(error: unknown): void {
    if (!closing.signal.aborted) noteProblem(error);
  }

  async function read(): Promise<IssueTable> {
    closing.signal.throwIfAborted();
    let now = await stateOfStore();
    if (current !== null && isAnother(now, current.columns.revision)) {
      // A state that was read earlier in this turn, or for this question, may be older than the columns are.
      await nextTurn();
      now = await outsideQuestion(stateOfStore);
      // Columns of another store go.
      if (isAnother(now, current.columns.revision)) {
        await compacting;
        await spill?.close();
        spill = openSpill();
        current = null;
      }
    }
    const { revision } = now;
    if (current?.columns.revision !== revision) await compacting;
    if (current === null) firstHistories = [BLOCKERS, ...(await flags()).map(flagHistory)];
    current ??= (await load()) ?? fresh();
    if (current.columns.revision !== revision) await catchUp(current.columns);
    seen = now;
    // Issues come in the order of their last change, and questions read them in that of their creation.
    if (isNew && !current.columns.isInOrder) await compact();
    isNew = false;
    if (compacting === null) await confirming.begin();
    // The columns are up to date, and only take up more than they need.
    if (current.columns.waste > MAX_WASTE) void compact();
    saveIfStale(current.columns);
    return current;
  }

  async function stateOfStore(): Promise<StoreState> {
    const [revision, mark, lineage] = await Promise.all([store.revision(), store.mark(), store.lineage()]);
    return { revision, mark, lineage };
  }

  /** Returns true where the store is older than the columns, or may have other issues at their revision. */
  function isAnother({ revision, mark, lineage }: StoreState, columnsRevision: number): boolean {
    if (revision < columnsRevision) return true;
    return seen !== null && (lineage !== seen.lineage || (revision === seen.revision && mark !== seen.mark));
  }

  /** Makes new columns of the current ones, to which nothing is written until that is done. */
  function compact(): Promise<void> {
    compacting ??= detached(() =>
      alone(async () => {
        closing.signal.throwIfAborted();
        const before = current;
        if (before === null) return;
        const columns = await before.columns.compacted(createYieldIfDue());
        if (current === before) current = begin(columns);
      }),
    )
      .catch(noteUnlessClosed)
      .finally(() => {
        compacting = null;
      });
    return compacting;
  }

  function fresh(): IssueTable {
    isNew = true;
    isMissing = true;
    savedAt = null;
    const columns = new IssueColumns();
    for (const field of firstHistories) {
      columns.beginHistory(field);
      // No row has to be filled.
      void columns.endHistory(field);
    }
    return begin(columns);
  }

  async function load(): Promise<IssueTable | null> {
    try {
      const loaded = (await snapshot?.load(createYieldIfDue())) ?? null;
      if (loaded === null) return null;
      savedAt = now();
      return begin(loaded);
    } catch (error) {
      // A damaged file can still be replaced; a failure of that is a problem of its own.
      if (error instanceof AppError) onProblem(error);
      else noteProblem(error);
      return null;
    }
  }

  function begin(columns: IssueColumns): IssueTable {
    spellings = otherSpellings(columns);
    for (const field of firstHistories) columns.histories.lease(field);
    const onHeld = () => {
      // A new field takes as long to read again as if every issue had changed.
      unsaved += columns.size;
    };
    return tableOver(columns, { store, alone, onHeld, signal: closing.signal, beside: threads, spill });
  }

  async function catchUp(columns: IssueColumns): Promise<void> {
    const pace = createYieldIfDue();
    for (;;) {
      const count = await alone(async () => {
        closing.signal.throwIfAborted();
        const { issues, removed, revision } = await store.changedSince(columns.revision, TAKEN_AT_ONCE);
        const contents = issues.map(({ id, issue }) => ({ id, content: rowContent(issue) }));
        const count = (of: 'statuses' | 'assignees') =>
          contents.reduce((sum, { content }) => sum + content[of].length, 0);
        const room = { rows: contents.length, visits: count('statuses'), spans: count('assignees') };
        await columns.makeRoom(room, pace);
        await columns.writing(() => take(columns, { contents, removed, revision }));
        return issues.length + removed.length;
      });
      unsaved += count;
      if (count < TAKEN_AT_ONCE) break;
      await pace();
    }
    await alone(() => columns.prepareOrder(pace));
  }

  /** Writes changes at once, so that a revision is in the columns wholly or not at all. */
  function take(
    columns: IssueColumns,
    {
      contents,
      removed,
      revision,
    }: {
      readonly contents: readonly { readonly id: number; readonly content: RowContent }[];
      readonly removed: readonly string[];
      readonly revision: number;
    },
  ): void {
    for (const key of removed) columns.remove(spellings.get(key) ?? key);
    for (const { id, content } of contents) {
      const { key } = content.issue;
      const upper = key.toUpperCase();
      const before = spellings.get(upper) ?? upper;
      // The store has one issue under all spellings of a key.
      if (before !== key) columns.remove(before);
      columns.put(id, content);
      if (key !== upper) spellings.set(upper, key);
      else spellings.delete(upper);
    }
    columns.revision = revision;
  }

  function saveIfStale(columns: IssueColumns): void {
    if (unsaved === 0 || saving !== null || unsaved < columns.size * STALE_PART) return;
    if (isDue(now(), savedAt, SAVED_EVERY_MS)) void detached(() => save(columns));
  }

  /** Saves the columns, for which only `close` waits. */
  function save(columns: IssueColumns): Promise<void> {
    if (snapshot === null || columns.size < minSaved) return Promise.resolve();
    const pace = createYieldIfDue();
    const before = unsaved;
    const isOfStore = async () => {
      // Columns may get further while the store is read.
      const { revision } = columns;
      return !isAnother(await outsideQuestion(stateOfStore), revision);
    };
    const attempt = async () =>
      isMissing || (await claimSave())
        ? snapshot.save(columns, { pace, isOfStore, isSteady: tries >= MAX_TRIES })
        : 'elsewhere';
    const lastSavedAt = savedAt;
    savedAt = now();
    saving = attempt()
      .then((isSaved) => {
        // A start can load the file of another process, too.
        if (isSaved === 'elsewhere') return;
        if (!isSaved) {
          tries += 1;
          savedAt = lastSavedAt;
          return;
        }
        tries = 0;
        isMissing = false;
        unsaved -= before;
      }, noteProblem)
      .finally(() => {
        saving = null;
      });
    return saving;
  }

  return {
    async table() {
      const wanted = await stateOfStore();
      // A reading that is under way may have begun before a change that this one is to have.
      await readings.joined('')?.catch(() => {});
      for (let joined = 1; ; joined += 1) {
        const table = await readings.run('', joined === 1 ? read : () => outsideQuestion(read));
        const isOfWanted = table.columns.revision >= wanted.revision && seen?.lineage === wanted.lineage;
        // The caller that began it may go by a state of the store that its own question had read before.
        if (isOfWanted || joined === MAX_JOINED) return table;
      }
    },
    current: () => current?.columns ?? null,
    async idle() {
      for (;;) {
        const underWay = [compacting, confirming.underWay(), saving].filter((one) => one !== null);
        if (underWay.length === 0) return;
        await Promise.all(underWay);
      }
    },
    async close() {
      closing.abort(new Error('The table was closed.'));
      // Each thread has the store open: the last one to close it tidies up behind it.
      await threads.endAll();
      await spill?.close();
      // Work under way ends with its current piece.
      await alone(async () => {});
      await confirming.underWay();
      await saving;
      const columns = current?.columns;
      if (columns !== undefined && unsaved > columns.size * STALE_PART_AT_END) await save(columns);
    },
  };
}

/** The irregular keys and those of projects that are not in upper case, by their upper case. */
function otherSpellings(columns: IssueColumns): Map<string, string> {
  const isOther = columns.projectKeys.map((key) => key !== key.toUpperCase());
  const { project } = columns.arrays();
  const found = new Map<string, string>();
  for (const row of columns.rowsByCreation()) {
    const code = project[row] ?? IRREGULAR;
    if (code !== IRREGULAR && isOther[code] !== true) continue;
    const key = columns.keyOf(row);
    if (key !== key.toUpperCase()) found.set(key.toUpperCase(), key);
  }
  return found;
}
