import type { DatabaseSync } from 'node:sqlite';
import { foldedCategoryName } from '../../issues/ids-and-names.ts';
import type {
  Category,
  CategoryInput,
  Delegation,
  DelegationInput,
  DelegationPermissions,
} from '../../model/delegation.ts';
import type { DelegationStore, Saving } from '../store.ts';
import { inTransaction, nextId, type Owner, parseDocument } from './sqlite-database.ts';

/** Trackers bring delegations along, whose ids are smaller. */
const FIRST_ID = 100_001;

/** The delegations of one tracker in SQLite: a row per version. */
export function createSqliteDelegations(database: DatabaseSync, owner: Owner): DelegationStore {
  const [tenant, tracker] = owner;
  const permissionsName = `delegation-permissions ${tracker}`;

  function keep({ id, version, ...input }: Delegation, saving: Saving | null): Delegation {
    database
      .prepare(`
        INSERT INTO delegation (tenant, tracker, id, version, document, saved_by, saved_at, revision)
        VALUES (?, ?, ?, ?, ?, ?, ?,
          (SELECT ifnull(max(revision), 0) + 1 FROM delegation WHERE tenant = ? AND tracker = ?))`)
      .run(
        ...owner,
        id,
        version,
        JSON.stringify(plain(input)),
        saving?.by ?? null,
        saving?.at ?? null,
        ...owner,
      );
    return { ...plain(input), id, version };
  }

  function newest(id: number): Delegation | null {
    const row = database
      .prepare(
        'SELECT * FROM delegation WHERE tenant = ? AND tracker = ? AND id = ? ORDER BY version DESC LIMIT 1',
      )
      .get(...owner, id);
    return row === undefined ? null : readDelegation(row);
  }

  const areThere = ({ categoryIds }: DelegationInput, elsewhere: readonly number[]) =>
    categoryIds.every((id) => elsewhere.includes(id) || isKept(database, owner, id));

  return {
    ...createSqliteCategories(database, owner),
    async delegations() {
      return newestDelegations(database, owner);
    },
    async versions(id) {
      return database
        .prepare('SELECT * FROM delegation WHERE tenant = ? AND tracker = ? AND id = ? ORDER BY version')
        .all(...owner, id)
        .map((row) => ({
          ...readDelegation(row),
          savedBy: row.saved_by === null ? null : String(row.saved_by),
          savedAt: row.saved_at === null ? null : Number(row.saved_at),
        }));
    },
    async add(input, saving, elsewhere, check) {
      return inTransaction(database, () => {
        check?.(newestDelegations(database, owner));
        if (!areThere(input, elsewhere)) return null;
        const id = nextId(database, owner, 'delegation', FIRST_ID);
        return keep({ ...input, id, version: 1 }, saving);
      });
    },
    async change(id, base, change, saving, elsewhere) {
      return inTransaction(database, () => {
        const kept = newest(id);
        const before = kept ?? base;
        if (before === null) return null;
        const input = change(before, newestDelegations(database, owner));
        if (!areThere(input, [...elsewhere, ...before.categoryIds])) return null;
        if (kept === null) keep({ ...before, id }, null);
        return keep({ ...input, id, version: before.version + 1 }, saving);
      });
    },
    async permissions() {
      const row = database
        .prepare('SELECT document FROM setting WHERE tenant = ? AND name = ?')
        .get(tenant, permissionsName);
      return row === undefined ? null : parseDocument<DelegationPermissions>(row.document);
    },
    async putPermissions(permissions) {
      const put = database.prepare(
        'INSERT OR REPLACE INTO setting (tenant, name, document) VALUES (?, ?, ?)',
      );
      inTransaction(database, () => put.run(tenant, permissionsName, JSON.stringify(permissions)));
    },
  };
}

/** Id and version are the row's; an input made of a whole delegation must not bring others. */
function plain(input: DelegationInput): DelegationInput {
  const { active, delegator, delegates, categoryIds, start, end, notes } = input;
  return { active, delegator, delegates, categoryIds, start, end, notes };
}

/** What is known of one tracker's delegations up to a revision: the newest version of each. */
interface Known {
  readonly revision: number;
  readonly delegations: readonly Delegation[];
}

const nothing: Known = { revision: 0, delegations: [] };
const remembered = new WeakMap<DatabaseSync, Map<string, Known>>();

/**
 * The newest version of each delegation by id: the same array until any process has saved another
 * version. Versions are only ever added, so what is new is all that has to be read.
 */
