import { statSync } from 'node:fs';
import { DatabaseSync, type SQLOutputValue, type StatementSync } from 'node:sqlite';
import { createIssueTerms, termKinds } from '../packed/issue-terms.ts';
import { fieldsOfRows } from '../packed/packed-issue.ts';
import { createIssueUnpacker } from '../packed/unpack-issue.ts';
import type { OnStatement, PackedRange, PackedRow, Reader } from '../sql/engine.ts';
import type { Owner } from '../sql/tables.ts';
import type { IssueReader, IssueReaderPlace } from '../store.ts';
import { observed } from './node-sqlite-dialect.ts';

/** The place of an owner's issues; `inode` distinguishes the file from another one that takes its place. */
interface SqlitePlace {
  readonly file: string;
  readonly inode: bigint;
  readonly owner: Owner;
}

/** Returns the place from which another thread reads an owner's issues; null where the file is gone. */
export function issueReaderPlace(file: string, owner: Owner): IssueReaderPlace | null {
  const there = statSync(file, { bigint: true, throwIfNoEntry: false });
  if (there === undefined) return null;
  return { module: import.meta.url, place: { file, inode: there.ino, owner } satisfies SqlitePlace };
}

/** Opens a reader with a connection of its own, at a place that `issueReaderPlace` returned. */
export function openIssueReader({ file, inode, owner }: SqlitePlace): IssueReader {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    if (statSync(file, { bigint: true }).ino !== inode) throw new Error('The database was replaced.');
    const packed = createPackedReader(database);
    const terms = createIssueTerms();
    const unpacker = createIssueUnpacker(terms);
    const newTerms = database.prepare(`
      SELECT kind, number, term FROM issue_term
      WHERE tenant = ? AND tracker = ? AND kind = ? AND number >= ? ORDER BY number`);
    let known = -1;
    return {
      issuesAfter(after, count, use) {
        const rows = packed(owner, { order: 'id', after, count });
        // Terms are stored with the first issue that needs them.
        const last = rows.reduce((revision, row) => Math.max(revision, row.revision), -1);
        if (last > known) {
          for (const kind of termKinds) terms.take(termsOf(newTerms.all(...owner, kind, terms.end(kind))));
          known = last;
        }
        return fieldsOfRows(rows, unpacker, use);
      },
      close: () => database.close(),
    };
  } catch (error) {
    database.close();
    throw error;
  }
}

function termsOf(rows: readonly Record<string, SQLOutputValue>[]) {
  return rows.map(({ kind, number, term }) => ({
    kind: String(kind),
    number: Number(number),
    term: String(term),
  }));
}

/** Prepares the reading of packed issues over a connection. */
export function preparePacked(database: DatabaseSync, onStatement?: OnStatement): Reader['packedIssues'] {
  const read = createPackedReader(database, onStatement);
  return async (owner, range) => read(owner, range);
}

/**
 * Reads packed issues. Their bytes come in one piece, each issue's behind the other's: as thousands of small pieces they
 * take twice the time, and leave memory full of holes. A piece that fits in the cache of a processor, of 250 issues or so,
 * takes the least time.
 */
function createPackedReader(
  database: DatabaseSync,
  onStatement?: OnStatement,
): (owner: Owner, range: PackedRange) => PackedRow[] {
  const statements = new Map<PackedRange['order'], StatementSync>();
  const statementFor = (order: PackedRange['order']) => {
    // The plus keeps SQLite from another index than that of the numbers.
    const owner =
      order === 'id'
        ? '+tenant = ? AND +tracker = ? AND id > ?'
        : 'tenant = ? AND tracker = ? AND revision > ?';
    return database.prepare(`
      SELECT group_concat(id), group_concat(revision), group_concat(length(packed)),
        CAST(group_concat(packed, '') AS BLOB)
      FROM (SELECT id, revision, packed FROM issue WHERE ${owner} ORDER BY ${order} LIMIT ?)`);
  };
  return (owner, { order, after, count }) => {
    const statement = statements.get(order) ?? statementFor(order);
    statements.set(order, statement);
    const values = [...owner, after, count];
    const row = observed(onStatement, statement.sourceSQL, values, () => statement.get(...values));
    const [ids, revisions, lengths, packed] = Object.values(row ?? {});
    if (ids === null) return [];
    if (!(packed instanceof Uint8Array)) throw new Error('A row of the store lacks its bytes.');
    const numbers = [ids, revisions, lengths].map((list) => String(list).split(',').map(Number));
    let end = 0;
    const rows = (numbers[0] ?? []).map((id, i) => {
      const start = end;
      end += numbers[2]?.[i] ?? 0;
      return { id, revision: numbers[1]?.[i] ?? 0, packed: packed.subarray(start, end) };
    });
    // SQLite promises no order of what it puts together, but has them in order.
    return rows.sort((a, b) => a[order] - b[order]);
  };
}
