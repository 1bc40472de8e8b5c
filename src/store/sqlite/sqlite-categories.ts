import type { DatabaseSync } from 'node:sqlite';
import { foldedCategoryName } from '../../issues/ids-and-names.ts';
import type { Category, CategoryInput } from '../../model/delegation.ts';
import type { DelegationStore } from '../store.ts';
import { nextId } from './next-id.ts';
import { inTransaction } from './transaction.ts';

/** Trackers bring categories along, whose ids are smaller. */
const FIRST_ID = 101;

/** The categories of delegations of one tracker: a row each. */
export function createSqliteCategories(
  database: DatabaseSync,
  tracker: string,
): Pick<DelegationStore, 'categories' | 'addCategory' | 'changeCategory' | 'removeCategory'> {
  /** Whether the name is another category's, here or elsewhere. */
  function isTaken({ name }: CategoryInput, taken: readonly string[], id: number | null): boolean {
    const folded = foldedCategoryName(name);
    const other = database.prepare(
      'SELECT 1 FROM delegation_category WHERE tracker = ? AND folded = ? AND id IS NOT ?',
    );
    return (
      taken.some((one) => foldedCategoryName(one) === folded) || other.get(tracker, folded, id) !== undefined
    );
  }

  return {
    async categories() {
      const rows = database.prepare('SELECT * FROM delegation_category WHERE tracker = ? ORDER BY id');
      return rows.all(tracker).map(read);
    },
    async addCategory(wish, taken) {
      const insert = database.prepare(
        'INSERT INTO delegation_category (tracker, id, name, folded, description) VALUES (?, ?, ?, ?, ?)',
      );
      return inTransaction(database, () => {
        if (isTaken(wish, taken, null)) return null;
        const { name, description } = wish;
        const id = nextId(database, tracker, 'category', FIRST_ID);
        insert.run(tracker, id, name, foldedCategoryName(name), description);
        return { id, name, description };
      });
    },
    async changeCategory(id, wish, taken) {
      const update = database.prepare(
        'UPDATE delegation_category SET name = ?, folded = ?, description = ? WHERE tracker = ? AND id = ?',
      );
      return inTransaction(database, () => {
        if (!isKept(database, tracker, id)) return null;
        if (isTaken(wish, taken, id)) return false;
        const { name, description } = wish;
        update.run(name, foldedCategoryName(name), description, tracker, id);
        return { id, name, description };
      });
    },
    async removeCategory(id) {
      const use = database.prepare(`
        SELECT 1 FROM delegation, json_each(delegation.document, '$.categoryIds') AS named
        WHERE delegation.tracker = ? AND named.value = ? LIMIT 1`);
      const remove = database.prepare('DELETE FROM delegation_category WHERE tracker = ? AND id = ?');
      return inTransaction(database, () => {
        if (!isKept(database, tracker, id)) return 'unknown';
        if (use.get(tracker, id) !== undefined) return 'used';
        remove.run(tracker, id);
        return 'removed';
      });
    },
  };
}

/** Whether a category is kept; asked in a transaction, it stays so until that ends. */
export function isKept(database: DatabaseSync, tracker: string, id: number): boolean {
  const find = database.prepare('SELECT 1 FROM delegation_category WHERE tracker = ? AND id = ?');
  return find.get(tracker, id) !== undefined;
}

function read(row: Record<string, unknown>): Category {
  return { id: Number(row.id), name: String(row.name), description: String(row.description) };
}