function newestDelegations(database: DatabaseSync, owner: Owner): readonly Delegation[] {
  const owners = remembered.get(database) ?? new Map<string, Known>();
  remembered.set(database, owners);
  const name = JSON.stringify(owner);
  const known = owners.get(name) ?? nothing;
  const rows = database
    .prepare('SELECT * FROM delegation WHERE tenant = ? AND tracker = ? AND revision > ? ORDER BY revision')
    .all(...owner, known.revision);
  const last = rows.at(-1);
  if (last === undefined) return known.delegations;
  const byId = new Map(known.delegations.map((delegation) => [delegation.id, delegation]));
  for (const row of rows) {
    const delegation = readDelegation(row);
    byId.set(delegation.id, delegation);
  }
  const delegations = [...byId.values()].sort((a, b) => a.id - b.id);
  owners.set(name, { revision: Number(last.revision), delegations });
  return delegations;
}

/** The delegation of a row that holds one version. */
function readDelegation(row: Record<string, unknown>): Delegation {
  return {
    ...parseDocument<DelegationInput>(row.document),
    id: Number(row.id),
    version: Number(row.version),
  };
}

/** Trackers bring categories along, whose ids are smaller. */
const FIRST_CATEGORY_ID = 101;

/** The categories of delegations of one tracker: a row each. */
function createSqliteCategories(
  database: DatabaseSync,
  owner: Owner,
): Pick<DelegationStore, 'categories' | 'addCategory' | 'changeCategory' | 'removeCategory'> {
  /** Whether the name is another category's, here or elsewhere. */
  function isTaken({ name }: CategoryInput, taken: readonly string[], id: number | null): boolean {
    const folded = foldedCategoryName(name);
    const other = database.prepare(
      'SELECT 1 FROM delegation_category WHERE tenant = ? AND tracker = ? AND folded = ? AND id IS NOT ?',
    );
    return (
      taken.some((one) => foldedCategoryName(one) === folded) || other.get(...owner, folded, id) !== undefined
    );
  }

  return {
    async categories() {
      const rows = database.prepare(
        'SELECT * FROM delegation_category WHERE tenant = ? AND tracker = ? ORDER BY id',
      );
      return rows.all(...owner).map(readCategory);
    },
    async addCategory(input, taken) {
      const insert = database.prepare(
        'INSERT INTO delegation_category (tenant, tracker, id, name, folded, description) VALUES (?, ?, ?, ?, ?, ?)',
      );
      return inTransaction(database, () => {
        if (isTaken(input, taken, null)) return null;
        const { name, description } = input;
        const id = nextId(database, owner, 'category', FIRST_CATEGORY_ID);
        insert.run(...owner, id, name, foldedCategoryName(name), description);
        return { id, name, description };
      });
    },
    async changeCategory(id, input, taken) {
      const update = database.prepare(
        'UPDATE delegation_category SET name = ?, folded = ?, description = ? WHERE tenant = ? AND tracker = ? AND id = ?',
      );
      return inTransaction(database, () => {
        if (!isKept(database, owner, id)) return null;
        if (isTaken(input, taken, id)) return false;
        const { name, description } = input;
        update.run(name, foldedCategoryName(name), description, ...owner, id);
        return { id, name, description };
      });
    },
    async removeCategory(id) {
      const use = database.prepare(`
        SELECT 1 FROM delegation, json_each(delegation.document, '$.categoryIds') AS named
        WHERE delegation.tenant = ? AND delegation.tracker = ? AND named.value = ? LIMIT 1`);
      const remove = database.prepare(
        'DELETE FROM delegation_category WHERE tenant = ? AND tracker = ? AND id = ?',
      );
      return inTransaction(database, () => {
        if (!isKept(database, owner, id)) return 'unknown';
        if (use.get(...owner, id) !== undefined) return 'used';
        remove.run(...owner, id);
        return 'removed';
      });
    },
  };
}

/** Whether a category is kept; asked in a transaction, it stays so until that ends. */
function isKept(database: DatabaseSync, owner: Owner, id: number): boolean {
  const find = database.prepare(
    'SELECT 1 FROM delegation_category WHERE tenant = ? AND tracker = ? AND id = ?',
  );
  return find.get(...owner, id) !== undefined;
}

function readCategory(row: Record<string, unknown>): Category {
  return { id: Number(row.id), name: String(row.name), description: String(row.description) };
}
