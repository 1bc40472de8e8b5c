import { AppError } from '../../model/error.ts';
import type { Instant } from '../../model/issue.ts';
import type { Row, Tally } from './moved-tables.ts';

/** The table with one row, the mark. It is there only in a store that takes part in a move or was moved. */
export const MARK_TABLE = 'store_move';

/** The progress of a table: `after` is the key of its last row that was moved; `isWhole`: all of it was. */
export interface TableProgress extends Tally {
  readonly after: Row | null;
  readonly isWhole: boolean;
}

/** The members that the marks of both stores of a move share. */
interface AnyMark {
  /** A random word of this move. */
  readonly id: string;
  /** The other store, as people read it: without user and password. */
  readonly other: string;
  /** The word for the other store in a command. */
  readonly argument: string;
  readonly at: Instant;
}

/** The store that is moved: no one writes to it from then on. `isOver`: all of it is in the other one. */
interface SourceMark extends AnyMark {
  readonly role: 'source';
  readonly isOver: boolean;
}

/** The store that is being filled, with the progress by table. `isCompared`: all of it was read back and is the same. */
export interface TargetMark extends AnyMark {
  readonly role: 'target';
  readonly isCompared: boolean;
  readonly tables: Readonly<Record<string, TableProgress>>;
}

/** The mark of a store that takes part in a move. */
export type MoveMark = SourceMark | TargetMark;

/** Reads a stored mark. */
export function readMark(text: string): MoveMark {
  return JSON.parse(text);
}

/** The names of a store: the word for `store move`, and as a sentence begins. */
interface NamedStore {
  readonly argument: string;
  readonly name: string;
}

/** Names the store in a folder. */
export const storeIn = (dataDir: string): NamedStore => ({
  argument: dataDir,
  name: `The store in DATA_DIR '${dataDir}'`,
});

/** Names the store in a database, whose address may have a password. */
export const storeInDatabase: NamedStore = { argument: 'DATABASE_URL', name: 'The store in DATABASE_URL' };

/** Fails where a store was moved, is being moved, or is filled only in part; `text` is its mark. */
export function assertNotMoved(text: string | null, store: NamedStore): void {
  if (text === null) return;
  const mark = readMark(text);
  throw new AppError(
    'store-unavailable',
    mark.role === 'source' ? refusalOf(mark, store) : incompleteText(mark, store),
  );
}

/** The sentence by which a store that is filled only in part refuses to be used. */
export function incompleteText({ other, argument }: TargetMark, store: NamedStore): string {
  return `${store.name} is incomplete: the move from ${other} has not ended. Continue it: ${moveCommand(argument, store.argument)}.`;
}

/** The sentence by which a store that is moved refuses to be used or written to. */
export function refusalOf(mark: SourceMark, { name, argument }: NamedStore): string {
  const undo = moveCommand(argument, '--force');
  return mark.isOver
    ? `${name} was moved to ${mark.other} at ${timeOf(mark.at)}. Use that one, or use this one again: ${undo}.`
    : `${name} is being moved to ${mark.other} since ${timeOf(mark.at)}. If the move was interrupted, continue it: ${moveCommand(argument, mark.argument)}, or undo it: ${undo}.`;
}

/** The command that moves one store into another, or continues to. */
export function moveCommand(from: string, to: string): string {
  return `npx dwell store move ${from} ${to}`;
}

function timeOf(at: Instant): string {
  return `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
