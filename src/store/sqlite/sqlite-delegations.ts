import type { DatabaseSync } from 'node:sqlite';
import type { Delegation, DelegationInput, DelegationPermissions } from '../../model/delegation.ts';
import type { DelegationStore, Saving } from '../store.ts';
import { newestDelegations } from './newest-delegations.ts';
import { nextId } from './next-id.ts';
import { parseDocument } from './parse-document.ts';
import { readDelegation } from './read-delegation.ts';
import { createSqliteCategories, isKept } from './sqlite-categories.ts';
import { inTransaction } from './transaction.ts';

/** Trackers bring delegations along, whose ids are smaller. */
const FIRST_ID = 100_001;

/** The delegations of one tracker in SQLite: a row per version. */
export function createSqliteDelegations(database: DatabaseSync, tracker: string): DelegationStore {
  const permissionsName = `delegation-permissions ${tracker}`;

  function keep({ id, version, ...wish }: Delegation, saving: Saving | null): Delegation {
    database
      .prepare(`
        INSERT INTO delegation (tracker, id, version, document, saved_by, saved_at, revision)
        VALUES (?, ?, ?, ?, ?, ?,
          (SELECT ifnull(max(revision), 0) + 1 FROM delegation WHERE tracker = ?))`)
      .run(
        tracker,
        id,
        version,
        JSON.stringify(plain(wish)),
        saving?.by ?? null,
        saving?.at ?? null,
        tracker,
      );
    return { ...plain(wish), id, version };
  }

  function newest(id: number): Delegation | null {
    const row = database
      .prepare('SELECT * FROM delegation WHERE tracker = ? AND id = ? ORDER BY version DESC LIMIT 1')
      .get(tracker, id);
    return row === undefined ? null : readDelegation(row);
  }

  const areThere = ({ categoryIds }: DelegationInput, elsewhere: readonly number[]) =>
    categoryIds.every((id) => elsewhere.includes(id) || isKept(database, tracker, id));

  return {
    ...createSqliteCategories(database, tracker),
    async delegations() {
      return newestDelegations(database, tracker);
    },
    async versions(id) {
      return database
        .prepare('SELECT * FROM delegation WHERE tracker = ? AND id = ? ORDER BY version')
        .all(tracker, id)
        .map((row) => ({
          ...readDelegation(row),
          savedBy: row.saved_by === null ? null : String(row.saved_by),
          savedAt: row.saved_at === null ? null : Number(row.saved_at),
        }));
    },
    async add(wish, saving, elsewhere, check) {
      return inTransaction(database, () => {
        check?.(newestDelegations(database, tracker));
        if (!areThere(wish, elsewhere)) return null;
        const id = nextId(database, tracker, 'delegation', FIRST_ID);
        return keep({ ...wish, id, version: 1 }, saving);
      });
    },
    async change(id, base, change, saving, elsewhere) {
      return inTransaction(database, () => {
        const kept = newest(id);
        const before = kept ?? base;
        if (before === null) return null;
        const wish = change(before, newestDelegations(database, tracker));
        if (!areThere(wish, [...elsewhere, ...before.categoryIds])) return null;
        if (kept === null) keep({ ...before, id }, null);
        return keep({ ...wish, id, version: before.version + 1 }, saving);
      });
    },
    async permissions() {
      const row = database.prepare('SELECT document FROM setting WHERE name = ?').get(permissionsName);
      return row === undefined ? null : parseDocument<DelegationPermissions>(row.document);
    },
    async putPermissions(permissions) {
      const put = database.prepare('INSERT OR REPLACE INTO setting (name, document) VALUES (?, ?)');
      inTransaction(database, () => put.run(permissionsName, JSON.stringify(permissions)));
    },
  };
}

/** Id and version are the row's; a wish made of a whole delegation must not bring others. */
function plain(wish: DelegationInput): DelegationInput {
  const { active, delegator, delegates, categoryIds, start, end, notes } = wish;
  return { active, delegator, delegates, categoryIds, start, end, notes };
}
