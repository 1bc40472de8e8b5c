import type { DatabaseSync } from 'node:sqlite';
import { foldedName } from '../../issues/ids-and-names.ts';
import type { ParameterSet } from '../../model/parameter-set.ts';
import type { CalendarDefinition, CalendarInput } from '../../model/settings.ts';
import { NameTaken, type SettingsStore } from '../store.ts';
import { inTransaction, isNotUnique, parseDocument } from './sqlite-database.ts';

/** What admins and users have configured, in SQLite. */
export function createSqliteSettings(database: DatabaseSync): SettingsStore {
  const allCalendars = database.prepare('SELECT id, document FROM calendar ORDER BY id');
  const setting = <Value>(name: string): Value | null => {
    const row = database.prepare('SELECT document FROM setting WHERE name = ?').get(name);
    return row === undefined ? null : parseDocument(row.document);
  };

  const parameterSet = (id: string): ParameterSet | undefined => {
    const row = database.prepare('SELECT document FROM parameter_set WHERE id = ?').get(id);
    return row && parseDocument<ParameterSet>(row.document);
  };

  return {
    async calendars() {
      return allCalendars.all().map(readCalendar);
    },
    async addCalendar(wish) {
      const insert = database.prepare('INSERT INTO calendar (document, folded) VALUES (?, ?)');
      const { lastInsertRowid } = withUniqueNames(database, () =>
        insert.run(JSON.stringify(plain(wish)), foldedName(wish.name)),
      );
      return { ...plain(wish), id: Number(lastInsertRowid) };
    },
    async changeCalendar(id, change) {
      const put = database.prepare('UPDATE calendar SET document = ?, folded = ? WHERE id = ?');
      return withUniqueNames(database, () => {
        const row = database.prepare('SELECT * FROM calendar WHERE id = ?').get(id);
        if (row === undefined) return null;
        const kept = readCalendar(row);
        const wish = plain(change(kept));
        const folded = foldedName(wish.name);
        // An older store may have its name twice, which is no reason to refuse a new holiday.
        const isRenamed = folded !== foldedName(kept.name);
        put.run(JSON.stringify(wish), isRenamed ? folded : (row.folded ?? null), id);
        return { ...wish, id };
      });
    },
    async parameterSets() {
      const rows = database.prepare('SELECT document FROM parameter_set ORDER BY rowid').all();
      return rows.map((row) => parseDocument<ParameterSet>(row.document));
    },
    async parameterSet(id) {
      return parameterSet(id) ?? null;
    },
    async addParameterSet(set) {
      const insert = database.prepare(
        'INSERT INTO parameter_set (id, document, owner, folded) VALUES (?, ?, ?, ?)',
      );
      withUniqueNames(database, () => insert.run(set.id, ...columnsOf(set)));
    },
    async changeParameterSet(id, change, base) {
      const put = database.prepare(`
        INSERT INTO parameter_set (id, document, owner, folded) VALUES (?, ?, ?, ?)
        ON CONFLICT (id) DO UPDATE SET document = excluded.document, owner = excluded.owner, folded = excluded.folded`);
      return withUniqueNames(database, () => {
        const before = parameterSet(id) ?? base;
        if (before === undefined) return null;
        const set = { ...change(before), id };
        put.run(id, ...columnsOf(set));
        return set;
      });
    },
    async removeParameterSet(id, check) {
      return inTransaction(database, () => {
        const set = parameterSet(id);
        if (set === undefined) return false;
        check(set);
        return database.prepare('DELETE FROM parameter_set WHERE id = ?').run(id).changes > 0;
      });
    },
    async clientKey(create) {
      const found = setting<string>('client-key');
      if (found !== null) return found;
      const insert = database.prepare(
        "INSERT INTO setting (name, document) VALUES ('client-key', ?) ON CONFLICT DO NOTHING",
      );
      return inTransaction(database, () => {
        const made = create();
        // Another process may have been first.
        return insert.run(JSON.stringify(made)).changes > 0 ? made : (setting<string>('client-key') ?? made);
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

/** The id is the row's; a wish made of a whole calendar must not bring another. */
function plain({ name, timeZone, workingTimes, holidays }: CalendarInput): CalendarInput {
  return { name, timeZone, workingTimes, holidays };
}
