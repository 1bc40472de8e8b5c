import { statSync } from 'node:fs';
import { DatabaseSync, type SQLOutputValue } from 'node:sqlite';
import { PackedFields } from '../packed/packed-issue.ts';
import { createIssueUnpacker, type IssueUnpacker } from '../packed/unpack-issue.ts';
import type { IssueReader, IssueReaderPlace } from '../store.ts';
import { isReplaced, type Owner } from './sqlite-database.ts';
import { createSqliteTerms } from './sqlite-terms.ts';

/** Where the issues of an owner are; `inode` tells the file from another one that takes its place. */
interface SqlitePlace {
  readonly file: string;
  readonly inode: bigint;
  readonly owner: Owner;
}

/** How another thread reads the issues of an owner; null of a database that is no file, or whose file is gone. */
export function issueReaderPlace(database: DatabaseSync, owner: Owner): IssueReaderPlace | null {
  const file = database.location();
  if (file === null || isReplaced(database)) return null;
  const there = statSync(file, { bigint: true, throwIfNoEntry: false });
  if (there === undefined) return null;
  return { module: import.meta.url, place: { file, inode: there.ino, owner } satisfies SqlitePlace };
}

/** Reads issues over a connection of its own, at the place that `issueReaderPlace` tells. */
export function openIssueReader({ file, inode, owner }: SqlitePlace): IssueReader {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    if (statSync(file, { bigint: true }).ino !== inode) throw new Error('The database was replaced.');
    const unpacker = createIssueUnpacker(createSqliteTerms(database, owner));
    return { issuesAfter: createIssuesAfter(database, owner, unpacker), close: () => database.close() };
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Reads issues in the order of their numbers; see `IssueStore`. */
export function createIssuesAfter(
  database: DatabaseSync,
  owner: Owner,
  unpacker: IssueUnpacker,
): IssueReader['issuesAfter'] {
  // The plus keeps SQLite from another index than that of the numbers.
  const byNumbers = database.prepare(
    'SELECT id, revision, packed FROM issue WHERE id > ? AND +tenant = ? AND +tracker = ? ORDER BY id LIMIT ?',
  );
  byNumbers.setReturnArrays(true);
  return (after, count) =>
    packedRows(byNumbers.all(after, ...owner, count)).map(({ id, revision, packed }) => ({
      ...{ id, revision },
      issue: new PackedFields(packed, unpacker),
    }));
}

interface PackedRow {
  readonly id: number;
  readonly revision: number;
  readonly packed: Uint8Array;
}

/** Rows that a statement returns as arrays. */
export function packedRows(rows: readonly unknown[]): readonly PackedRow[] {
  return rows.filter(Array.isArray).map(([id, revision, packed]) => ({
    id: Number(id),
    revision: Number(revision),
    packed: bytesOf(packed),
  }));
}

/** The bytes of a column that holds nothing else. */
export function bytesOf(value: SQLOutputValue | undefined): Uint8Array {
  if (!(value instanceof Uint8Array)) throw new Error('A row of the store lacks its bytes.');
  return value;
}
