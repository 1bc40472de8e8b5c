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
  const byNumbers = preparePacked(database, 'id > ? AND +tenant = ? AND +tracker = ?', 'id');
  return (after, count, use) => {
    const rows = byNumbers(after, ...owner, count);
    try {
      return use(
        rows.map(({ id, revision, packed }) => ({
          ...{ id, revision },
          issue: new PackedFields(packed, unpacker),
        })),
      );
    } finally {
      // Their bytes would stay until garbage is collected, long after the next ones have come.
      rows[0]?.packed.buffer.transfer(0);
    }
  };
}

interface PackedRow {
  readonly id: number;
  readonly revision: number;
  readonly packed: Uint8Array<ArrayBuffer>;
}

/**
 * Reads packed issues that fulfil a condition, the first ones by `order`, at most as many as the last parameter says. Their
 * bytes come in one piece, each issue's behind the other's: as thousands of small pieces they take twice the time, and leave
 * memory full of holes. A piece that fits in the cache of a processor, of 250 issues or so, takes the least time.
 */
export function preparePacked(
  database: DatabaseSync,
  condition: string,
  order: 'id' | 'revision',
): (...parameters: (string | number)[]) => PackedRow[] {
  const statement = database.prepare(`
    SELECT group_concat(id), group_concat(revision), group_concat(length(packed)), CAST(group_concat(packed, '') AS BLOB)
    FROM (SELECT id, revision, packed FROM issue WHERE ${condition} ORDER BY ${order} LIMIT ?)`);
  return (...parameters) => {
    const row = statement.get(...parameters);
    const [ids, revisions, lengths, packed] = Object.values(row ?? {});
    if (ids === null) return [];
    const bytes = bytesOf(packed);
    const numbers = [ids, revisions, lengths].map((list) => String(list).split(',').map(Number));
    let end = 0;
    const rows = (numbers[0] ?? []).map((id, i) => {
      const start = end;
      end += numbers[2]?.[i] ?? 0;
      return { id, revision: numbers[1]?.[i] ?? 0, packed: bytes.subarray(start, end) };
    });
    // SQLite promises no order of what it puts together, but has them in order.
    return rows.sort((a, b) => a[order] - b[order]);
  };
}

/** The bytes of a column that holds nothing else. */
export function bytesOf(value: SQLOutputValue | undefined): Uint8Array<ArrayBuffer> {
  if (!(value instanceof Uint8Array)) throw new Error('A row of the store lacks its bytes.');
  return value;
}
