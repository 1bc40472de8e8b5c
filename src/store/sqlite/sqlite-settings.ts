import type { DatabaseSync } from 'node:sqlite';
import { foldedName } from '../../issues/ids-and-names.ts';
import type { ParameterSet } from '../../model/parameter-set.ts';
import type { CalendarDefinition, CalendarInput } from '../../model/settings.ts';
import { NameTaken, type SettingsStore } from '../store.ts';
import { inTransaction, isNotUnique, nextId, parseDocument } from './sqlite-database.ts';

/** Trackers bring calendars along, whose ids are smaller. */
const FIRST_CALENDAR_ID = 101;

/** What admins and users have configured, in SQLite. */
export function createSqliteSettings(database: DatabaseSync, tenant: string): SettingsStore {
  const allCalendars = database.prepare('SELECT id, document FROM calendar WHERE tenant = ? ORDER BY id');
  const setting = <Value>(name: string): Value | null => {
    const row = database
      .prepare('SELECT document FROM setting WHERE tenant = ? AND name = ?')
      .get(tenant, name);
    return row === undefined ? null : parseDocument(row.document);
  };

  const parameterSet = (id: string): ParameterSet | undefined => {
    const row = database
      .prepare('SELECT document FROM parameter_set WHERE tenant = ? AND id = ?')
      .get(tenant, id);
    return row && parseDocument<ParameterSet>(row.document);
  };

  return {
    async calendars() {
      return allCalendars.all(tenant).map(readCalendar);
    },
    async addCalendar(input) {
      const insert = database.prepare(
        'INSERT INTO calendar (tenant, id, document, folded) VALUES (?, ?, ?, ?)',
      );
      return withUniqueNames(database, () => {
        // They belong to no tracker.
        const id = nextId(database, [tenant, ''], 'calendar', FIRST_CALENDAR_ID);
        insert.run(tenant, id, JSON.stringify(plain(input)), foldedName(input.name));
        return { ...plain(input), id };
      });
    },
    async changeCalendar(id, change) {
      const put = database.prepare(
        'UPDATE calendar SET document = ?, folded = ? WHERE tenant = ? AND id = ?',
      );
      return withUniqueNames(database, () => {
        const row = database.prepare('SELECT * FROM calendar WHERE tenant = ? AND id = ?').get(tenant, id);
        if (row === undefined) return null;
        const kept = readCalendar(row);
        const input = plain(change(kept));
        const folded = foldedName(input.name);
        // An older store may have its name twice, which is no reason to refuse a new holiday.
        const isRenamed = folded !== foldedName(kept.name);
        put.run(JSON.stringify(input), isRenamed ? folded : (row.folded ?? null), tenant, id);
        return { ...input, id };
      });
    },
    async parameterSets() {
      const rows = database
        .prepare('SELECT document FROM parameter_set WHERE tenant = ? ORDER BY rowid')
        .all(tenant);
      return rows.map((row) => parseDocument<ParameterSet>(row.document));
    },
    async parameterSet(id) {
      return parameterSet(id) ?? null;
    },
    async addParameterSet(set) {
      const insert = database.prepare(
        'INSERT INTO parameter_set (tenant, id, document, owner, folded) VALUES (?, ?, ?, ?, ?)',
      );
      withUniqueNames(database, () => insert.run(tenant, set.id, ...columnsOf(set)));
    },
    async changeParameterSet(id, change, base) {
      const put = database.prepare(`
        INSERT INTO parameter_set (tenant, id, document, owner, folded) VALUES (?, ?, ?, ?, ?)
        ON CONFLICT (tenant, id) DO UPDATE SET document = excluded.document, owner = excluded.owner, folded = excluded.folded`);
      return withUniqueNames(database, () => {
        const before = parameterSet(id) ?? base;
        if (before === undefined) return null;
        const set = { ...change(before), id };
        put.run(tenant, id, ...columnsOf(set));
        return set;
      });
    },
    async removeParameterSet(id, check) {
      return inTransaction(database, () => {
        const set = parameterSet(id);
        if (set === undefined) return false;
        check(set);
        const remove = database.prepare('DELETE FROM parameter_set WHERE tenant = ? AND id = ?');
        return remove.run(tenant, id).changes > 0;
      });
    },
    async clientKey(create) {
      const found = setting<string>('client-key');
      if (found !== null) return found;
      const insert = database.prepare(
        "INSERT INTO setting (tenant, name, document) VALUES (?, 'client-key', ?) ON CONFLICT DO NOTHING",
      );
      return inTransaction(database, () => {
        const made = create();
        // Another process may have been first.
        return insert.run(tenant, JSON.stringify(made)).changes > 0
          ? made
          : (setting<string>('client-key') ?? made);
      });
    },
  };
}

/** A write transaction that fails with `NameTaken` where a name is another's. */
function withUniqueNames<Result>(database: DatabaseSync, work: () => Result): Result {
  try {
    return inTransaction(database, work);
  } catch (error) {
    throw isNotUnique(error) ? new NameTaken('The name is taken.', { cause: error }) : error;
  }
}

/** Document, owner and name as it is compared; a set that was deleted leaves its name to others. */
function columnsOf(set: ParameterSet): readonly [string, string, string | null] {
  return [JSON.stringify(set), set.ownerId, set.deleted === true ? null : foldedName(set.name)];
}

function readCalendar(row: Record<string, unknown>): CalendarDefinition {
  return { ...parseDocument<CalendarInput>(row.document), id: Number(row.id) };
}

/** The id is the row's; an input made of a whole calendar must not bring another. */
function plain({ name, timeZone, workingTimes, holidays }: CalendarInput): CalendarInput {
  return { name, timeZone, workingTimes, holidays };
}
